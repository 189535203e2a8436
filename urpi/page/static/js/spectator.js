/** Shows those who may not act that they are watching, and lets them enter the PIN. */

import { put, the } from "./elements.js";
import { gettext } from "./translation.js";
import { enterPin } from "./api.js";

/** @typedef {import("./state.js").State} State */

export class Spectator {
  constructor() {
    this.button = the("enter-pin");
    this.button.addEventListener("click", () => void enterPin());
    this.watching = false;
    // Pieces are lifted by what happens on the board; a spectator's pointer and keys must not reach them.
    for (const name of ["pointerdown", "touchstart", "board-choose"]) {
      the("board").addEventListener(name, (event) => this.watching && event.stopPropagation(), true);
    }
  }

  /**
   * Styles hide the hands of a virtual table while the body has the class `spectator`.
   *
   * @param {State} state
   */
  show(state) {
    this.watching = !state.may_act;
    document.body.classList.toggle("spectator", this.watching);
    the("watching").hidden = !this.watching;
    put(the("watching-text"), gettext("You are watching. Enter the PIN to play."));
    put(this.button, gettext("Enter the PIN"));
  }
}
