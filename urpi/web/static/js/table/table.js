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
import { Drag } from "./drag.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { button, updateLabels, labelled } from "./labels.js";
import { Mishaps } from "./mishaps.js";
import { drawnPieces } from "./physical.js";
import { Seats } from "./seats.js";
import { Tour } from "./tour.js";
import { Tray } from "./tray.js";

/** @typedef {import("./physical.js").Physical} Physical */
/** @typedef {import("./physical.js").TablePiece} TablePiece */
/** @typedef {import("../places.js").Spot} Spot */
/** @typedef {import("../state.js").State} State */

/** Distance above a square at which a held piece is drawn. */
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
    this.hand = new Hand(showError, () => this.draw());
    this.tray = new Tray(showError);
    this.keys = new Keys(this);
    this.drag = new Drag(this);
    this.seats = new Seats(showError);
    this.mishaps = new Mishaps(this);
    this.tour = new Tour(this);
    this.announcer = html("p", { class: "unseen", "aria-live": "polite" });
    this.dark = this.noPower();
    this.lay(dock);
  }

  /** @param {HTMLElement} dock */
  lay(dock) {
    document.querySelector("#dice")?.before(this.tray.felt);
    document.querySelector("#moves-button")?.before(this.tray.button);
    document.querySelector(".oled")?.after(this.seats.panel);
    document.querySelector(".status")?.append(this.dark);
    const tour = button(() => gettext("Tour"), () => this.tour.begin(), { class: "tour-begin" });
    const hint = labelled(html("p", { class: "hint" }), () =>
      gettext("Drag a piece, or Tab to it: Enter lifts and puts, the arrow keys move, Esc puts back."),
    );
    const about = html("div", { class: "about-table" }, hint, tour);
    dock.append(this.announcer, this.keys.rows, about);
    dock.append(html("div", { class: "table-cards" }, this.seats.card, this.mishaps.card));
    dock.append(this.tour.card);
    document.querySelector("#moves-list")?.addEventListener("dblclick", (event) => this.play(event));
    document.querySelector("#moves-list")?.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") void this.play(event);
    });
  }

  /** Creates the panel that is shown without power. */
  noPower() {
    const text = labelled(html("p"), () =>
      gettext("The power is off. Move the pieces about, if you like; then switch it on."),
    );
    const on = button(() => gettext("Switch the power on"), () => this.mishaps.switchPower());
    return html("div", { class: "no-power", role: "alert", hidden: true }, text, on);
  }

  /**
   * Lets the table's own hands play a move from the list.
   *
   * @param {Event} event
   */
  async play(event) {
    const item = event.target instanceof Element ? event.target.closest("[data-move]") : null;
    const move = item?.getAttribute("data-move");
    if (!move) return;
    const answer = await post("/api/table/move", { move });
    if (!answer.ok) showError(answer.error);
  }

  /** @param {Physical} physical */
  show(physical) {
    this.physical = physical;
    this.dark.hidden = physical.power;
    document.body.classList.toggle("powerless", !physical.power);
    this.tray.show(physical.dice);
    this.seats.show(physical);
    this.mishaps.show(physical);
    this.tour.onTable(physical);
    this.draw();
  }

  /** @param {State} state */
  onState(state) {
    if (state.language !== this.language) this.setLanguage(state.language);
    this.tour.onState(state);
  }

  /** @param {string} language */
  setLanguage(language) {
    this.language = language;
    updateLabels();
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
    const there = (this.physical?.pieces ?? []).filter((piece) => piece.at === place);
    return there.sort((one, other) => height(one) - height(other)).at(-1);
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
    const pile = pieces.filter((one) => one.at === piece.at && height(one) >= height(piece));
    return pile.sort((one, other) => height(one) - height(other));
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
