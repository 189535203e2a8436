/** What the page offers its visitor: those who may not act to enter the PIN, and everyone their own language. */

import { put, the } from "./elements.js";
import { chooseOwnLanguage, gettext, languageName, ownLanguage } from "./translation.js";
import { enterPin, get } from "./api.js";

/** @typedef {import("./state.js").State} State */

/** Shows those who may not act that they are watching. */
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

/** Offers the browser's preferred language, until its user has chosen one. */
export class LanguageOffer {
  constructor() {
    this.button = /** @type {HTMLButtonElement} */ (the("language-offer"));
    /** @type {string | null} */
    this.preferred = null;
    /** @type {State | null} */
    this.state = null;
    this.button.addEventListener("click", () => this.preferred && chooseOwnLanguage(this.preferred));
  }

  /** Loads the browser's preferred language, unless its user has chosen one. */
  async load() {
    if (ownLanguage()) return;
    const { ok, data } = await get("/api/languages");
    if (!ok || !data.wanted) return;
    this.preferred = data.wanted;
    this.button.lang = data.wanted;
    this.button.textContent = languageName(data.wanted);
    if (this.state) this.show(this.state);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    this.button.hidden = !this.preferred || this.preferred === state.language;
  }
}
