/**
 * A turn with the keyboard, wherever the focus is: Space throws, N selects the next legal move,
 * Enter plays it.
 */

import { letterOf } from "../shortcut.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Move} Move */

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
