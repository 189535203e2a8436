/**
 * The virtual table by keyboard: a whole turn in three keys, and the hand. Enter on a square or a row lifts, the
 * arrow keys move over squares, Enter puts, Escape puts back. The rows beside the board are buttons that appear
 * on keyboard focus.
 */

import { html, showError } from "../elements.js";
import { gettext, sideName } from "../translation.js";
import { letterOf } from "../keys.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Move} Move */

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
    const top = this.table.pile(place).at(-1);
    if (!top) return showError(gettext("Nothing lies there."));
    this.byKeys = true;
    hand.lift([top]);
    this.table.drawing.holdOver(this.table.isSquare(place) ? place : null, top);
    this.table.announce(gettext("You hold {side}'s piece.", { side: sideName(top.side) }));
    this.square()?.focus();
    this.arrive({ target: this.square() });
  }

  /** @param {string} place */
  async put(place) {
    this.byKeys = false;
    await this.table.hand.put(place, this.table.selection.moveTextTo(place));
    this.table.drawing.showTarget(null);
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
    this.table.drawing.holdOver(name);
    this.table.drawing.showTarget(name);
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
    this.table.drawing.showTarget(null);
    void hand.putBack();
  }
}

/** A turn, wherever the focus is: Space throws, N selects the next legal move, Enter plays it. */
export class NextMove {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** The number of the selected move in the list of legal moves, -1 if none is selected. */
    this.place = -1;
    this.turn = "";
    // Before the board, whose squares react to the same keys.
    document.addEventListener("keydown", (event) => this.press(event), true);
  }

  /** @returns {Move | undefined} */
  get move() {
    return this.table.state?.legal[this.place];
  }

  /** @param {State} state */
  onState(state) {
    const turn = JSON.stringify([state.game, state.phase, state.side, state.legal.map(({ move }) => move)]);
    if (turn !== this.turn) this.place = -1;
    this.turn = turn;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { target, key } = event;
    const { state } = this.table;
    if (!state?.may_act || !(target instanceof Element) || target.closest("input, select, dialog")) return;
    if (letterOf(event) === "n") this.select();
    else if (key === "Escape") this.clear();
    else if (key === "Enter" && this.move) this.play(this.move);
    else if (key === " " && !target.closest("button, a, summary, [tabindex], [data-square]")) this.throw();
    else return;
    if (key !== "Escape") event.preventDefault();
    if (key === "Enter") event.stopPropagation();
  }

  /** Throws if there is something to throw; a press too many must not scroll the board away. */
  throw() {
    const { tray } = this.table;
    if (tray.may) void tray.throw([]);
  }

  /** Selects the next legal move: its piece, its arrow, and its words for screen readers. */
  select() {
    const { state, board, selection, physical } = this.table;
    if (!state?.legal.length || !state.side || physical?.players[state.side] !== "hands") return;
    this.place = (this.place + 1) % state.legal.length;
    const move = /** @type {Move} */ (this.move);
    const from = move.from[0] ?? "hand";
    selection.select(from === "hand" ? `hand:${state.side}` : from);
    board.arrows([move], state.side);
    this.table.announce(move.text);
  }

  clear() {
    if (this.place < 0) return;
    this.place = -1;
    this.table.board.arrows([]);
  }

  /** @param {Move} move */
  play({ move }) {
    this.clear();
    void this.table.play(move);
  }
}
