/**
 * Presses the board's button after a move that no switch shows, as a player at the board would: in *Play*,
 * where the board's buttons are not shown, and after a move that this page has made.
 */

import { post } from "../api.js";
import { shownFace } from "../faces.js";

/** @typedef {import("../state.js").State} State */

/** A landing that the switches show is final after a second without a press. */
const WAIT_MS = 1300;

export class SeemsPress {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.mine = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Notes that this page has moved a piece. */
  moved() {
    this.mine = true;
  }

  /** @param {State} state */
  onState({ seems, side, coached }) {
    clearTimeout(this.timer);
    if (!seems || !side || !this.mine || coached || shownFace() !== "play") return;
    this.timer = setTimeout(() => {
      this.mine = false;
      void post("/api/table/button", { side, press: "short" });
    }, WAIT_MS);
  }
}
