/**
 * This page's hand: what it holds, and its orders to the table, one after the other.
 *
 * It knows no rules and asks nobody's leave. What is physically impossible the table refuses; then
 * the hand is empty again and says why.
 */

import { order } from "../send.js";

/** So often is told over which square the hand is, at most. */
const OVER_MS = 90;
const SIGN_MS = 3000;
/** What must come about is said again after so long, when the table was too busy to hear it. */
const AGAIN_MS = 1200;
const TRIES = 5;
const BUSY = 429;
const HANDS = "/api/table/hand";

/** @typedef {import("./physical.js").TablePiece} TablePiece */
/** @typedef {(text: string) => void} Tell */
/** @typedef {{do: string, piece?: string, square?: string | null, to?: string}} Deed */
/**
 * What is held from lifting to putting. What comes late of one grip is nothing to the next.
 *
 * @typedef {{pieces: TablePiece[], ends: boolean, lost: boolean}} Grip
 */

/** A name for this page's hand that no other page has. */
function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Hand {
  /**
   * @param {Tell} tell told in words what went wrong
   * @param {() => void} changed called when it holds other pieces than before
   */
  constructor(tell, changed) {
    this.name = newName();
    this.tell = tell;
    this.changed = changed;
    /** @type {Grip | null} */
    this.grip = null;
    /** @type {string | null} */
    this.over = null;
    this.line = Promise.resolve();
    /** @type {string | null | undefined} */
    this.unsaid = undefined;
    addEventListener("pagehide", () => this.leave());
    setInterval(() => this.holds && this.send({ do: "here" }), SIGN_MS);
  }

  get pieces() {
    return this.grip?.pieces ?? [];
  }

  get holds() {
    return this.grip !== null;
  }

  /**
   * Lifts a piece with what lies on it.
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
   * Is over a square now, or over none. Of several in a moment the newest is told.
   *
   * @param {string | null} square
   */
  goOver(square) {
    if (!this.grip || this.grip.ends || square === this.over) return;
    this.over = square;
    const waits = this.unsaid !== undefined;
    this.unsaid = square;
    if (!waits) setTimeout(() => this.sayOver(), OVER_MS);
  }

  sayOver() {
    const square = this.unsaid;
    this.unsaid = undefined;
    if (this.holds && square !== undefined) void this.send({ do: "over", square });
  }

  /**
   * Puts down what it holds.
   *
   * @param {string} place
   */
  put(place) {
    return this.end({ do: "put", to: place });
  }

  /** Puts back what it holds, where it was lifted. */
  putBack() {
    return this.end({ do: "back" });
  }

  /**
   * Does the last thing with what it holds, once.
   *
   * @param {Deed} deed
   */
  async end(deed) {
    const { grip } = this;
    if (!grip || grip.ends) return;
    grip.ends = true;
    this.unsaid = undefined;
    await this.send(deed);
    this.lose(grip);
  }

  /** Turns over what it holds. */
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

  /** The page goes: what is held goes back at once, and not when the table has waited long enough. */
  leave() {
    if (!this.holds) return;
    const body = JSON.stringify({ hand: this.name, do: "back" });
    const headers = { "Content-Type": "application/json" };
    void fetch(HANDS, { method: "POST", keepalive: true, headers, body }).catch(() => {});
  }

  /**
   * Orders keep their order: what is put was lifted before. Of what was lost nothing more is sent.
   *
   * @param {Deed} deed
   */
  send(deed) {
    const { grip } = this;
    this.line = this.line.then(() => (grip && !grip.lost ? this.ask(deed, grip) : undefined));
    return this.line;
  }

  /**
   * @param {Deed} deed
   * @param {Grip} grip
   */
  async ask(deed, grip) {
    const must = deed.do === "put" || deed.do === "back";
    for (let left = must ? TRIES : 1; left > 0; left--) {
      const answer = await order(HANDS, { hand: this.name, ...deed });
      if (answer.ok) return;
      if (answer.status !== BUSY) return this.fail(answer.error, grip);
      if (must) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /**
   * @param {string} error
   * @param {Grip} grip
   */
  fail(error, grip) {
    this.tell(error);
    this.lose(grip);
  }
}
