/**
 * The virtual table: the page is the players' hands, and contains no rules.
 *
 * It takes over the board that `main.js` created: pieces are drawn where they physically lie, and
 * the actions of the hands are sent to the table, whose switches, hub and referee react to them.
 */

import { html, put } from "../elements.js";
import { gettext } from "../translation.js";
import { post } from "../api.js";
import { showError } from "../errors.js";
import { shownFace } from "../faces.js";
import { Drag } from "./drag.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { button, updateLabels, labelled } from "./labels.js";
import { mayThrow } from "./may_throw.js";
import { NextMove } from "./next_move.js";
import { drawnPieces } from "./physical.js";
import { Selection } from "./selection.js";
import { SeemsPress } from "./seems_press.js";
import { Tours } from "./tours.js";
import { Tray } from "./tray.js";

/** @typedef {import("./physical.js").Physical} Physical */
/** @typedef {import("./physical.js").TablePiece} TablePiece */
/** @typedef {import("../places.js").Spot} Spot */
/** @typedef {import("../state.js").State} State */

/** Distance above a square at which a held piece is drawn. */
const RAISED = 12;
const STEP_UP = 4;
/** Longest time for which a piece is drawn where the hand put it, before the table confirms it. */
const LANDED_MS = 600;

export class Table {
  /**
   * @param {import("../board.js").Board} board
   * @param {HTMLElement} dock
   */
  constructor(board, dock) {
    this.board = board;
    /** @type {Physical | null} */
    this.physical = null;
    /** @type {State | null} */
    this.state = null;
    this.language = "";
    /** @type {Spot} */
    this.heldAt = { x: 0, y: 0 };
    /** Whether the held pieces move by themselves, and not at a pointer. */
    this.glides = false;
    /** The pieces that were put down, until the table's next document shows where they lie. */
    this.landed = /** @type {Map<string, {spot: Spot, from: string, to: string}>} */ (new Map());
    this.hand = new Hand(showError, () => this.onMoved(), (pieces, place) => this.land(pieces, place));
    this.selection = new Selection(this);
    this.tray = new Tray(showError);
    this.keys = new Keys(this);
    this.drag = new Drag(this);
    this.next = new NextMove(this);
    this.confirms = new SeemsPress(this);
    this.tours = new Tours(this);
    /** @type {import("./console_cards.js").ConsoleCards | null} */
    this.console = null;
    this.announcer = html("p", { class: "unseen", "aria-live": "polite" });
    this.dark = this.noPower();
    this.lay(dock);
  }

