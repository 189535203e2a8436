/** What is legal, on request: arrows on the board, and the moves as a list beside it. */

import { html, the } from "./elements.js";
import { say } from "./say.js";

/** More arrows than this say nothing; then the list's own move is shown alone. */
const MOST_ARROWS = 12;

/** @typedef {import("./state.js").Move} Move */

export class Moves {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.wanted = false;
    this.drawn = "";
    /** @type {Move[]} */
    this.legal = [];
    /** @type {import("./state.js").Side} */
    this.side = "light";
    this.button = the("moves-button");
    this.button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    this.wanted = !this.wanted;
    this.draw();
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    this.legal = state.legal;
    this.side = state.side ?? "light";
    this.can = state.phase === "move";
    const drawn = JSON.stringify([this.legal, this.side, this.can, document.documentElement.lang]);
    if (drawn !== this.drawn) this.draw();
    this.drawn = drawn;
  }

  draw() {
    this.button.setAttribute("aria-pressed", String(this.wanted));
    the("moves").hidden = !this.wanted;
    this.arrows();
    if (!this.wanted) return;
    const none = this.can ? say("No move is possible.") : say("There is no throw to play now.");
    const items = this.legal.map((move) => this.item(move));
    the("moves-list").replaceChildren(...(items.length ? items : [html("li", {}, none)]));
  }

  /** @param {Move} move */
  item(move) {
    const item = html("li", { "data-move": move.move, tabindex: 0 });
    item.append(html("span", { class: "move-said" }, move.said), html("code", {}, move.move));
    for (const name of ["pointerenter", "focus"]) item.addEventListener(name, () => this.only(move));
    for (const name of ["pointerleave", "blur"]) item.addEventListener(name, () => this.arrows());
    return item;
  }

  /** @param {Move} move */
  only(move) {
    this.board.arrows([move], this.side);
  }

  arrows() {
    const few = this.wanted && this.legal.length <= MOST_ARROWS;
    this.board.arrows(few ? this.legal : [], this.side);
  }
}
