/** The legal moves on request: as arrows on the board and as a list beside it. */

import { html, the } from "./elements.js";
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
    /** @type {import("./state.js").Side} */
    this.side = "light";
    this.button = the("moves-button");
    this.button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    this.visible = !this.visible;
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
    const item = html("li", { "data-move": move.move, tabindex: 0 });
    item.append(html("span", { class: "move-text" }, move.said), html("code", {}, move.move));
    for (const name of ["pointerenter", "focus"]) item.addEventListener(name, () => this.only(move));
    for (const name of ["pointerleave", "blur"]) item.addEventListener(name, () => this.arrows());
    return item;
  }

  /** @param {Move} move */
  only(move) {
    this.board.arrows([move], this.side);
  }

  arrows() {
    const drawAll = this.visible && this.legal.length <= MAX_ARROWS;
    this.board.arrows(drawAll ? this.legal : [], this.side);
  }
}
