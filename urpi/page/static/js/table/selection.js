/**
 * The pieces that are selected by a tap or a click, and the places where they, or those in the hand,
 * may go. A second tap moves them, anywhere: the referee judges it.
 */

import { html } from "../elements.js";
import { gettext } from "../translation.js";
import { button, labelled } from "./labels.js";
import { targetsOf, usualCount } from "./targets.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("./physical.js").TablePiece} TablePiece */

export class Selection {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** The place of the selected pieces, null if none is selected. @type {string | null} */
    this.place = null;
    /** The number of selected pieces, from the top of a pile. */
    this.count = 1;
    /** The places of the taps that wait for the hand. @type {(string | null)[]} */
    this.taps = [];
    /** @type {Map<string, string | null>} */
    this.targets = new Map();
    /** The hand's grip, and the targets when it began. @type {{grip: object | null, targets: Map<string, string | null>}} */
    this.lifted = { grip: null, targets: this.targets };
    this.turnButton = button(() => gettext("Turn over"), () => this.turn(), { "aria-keyshortcuts": "t" });
    this.moreButton = labelled(html("button", { type: "button" }), () => this.moreText());
    this.moreButton.addEventListener("click", () => this.takeMore());
    const controls = html("div", { class: "piece-controls", role: "group" }, this.turnButton, this.moreButton);
    this.controls = labelled(controls, () => gettext("The selected piece"), "aria-label");
  }

  /** The pieces at the selected place. */
  get pile() {
    return this.place === null ? [] : this.table.pile(this.place);
  }

  /** @type {TablePiece[]} */
  get pieces() {
    return this.place?.includes(":") ? this.pile.slice(-1) : this.pile.slice(-this.count);
  }

  /** The pieces that the next act moves: those in the hand, else the selected ones. */
  get group() {
    return this.table.hand.holds ? this.table.hand.pieces : this.pieces;
  }

  /** @param {string} id */
  includes(id) {
    return this.pieces.some((piece) => piece.id === id);
  }

  /**
   * Handles a tap on a place, or beside all places: now, or once the last put is complete.
   *
   * @param {string | null} place
   */
  tap(place) {
    this.taps.push(place);
    this.handleTaps();
  }

  /** Handles the taps, in order, until one of them moves pieces. */
  handleTaps() {
    while (this.taps.length && !this.table.drawing.isMoving) this.handleTap(this.taps.shift() ?? null);
  }

  /**
   * Selects the piece on a place, moves the selected pieces there, or drops the selection.
   *
   * @param {string | null} place
   */
  handleTap(place) {
    const top = place && this.table.pile(place).at(-1);
    if (place === null || place === this.place) this.clear();
    else if (this.place !== null && this.goesTo(place, top || undefined)) this.moveTo(place);
    else if (top) this.select(place);
    else this.clear();
  }

  /**
   * Whether a tap on another place moves the selected pieces there instead of selecting its piece.
   *
   * @param {string} place
   * @param {TablePiece | undefined} top
   */
  goesTo(place, top) {
    if (this.targets.has(place) || !top) return true;
    return this.table.isSquare(place) && top.side !== this.pieces[0]?.side;
  }

  /** @param {string} place */
  select(place) {
    const { state } = this.table;
    this.place = place;
    this.count = state && this.table.isSquare(place) ? usualCount(state, this.table.pile(place)) : 1;
    this.table.draw();
  }

  clear() {
    if (this.place === null) return;
    this.place = null;
    this.table.draw();
  }

  /** @param {string} place */
  moveTo(place) {
    const { pieces } = this;
    const move = this.moveTextTo(place);
    this.place = null;
    this.glide(pieces, this.table.drawing.landing(place), (hand) => hand.put(place, move));
  }

  /**
   * Lifts pieces, and lets the hand put them down at once, without a pointer.
   *
   * @param {TablePiece[]} pieces bottom to top
   * @param {import("../places.js").Spot} spot where they will lie
   * @param {(hand: import("./hand.js").Hand) => Promise<unknown>} put
   */
  glide(pieces, spot, put) {
    const { drawing, hand } = this.table;
    if (hand.holds || !pieces.length) return;
    drawing.glides = true;
    drawing.heldAt = spot;
    hand.lift(pieces);
    void put(hand).then(() => (drawing.glides = false));
  }

  /**
   * Returns the text of the legal move that putting the pieces on a place makes. Pieces that are held
   * over their target may have committed it already; it counts as it was when they were lifted.
   *
   * @param {string} place
   */
  moveTextTo(place) {
    return this.targets.get(place) ?? this.lifted.targets.get(place) ?? undefined;
  }

  /** Whether the pieces can be turned over: only on the board, not while they are put down, and only if they have two faces. */
  get canTurn() {
    const { hand, physical } = this.table;
    const [lowest] = this.group;
    return Boolean(physical?.faces && lowest && !hand.puts && (hand.holds || this.table.isSquare(lowest.at)));
  }

  /** Turns the pieces over: in the hand, or by lifting them and putting them back. */
  turn() {
    const { drawing, hand } = this.table;
    const [lowest] = this.group;
    if (!this.canTurn || !lowest) return;
    if (hand.holds) hand.turn();
    else this.glide(this.pieces, drawing.landing(lowest.at, lowest.level), () => (hand.turn(), hand.putBack()));
    this.table.draw();
  }

  get canTakeMore() {
    return Boolean(this.table.physical?.piles && !this.table.hand.holds && this.table.isSquare(this.place) && this.pile.length > 1);
  }

  /** Selects one more piece of a pile, or only the top one after the lowest. */
  takeMore() {
    if (!this.canTakeMore) return;
    this.count = (this.count % this.pile.length) + 1;
    this.table.draw();
  }

  moreText() {
    if (!this.canTakeMore) return gettext("One more piece");
    return gettext("One more piece ({count} of {all})", { count: this.count, all: this.pile.length });
  }

  /**
   * Drops a selection that has become another one.
   *
   * @param {State | null} before
   * @param {State} now
   */
  onState(before, now) {
    const turn = (/** @type {State | null} */ state) =>
      JSON.stringify([state?.game, state?.side, state?.phase, state?.throw, state?.position?.text]);
    if (before && turn(before) !== turn(now)) this.place = null;
  }

  /** Computes the targets, and shows them and the controls. */
  update() {
    const { state, physical, board, hand, drawing } = this.table;
    if (!state || !physical) return;
    const isHeld = hand.holds || drawing.landed.size > 0 || physical.pieces.some(({ by }) => by === hand.name);
    if (!isHeld && !this.pile.length) this.place = null;
    this.count = Math.min(this.count, Math.max(this.pile.length, 1));
    this.targets = targetsOf(state, physical, this.group);
    if (this.lifted.grip !== hand.grip || !hand.holds) this.lifted = { grip: hand.grip, targets: this.targets };
    board.mark("legal", [...this.targets.keys()]);
    for (const { id } of physical.pieces) board.node(id)?.classList.toggle("selected", this.includes(id));
    this.controls.hidden = !physical.faces && !physical.piles;
    this.turnButton.hidden = !physical.faces;
    this.turnButton.setAttribute("aria-disabled", String(!this.canTurn));
    this.moreButton.hidden = !physical.piles;
    this.moreButton.setAttribute("aria-disabled", String(!this.canTakeMore));
    const text = this.moreText();
    if (this.moreButton.textContent !== text) this.moreButton.textContent = text;
  }
}

