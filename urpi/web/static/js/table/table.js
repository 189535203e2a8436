/**
 * The virtual table: the page plays the hands, and knows no rules.
 *
 * It takes over the board that `main.js` has made: pieces are drawn where they physically lie, and
 * what hands do goes to the table, whose switches, hub, referee and display answer.
 */

import { html, put } from "../elements.js";
import { say } from "../say.js";
import { order } from "../send.js";
import { tell } from "../tell.js";
import { Drag } from "./drag.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { button, sayAgain, saying } from "./labels.js";
import { Mishaps } from "./mishaps.js";
import { drawnPieces } from "./physical.js";
import { Seats } from "./seats.js";
import { Tour } from "./tour.js";
import { Tray } from "./tray.js";

/** @typedef {import("./physical.js").Physical} Physical */
/** @typedef {import("./physical.js").TablePiece} TablePiece */
/** @typedef {import("../places.js").Spot} Spot */
/** @typedef {import("../state.js").State} State */

const STYLE = "/static/css/table.css";
/** A held piece is drawn so far above the square that it is over, and those on it higher. */
const RAISED = 12;
const STEP_UP = 4;

export class Table {
  /**
   * @param {import("../board.js").Board} board
   * @param {HTMLElement} dock
   */
  constructor(board, dock) {
    this.board = board;
    /** @type {Physical | null} */
    this.physical = null;
    this.language = "";
    /** @type {Spot} */
    this.heldAt = { x: 0, y: 0 };
    this.hand = new Hand(tell, () => this.draw());
    this.tray = new Tray(tell);
    this.keys = new Keys(this);
    this.drag = new Drag(this);
    this.seats = new Seats(tell);
    this.mishaps = new Mishaps(this);
    this.tour = new Tour(this);
    this.heard = html("p", { class: "unseen", "aria-live": "polite" });
    this.dark = this.noPower();
    this.lay(dock);
  }

  /** @param {HTMLElement} dock */
  lay(dock) {
    document.body.classList.add("virtual");
    document.head.append(html("link", { rel: "stylesheet", href: STYLE }));
    document.querySelector("#dice")?.before(this.tray.felt);
    document.querySelector("#moves-button")?.before(this.tray.button);
    document.querySelector(".oled")?.after(this.seats.panel);
    const tour = button(() => say("Tour"), () => this.tour.begin(), { class: "tour-begin" });
    const hint = saying(html("p", { class: "hint" }), () =>
      say("Drag a piece, or Tab to it: Enter lifts and puts, the arrow keys move, Esc puts back."),
    );
    const about = html("div", { class: "about-table" }, hint, tour);
    dock.append(this.heard, this.dark, this.keys.rows, about);
    dock.append(html("div", { class: "table-cards" }, this.seats.card, this.mishaps.card));
    dock.append(this.tour.card);
    document.querySelector("#moves-list")?.addEventListener("dblclick", (event) => this.play(event));
    document.querySelector("#moves-list")?.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") void this.play(event);
    });
  }

  /** What is shown while there is no power. */
  noPower() {
    const text = saying(html("p"), () =>
      say("The power is off. Move the pieces about, if you like; then switch it on."),
    );
    const on = button(() => say("Switch the power on"), () => this.mishaps.switchPower());
    return html("div", { class: "no-power", role: "alert", hidden: true }, text, on);
  }

  /**
   * A listed move is played by the table's own hands.
   *
   * @param {Event} event
   */
  async play(event) {
    const item = event.target instanceof Element ? event.target.closest("[data-move]") : null;
    const move = item?.getAttribute("data-move");
    if (!move) return;
    const answer = await order("/api/table/move", { move });
    if (!answer.ok) tell(answer.error);
  }

  /** @param {Physical} physical */
  show(physical) {
    this.physical = physical;
    this.dark.hidden = physical.power;
    document.body.classList.toggle("powerless", !physical.power);
    this.tray.show(physical.dice);
    this.seats.show(physical);
    this.mishaps.show(physical);
    this.tour.see(physical);
    this.draw();
  }

  /** @param {State} state */
  hear(state) {
    if (state.language !== this.language) this.speak(state.language);
    this.tour.hear(state);
  }

  /** @param {string} language */
  speak(language) {
    this.language = language;
    sayAgain();
    if (this.physical) this.show(this.physical);
  }

  draw() {
    if (!this.physical) return;
    const held = new Map(
      this.hand.pieces.map(({ id }, step) => [id, { ...this.heldAt, y: this.heldAt.y - STEP_UP * step }]),
    );
    this.board.show(drawnPieces(this.physical, this.board, held));
    for (const { id } of this.physical.pieces) {
      this.board.node(id)?.classList.toggle("in-hand", held.has(id));
    }
    for (const [name, square] of this.board.squares) {
      square.classList.toggle("ur-closed", this.physical.closed.includes(name));
    }
  }

  /**
   * A held piece follows the pointer at once, whatever the table says.
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
   * Holds a piece above a square; above where it lay, where that is none.
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
   * The piece to be taken first from a place.
   *
   * @param {string} place
   * @returns {TablePiece | undefined}
   */
  top(place) {
    const there = (this.physical?.pieces ?? []).filter((piece) => piece.at === place);
    return there.sort((one, other) => height(one) - height(other)).at(-1);
  }

  /**
   * A piece with those that lie on it, bottom to top.
   *
   * @param {string} id
   * @returns {TablePiece[]}
   */
  withThoseOn(id) {
    const pieces = this.physical?.pieces ?? [];
    const piece = pieces.find((one) => one.id === id);
    if (!piece || piece.at === "held") return [];
    if (!this.isSquare(piece.at)) return [piece];
    const pile = pieces.filter((one) => one.at === piece.at && height(one) >= height(piece));
    return pile.sort((one, other) => height(one) - height(other));
  }

  /**
   * Says something to a screen reader alone.
   *
   * @param {string} text
   */
  aloud(text) {
    put(this.heard, text);
  }
}

/** @param {TablePiece} piece */
const height = (piece) => piece.level ?? piece.slot ?? 0;

/**
 * Opens the virtual table on the page.
 *
 * @param {{
 *   board: import("../board.js").Board, say: Function, state: State, dock: HTMLElement,
 *   physical: Physical | undefined,
 * }} page `physical` came while these scripts were still on their way
 */
export function open({ board, state, dock, physical }) {
  const table = new Table(board, dock);
  table.hear(state);
  if (physical) table.show(physical);
  document.addEventListener("urpi-state", (event) => {
    table.hear(/** @type {CustomEvent} */ (event).detail);
  });
  document.addEventListener("urpi-table", (event) => {
    table.show(/** @type {CustomEvent} */ (event).detail);
  });
}