  /** @param {HTMLElement} dock */
  lay(dock) {
    document.querySelector("#dice")?.before(this.tray.felt);
    const hint = labelled(html("p", { class: "act-hint" }), () => gettext("Tap a piece, then its square; or drag it."));
    document.querySelector("#act")?.append(this.tray.button, hint);
    document.querySelector(".throw")?.append(this.selection.controls);
    document.querySelector(".status")?.append(this.dark);
    dock.append(this.announcer, this.keys.rows);
    document.addEventListener("urpi-play", (event) => void this.play(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("urpi-face", () => void this.openConsole(dock));
    void this.openConsole(dock);
  }

  /**
   * Loads what only the console has, when it is shown first.
   *
   * @param {HTMLElement} dock
   */
  async openConsole(dock) {
    this.markThrow();
    if (shownFace() !== "console" || this.console) return;
    const { ConsoleCards } = await import("./console_cards.js");
    this.console ??= new ConsoleCards(this, dock);
    if (this.physical) this.console.show(this.physical);
  }

  /** Creates the panel that is shown without power. */
  noPower() {
    const text = labelled(html("p"), () =>
      gettext("The power is off. Move the pieces about, if you like; then switch it on."),
    );
    const on = button(() => gettext("Switch the power on"), () => post("/api/table/power", { on: true }));
    return html("div", { class: "no-power", role: "alert", hidden: true }, text, on);
  }

  /**
   * Lets the table's own hands play a move from the list.
   *
   * @param {string} move
   */
  async play(move) {
    this.selection.clear();
    this.confirms.moved();
    const answer = await post("/api/table/move", { move });
    if (!answer.ok) showError(answer.error);
  }

  /** @param {Physical} physical */
  show(physical) {
    this.physical = physical;
    this.settle(physical);
    this.dark.hidden = physical.power;
    document.body.classList.toggle("powerless", !physical.power);
    document.querySelector(".now")?.classList.toggle("unseen", !physical.power);
    this.markThrow();
    this.tray.show(physical.dice, this.state);
    this.console?.show(physical);
    void this.tours.show(physical);
    this.onMoved();
  }

  /** @param {State} state */
  onState(state) {
    this.selection.onState(this.state, state);
    this.state = state;
    if (state.language !== this.language) this.setLanguage(state.language);
    this.tours.tour?.onState(state);
    this.next.onState(state);
    this.confirms.onState(state);
    this.markThrow();
    if (this.physical) this.tray.show(this.physical.dice, state);
    this.draw();
  }

  /** Shows the button to throw while the game waits for that. The dice of the console can always be thrown. */
  markThrow() {
    const may = this.state !== null && this.physical !== null && mayThrow(this.state, this.physical);
    document.body.classList.toggle("throwing", may);
    this.tray.allow(may, this.state?.coached === null);
    this.tray.felt.inert = !this.state?.may_act || (!may && shownFace() === "play");
  }

  /** @param {string} language */
  setLanguage(language) {
    this.language = language;
    updateLabels();
    if (this.physical) this.show(this.physical);
    this.tours.tour?.highlight();
  }

  /**
   * Whether this page is moving pieces: from lifting them to the table's document that shows them
   * on their new place. Until then, the document is no base for the next act.
   */
  get isMoving() {
    return this.hand.holds || [...this.landed.values()].some(({ from, to }) => from !== to);
  }

  /** Draws what has moved, and handles the taps that waited for it. */
  onMoved() {
    this.draw();
    this.selection.handleTaps();
  }

  draw() {
    if (!this.physical) return;
    this.selection.update();
    const held = new Map([...this.landed].map(([id, { spot }]) => [id, spot]));
    this.hand.pieces.forEach(({ id }, step) => {
      held.set(id, { ...this.heldAt, y: this.heldAt.y - STEP_UP * step });
    });
    this.board.show(drawnPieces(this.physical, this.board, held));
    const carried = new Set(this.glides ? [] : this.hand.pieces.map(({ id }) => id));
    for (const { id } of this.physical.pieces) {
      this.board.node(id)?.classList.toggle("in-hand", carried.has(id));
    }
    for (const [name, square] of this.board.squares) {
      square.classList.toggle("ur-closed", this.physical.closed.includes(name));
    }
  }

  /**
   * Lifts pieces and puts them on a place, in one act.
   *
   * @param {TablePiece[]} pieces bottom to top
   * @param {string} place
   * @param {string} [move] the legal move that this makes
   */
  carry(pieces, place, move) {
    if (this.hand.holds || !pieces.length) return;
    this.glides = true;
    this.heldAt = this.landing(place);
    this.hand.lift(pieces);
    void this.hand.put(place, move).then(() => (this.glides = false));
  }

  /**
   * Turns pieces over where they lie: lifts them, turns them and puts them back.
   *
   * @param {TablePiece[]} pieces bottom to top
   */
  turnOnPlace(pieces) {
    const [lowest] = pieces;
    if (this.hand.holds || !lowest) return;
    this.glides = true;
    this.heldAt = this.landing(lowest.at, lowest.level);
    this.hand.lift(pieces);
    this.hand.turn();
    void this.hand.putBack().then(() => (this.glides = false));
  }

  /**
   * Returns where a piece will lie on a place.
   *
   * @param {string} place
   * @param {number} [level] by default on top, or in the next slot
   */
  landing(place, level = this.pile(place).length) {
    return this.board.spot(place, level, Math.max((this.physical?.pieces.length ?? 0) / 2, 7));
  }

  /**
   * Draws pieces where the hand has put them, until the table's next document shows them there.
   *
   * @param {TablePiece[]} pieces
   * @param {string | null} place null if they are put back
   */
  land(pieces, place) {
    if (place !== null) this.confirms.moved();
    const from = pieces[0]?.at ?? "";
    const target = place ?? from;
    if (target === "aside" || target === "held") return;
    const level = place === null ? pieces[0]?.level : undefined;
    const { x, y } = this.landing(target, level);
    pieces.forEach(({ id }, step) => {
      this.landed.set(id, { spot: { x, y: y - STEP_UP * step }, from, to: target });
    });
    setTimeout(() => {
      for (const { id } of pieces) this.landed.delete(id);
      this.onMoved();
    }, LANDED_MS);
  }

  /**
   * Removes the pieces that the table's document shows at rest somewhere else than before.
   *
   * @param {Physical} physical
   */
  settle(physical) {
    for (const { id, at } of physical.pieces) {
      const landed = this.landed.get(id);
      if (landed && at !== "held" && at !== landed.from) this.landed.delete(id);
    }
  }

  /**
   * Draws the held pieces at the pointer, without waiting for the table.
   *
   * @param {Spot} spot
   */
  holdAt(spot) {
    this.heldAt = spot;
    this.hand.pieces.forEach(({ id }, step) => {
      const node = this.board.node(id);
      if (node) node.style.transform = `translate(${spot.x}px, ${spot.y - STEP_UP * step}px)`;
    });
  }

  /**
   * Draws the held pieces above a square, or above the place of `piece` if there is none.
   *
   * @param {string | null} square
   * @param {TablePiece} [piece]
   */
  holdOver(square, piece) {
    const place = square ?? (piece && piece.at !== "aside" ? piece.at : "B1");
    const level = square ? (this.board.pile(square).length || 1) - 1 : (piece?.slot ?? 0);
    const spot = this.board.spot(place, level);
    this.heldAt = { x: spot.x + 4, y: spot.y - RAISED };
    this.draw();
  }

  /** @param {string | null} place */
  showTarget(place) {
    for (const [name, square] of this.board.squares) {
      square.classList.toggle("under-hand", name === place);
    }
  }

  /** @param {string | null} place */
  isSquare(place) {
    return place !== null && this.board.squares.has(place);
  }

  /**
   * Returns the top piece of a place.
   *
   * @param {string} place
   * @returns {TablePiece | undefined}
   */
  top(place) {
    return this.pile(place).at(-1);
  }

  /**
   * Returns the pieces of a place, from bottom to top, or by their slots.
   *
   * @param {string} place
   * @returns {TablePiece[]}
   */
  pile(place) {
    const there = (this.physical?.pieces ?? []).filter((piece) => piece.at === place);
    return there.sort((one, other) => height(one) - height(other));
  }

  /**
   * Returns a piece with the pieces on it, from bottom to top.
   *
   * @param {string} id
   * @returns {TablePiece[]}
   */
  withThoseOn(id) {
    const pieces = this.physical?.pieces ?? [];
    const piece = pieces.find((one) => one.id === id);
    if (!piece || piece.at === "held") return [];
    if (!this.isSquare(piece.at)) return [piece];
    return this.pile(piece.at).filter((one) => height(one) >= height(piece));
  }

  /**
   * Announces a text to screen readers only.
   *
   * @param {string} text
   */
  announce(text) {
    put(this.announcer, text);
  }
}

/** @param {TablePiece} piece */
const height = (piece) => piece.level ?? piece.slot ?? 0;

/**
 * Opens the virtual table on the page.
 *
 * @param {{
 *   board: import("../board.js").Board, state: State, dock: HTMLElement,
 *   physical: Physical | undefined,
 * }} page `physical` is the state of the table if it arrived while this script was loading
 */
export function open({ board, state, dock, physical }) {
  const table = new Table(board, dock);
  table.onState(state);
  if (physical) table.show(physical);
  document.addEventListener("urpi-state", (event) => {
    table.onState(/** @type {CustomEvent} */ (event).detail);
  });
  document.addEventListener("urpi-table", (event) => {
    table.show(/** @type {CustomEvent} */ (event).detail);
  });
}
