/**
 * The hand by keyboard: Enter on a square or a row lifts, the arrow keys move over squares, Enter
 * puts, Escape puts back. The rows beside the board are buttons that appear on keyboard focus.
 */

import { html } from "../elements.js";
import { gettext, sideName } from "../translation.js";
import { showError } from "../errors.js";
import { letterOf } from "../shortcut.js";
import { button, labelled } from "./labels.js";

const SIDES = /** @type {const} */ (["light", "dark"]);

export class Keys {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    const { svg } = table.board;
    svg.addEventListener("board-choose", (event) => {
      this.choose(/** @type {CustomEvent} */ (event).detail.place);
    });
    svg.addEventListener("focusin", (event) => this.arrive(event));
    document.addEventListener("keydown", (event) => this.press(event));
    const rows = html("div", { class: "table-rows unseen", role: "group" }, ...this.buttons());
    this.rows = labelled(rows, () => gettext("Beside the board"), "aria-label");
  }

  *buttons() {
    for (const side of SIDES) {
      yield this.row(`hand:${side}`, () => gettext("{side}'s row", { side: sideName(side) }));
      yield this.row(`home:${side}`, () => gettext("{side}'s home", { side: sideName(side) }));
    }
    yield this.row("aside", () => gettext("Aside"));
  }

  /**
   * @param {string} place
   * @param {() => string} label
   */
  row(place, label) {
    return button(label, () => this.choose(place), { "data-row": place });
  }

  /**
   * Lifts a piece from a place, or puts the held pieces there.
   *
   * @param {string} place
   */
  choose(place) {
    const { hand } = this.table;
    if (hand.holds) return void this.put(place);
    this.table.selection.clear();
    const top = this.table.top(place);
    if (!top) return showError(gettext("Nothing lies there."));
    this.byKeys = true;
    hand.lift([top]);
    this.table.holdOver(this.table.isSquare(place) ? place : null, top);
    this.table.announce(gettext("You hold {side}'s piece.", { side: sideName(top.side) }));
    this.square()?.focus();
    this.arrive({ target: this.square() });
  }

  /** @param {string} place */
  async put(place) {
    this.byKeys = false;
    await this.table.hand.put(place, this.table.selection.moveTextTo(place));
    this.table.showTarget(null);
    this.table.announce(gettext("Put down."));
  }

  /** Returns the square that Tab reaches. */
  square() {
    return /** @type {SVGGElement | null} */ (
      this.table.board.svg.querySelector('[data-square][tabindex="0"]')
    );
  }

  /** @param {{target: EventTarget | null}} event */
  arrive({ target }) {
    const square = target instanceof Element ? target.closest("[data-square]") : null;
    const name = square?.getAttribute("data-square");
    if (!name || !this.byKeys || !this.table.hand.holds) return;
    this.table.holdOver(name);
    this.table.showTarget(name);
    this.table.hand.goOver(name);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.target instanceof Element && event.target.closest("input, select, dialog")) return;
    if (event.key === "Escape") this.escape();
    else if (letterOf(event) === "t") this.table.selection.turn();
  }

  /** Puts the held pieces back, or drops the selection. */
  escape() {
    const { hand, selection } = this.table;
    if (!hand.holds) return selection.clear();
    this.byKeys = false;
    this.table.showTarget(null);
    void hand.putBack();
  }
}
