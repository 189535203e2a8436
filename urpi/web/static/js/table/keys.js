/**
 * The hand by the keyboard: Enter on a square or a row lifts, the arrow keys move over squares,
 * Enter puts, Escape puts back. The rows beside the board are buttons that show themselves to
 * whoever comes by Tab.
 */

import { html } from "../elements.js";
import { say, sideOf } from "../say.js";
import { tell } from "../tell.js";
import { button, saying } from "./labels.js";

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
    const rows = html("div", { class: "table-rows", role: "group" }, ...this.buttons());
    this.rows = saying(rows, () => say("Beside the board"), "aria-label");
  }

  *buttons() {
    for (const side of SIDES) {
      yield this.row(`hand:${side}`, () => say("{side}'s row", { side: sideOf(side) }));
      yield this.row(`home:${side}`, () => say("{side}'s home", { side: sideOf(side) }));
    }
    yield this.row("aside", () => say("Aside"));
  }

  /**
   * @param {string} place
   * @param {() => string} label
   */
  row(place, label) {
    return button(label, () => this.choose(place), { "data-row": place });
  }

  /**
   * Lifts there, or puts there what is held.
   *
   * @param {string} place
   */
  choose(place) {
    const { hand } = this.table;
    if (hand.holds) return void this.put(place);
    const top = this.table.top(place);
    if (!top) return tell(say("Nothing lies there."));
    this.byKeys = true;
    hand.lift([top]);
    this.table.holdOver(this.table.isSquare(place) ? place : null, top);
    this.table.aloud(say("You hold {side}'s piece.", { side: sideOf(top.side) }));
    this.square()?.focus();
    this.arrive({ target: this.square() });
  }

  /** @param {string} place */
  async put(place) {
    this.byKeys = false;
    await this.table.hand.put(place);
    this.table.showTarget(null);
    this.table.aloud(say("Put down."));
  }

  /** The square that Tab would come to. */
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
    if (!this.table.hand.holds || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      this.byKeys = false;
      this.table.showTarget(null);
      void this.table.hand.putBack();
    } else if (event.key === "t" && this.table.physical?.faces) {
      this.table.hand.turn();
      this.table.draw();
    }
  }
}
