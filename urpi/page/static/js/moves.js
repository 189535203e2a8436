/** The legal moves on request: as arrows on the board and as a list beside it. */

import { html, showError, the } from "./elements.js";
import { post } from "./api.js";
import { gettext } from "./translation.js";

/** More arrows than this would be unreadable: then only the move under the pointer has one. */
const MAX_ARROWS = 12;

/** @typedef {import("./state.js").Move} Move */

export class Moves {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.visible = false;
    this.drawn = "";
    /** @type {Move[]} */
    this.legal = [];
    /** The replay has none. */
    this.hintButton = document.getElementById("hint-button");
    this.hintButton?.addEventListener("click", () => void this.hint());
    /** The engine's move, the coach's or a hint, which has an arrow whether the moves are shown or not. @type {Move | null} */
    this.planned = null;
    /** @type {import("./state.js").Side} */
    this.side = "light";
    this.button = the("moves-button");
    this.button.addEventListener("click", () => this.toggle());
    /** Whether a tap on a move plays it: the virtual table has hands of its own. */
    this.playable = false;
  }

  /** Asks for a hint, which arrives with the state. */
  async hint() {
    if (!this.hintButton || this.hintButton.hidden) return;
    const answer = await post("/api/hint", {});
    if (!answer.ok) showError(answer.error);
  }

  toggle() {
    this.visible = !this.visible;
    this.draw();
  }

  /** @param {import("./state.js").StepState} state */
  show(state) {
    this.legal = state.legal;
    this.planned = state.planned ?? state.coached?.better ?? state.hint ?? null;
    if (this.hintButton) this.hintButton.hidden = !state.may_hint || !state.may_act || Boolean(state.question);
    this.side = state.coached?.side ?? state.side ?? "light";
    this.can = state.phase === "move";
    this.playable = state.table === "virtual" && Boolean(state.may_act);
    const drawn = JSON.stringify([this.legal, this.planned, this.side, this.can, this.playable, document.documentElement.lang]);
    if (drawn !== this.drawn) this.draw();
    this.drawn = drawn;
  }

  draw() {
    this.button.setAttribute("aria-pressed", String(this.visible));
    the("moves").hidden = !this.visible;
    this.arrows();
    if (!this.visible) return;
    const none = this.can ? gettext("No move is possible.") : gettext("There is no throw to play now.");
    const items = this.legal.map((move) => this.item(move));
    the("moves-list").replaceChildren(...(items.length ? items : [html("li", {}, none)]));
  }

  /** @param {Move} move */
  item(move) {
    const text = [html("span", { class: "move-text" }, move.text), html("code", {}, move.move)];
    const shows = this.playable ? html("button", { type: "button" }, ...text) : html("div", { tabindex: 0 }, ...text);
    for (const name of ["pointerenter", "focus"]) shows.addEventListener(name, () => this.only(move));
    for (const name of ["pointerleave", "blur"]) shows.addEventListener(name, () => this.arrows());
    if (this.playable) shows.addEventListener("click", () => play(move.move));
    return html("li", { "data-move": move.move }, shows);
  }

  /** @param {Move} move */
  only(move) {
    this.board.arrows([move], this.side);
  }

  arrows() {
    const drawAll = this.visible && this.legal.length <= MAX_ARROWS;
    const always = this.planned ? [this.planned] : [];
    this.board.arrows(drawAll ? this.legal : always, this.side);
  }
}

/**
 * Lets the virtual table's hands play a move.
 *
 * @param {string} move
 */
function play(move) {
  document.dispatchEvent(new CustomEvent("urpi-play", { detail: move }));
}
