/**
 * The virtual table: the page is the players' hands, and contains no rules.
 *
 * It takes over the board that `main.js` created: pieces are drawn where they physically lie
 * (`drawing.js`), and the actions of the hands are sent to the table, whose switches, hub and referee react to them.
 */

import { html, put, showError } from "../elements.js";
import { gettext } from "../translation.js";
import { post } from "../api.js";
import { shownFace } from "../view.js";
import { Drag } from "./drag.js";
import { Drawing } from "./drawing.js";
import { Hand, SeemsPress } from "./hand.js";
import { Keys, NextMove } from "./keys.js";
import { button, updateLabels, labelled } from "./labels.js";
import { Tray, mayThrow } from "./tray.js";
import { pileOn } from "./physical.js";
import { Selection } from "./selection.js";
import { Tours } from "./tours.js";

/** @typedef {import("./physical.js").Physical} Physical */
/** @typedef {import("../state.js").State} State */

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
    this.hand = new Hand(showError, () => this.onMoved(), (pieces, place) => this.land(pieces, place));
    this.drawing = new Drawing(this);
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
    const hint = labelled(html("p", { class: "act-hint" }), () => gettext("Tap a piece, then the square it goes to; or drag it."));
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
    this.drawing.settle(physical);
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
   * Draws pieces where the hand has put them.
   *
   * @param {import("./physical.js").TablePiece[]} pieces
   * @param {string | null} place null if they are put back
   */
  land(pieces, place) {
    if (place !== null) this.confirms.moved();
    this.drawing.land(pieces, place);
  }

  /** Draws what has moved, and handles the taps and the drag that waited for it. */
  onMoved() {
    this.draw();
    this.selection.handleTaps();
    this.drag.resume();
  }

  /** Shows the pieces, what is selected, and where it may go. */
  draw() {
    if (!this.physical) return;
    this.selection.update();
    this.drawing.draw(this.physical);
  }

  /** @param {string | null} place */
  isSquare(place) {
    return place !== null && this.board.squares.has(place);
  }

  /**
   * Returns the pieces of a place, from bottom to top, or by their slots.
   *
   * @param {string} place
   */
  pile(place) {
    return pileOn(this.physical, place);
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
