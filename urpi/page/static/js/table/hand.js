/**
 * This page's hand: the pieces it holds, and its actions, which are sent to the table in order.
 *
 * It contains no rules. If the table rejects an action as physically impossible, the hand is empty
 * again and the reason is shown.
 */

import { post } from "../api.js";
import { shownFace } from "../view.js";

/** Minimum interval between reports of the square that the hand is over. */
const OVER_MS = 90;
const KEEP_ALIVE_MS = 3000;
/** A landing that the switches show is final after a second without a press. */
const WAIT_MS = 1300;
/** Delay before a put is sent again if the server rejects it for its rate. */
const RETRY_MS = 1200;
const ATTEMPTS = 5;
const BUSY = 429;
const HANDS = "/api/table/hand";

/** @typedef {import("./physical.js").TablePiece} TablePiece */
/** @typedef {(text: string) => void} ShowError */
/** @typedef {{do: string, piece?: string, square?: string | null, to?: string, move?: string}} Action */
/**
 * The pieces that are held from lifting to putting. A late response to one grip must not affect the
 * next one.
 *
 * @typedef {{pieces: TablePiece[], ends: boolean, lost: boolean}} Grip
 */

/** Returns a unique name for this page's hand. */
function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Hand {
  /**
   * @param {ShowError} showError shows an error message
   * @param {() => void} changed called when the held pieces change
   * @param {(pieces: TablePiece[], place: string | null) => void} landed called before the hand lets
   *   go of pieces that it has put on a place, or back with null
   */
  constructor(showError, changed, landed) {
    this.name = newName();
    this.showError = showError;
    this.changed = changed;
    this.landed = landed;
    /** @type {Grip | null} */
    this.grip = null;
    /** @type {string | null} */
    this.over = null;
    this.queue = Promise.resolve();
    /** @type {string | null | undefined} */
    this.unreported = undefined;
    addEventListener("pagehide", () => this.leave());
    setInterval(() => this.holds && this.send({ do: "here" }), KEEP_ALIVE_MS);
  }

  get pieces() {
    return this.grip?.pieces ?? [];
  }

  get holds() {
    return this.grip !== null;
  }

  /** Whether it is putting its pieces down, and the table has not responded yet. */
  get puts() {
    return this.grip?.ends ?? false;
  }

  /**
   * Lifts a piece with the pieces on it.
   *
   * @param {TablePiece[]} pieces the piece and those on it, bottom to top
   */
  lift(pieces) {
    const [lowest] = pieces;
    if (this.holds || !lowest) return;
    this.hold({ pieces, ends: false, lost: false });
    void this.send({ do: "lift", piece: lowest.id });
  }

  /**
   * Moves over a square or off the board. Only the newest of several moves is reported.
   *
   * @param {string | null} square
   */
  goOver(square) {
    if (!this.grip || this.grip.ends || square === this.over) return;
    this.over = square;
    const isScheduled = this.unreported !== undefined;
    this.unreported = square;
    if (!isScheduled) setTimeout(() => this.reportOver(), OVER_MS);
  }

  reportOver() {
    const square = this.unreported;
    this.unreported = undefined;
    if (this.holds && square !== undefined) void this.send({ do: "over", square });
  }

  /**
   * Puts down the held pieces.
   *
   * @param {string} place
   * @param {string} [move] the legal move that this makes; the hand then also takes captured pieces
   *   off, and turns the piece over if the rules do
   */
  put(place, move) {
    return this.end({ do: "put", to: place, ...(move === undefined ? {} : { move }) });
  }

  /** Puts the held pieces back where they were lifted. */
  putBack() {
    return this.end({ do: "back" });
  }

  /**
   * Sends the final action of a grip, once.
   *
   * @param {Action} action
   */
  async end(action) {
    const { grip } = this;
    if (!grip || grip.ends) return;
    grip.ends = true;
    this.unreported = undefined;
    await this.send(action);
    if (!grip.lost) this.landed(grip.pieces, action.to ?? null);
    this.lose(grip);
  }

  /** Turns the held pieces over. */
  turn() {
    if (!this.grip || this.grip.ends) return;
    this.grip.pieces = this.pieces.map((piece) => ({ ...piece, turned: !piece.turned }));
    void this.send({ do: "turn" });
  }

  /** @param {Grip | null} grip */
  hold(grip) {
    this.grip = grip;
    this.over = null;
    this.changed();
  }

  /** @param {Grip} grip */
  lose(grip) {
    grip.lost = true;
    if (this.grip === grip) this.hold(null);
  }

  /** Puts the held pieces back when the page is closed, before the table's timeout does. */
  leave() {
    if (!this.holds) return;
    const body = JSON.stringify({ hand: this.name, do: "back" });
    const headers = { "Content-Type": "application/json" };
    void fetch(HANDS, { method: "POST", keepalive: true, headers, body }).catch(() => {});
  }

  /**
   * Sends an action after the previous ones, unless the grip has been lost meanwhile.
   *
   * @param {Action} action
   */
  send(action) {
    const { grip } = this;
    this.queue = this.queue.then(() => (grip && !grip.lost ? this.sendAction(action, grip) : undefined));
    return this.queue;
  }

  /**
   * @param {Action} action
   * @param {Grip} grip
   */
  async sendAction(action, grip) {
    const must = action.do === "put" || action.do === "back";
    for (let left = must ? ATTEMPTS : 1; left > 0; left--) {
      const answer = await post(HANDS, { hand: this.name, ...action });
      if (answer.ok) return;
      if (answer.status !== BUSY) return this.fail(answer.error, grip);
      if (must) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /**
   * @param {string} error
   * @param {Grip} grip
   */
  fail(error, grip) {
    this.showError(error);
    this.lose(grip);
  }
}

/**
 * Presses the board's button after a move that no switch shows, as a player at the board would: in *Play*,
 * where the board's buttons are not shown, and after a move that this page has made.
 */
export class SeemsPress {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.mine = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Notes that this page has moved a piece. */
  moved() {
    this.mine = true;
  }

  /** @param {import("../state.js").State} state */
  onState({ seems, side, coached }) {
    clearTimeout(this.timer);
    if (!seems || !side || !this.mine || coached || shownFace() !== "play") return;
    this.timer = setTimeout(() => {
      this.mine = false;
      void post("/api/table/button", { side, press: "short" });
    }, WAIT_MS);
  }
}
