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
    /** @type {TablePiece[]} */
    this.pieces = [];
    /** @type {string | null} */
    this.over = null;
    this.line = Promise.resolve();
    /** @type {string | null | undefined} */
    this.unsaid = undefined;
    addEventListener("pagehide", () => this.leave());
    setInterval(() => this.pieces.length && this.send({ do: "here" }), SIGN_MS);
  }

  get holds() {
    return this.pieces.length > 0;
  }

  /** @param {string} id */
  has(id) {
    return this.pieces.some((piece) => piece.id === id);
  }

  /**
   * Lifts a piece with what lies on it.
   *
   * @param {TablePiece[]} pieces the piece and those on it, bottom to top
   */
  lift(pieces) {
    const [lowest] = pieces;
    if (this.holds || !lowest) return;
    this.hold(pieces);
    this.over = null;
    void this.send({ do: "lift", piece: lowest.id });
  }

  /**
   * Is over a square now, or over none. Of several in a moment the newest is told.
   *
   * @param {string | null} square
   */
  goOver(square) {
    if (!this.holds || square === this.over) return;
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
  async put(place) {
    if (!this.holds) return;
    this.unsaid = undefined;
    await this.send({ do: "put", to: place });
    this.hold([]);
  }

  /** Puts back what it holds, where it was lifted. */
  async putBack() {
    if (!this.holds) return;
    this.unsaid = undefined;
    await this.send({ do: "back" });
    this.hold([]);
  }

  /** Turns over what it holds. */
  turn() {
    if (!this.holds) return;
    this.pieces = this.pieces.map((piece) => ({ ...piece, turned: !piece.turned }));
    void this.send({ do: "turn" });
  }

  /** @param {TablePiece[]} pieces */
  hold(pieces) {
    this.pieces = pieces;
    this.over = null;
    this.changed();
  }

  /** The page goes: what is held goes back at once, and not when the table has waited long enough. */
  leave() {
    if (!this.holds) return;
    const body = JSON.stringify({ hand: this.name, do: "back" });
    const headers = { "Content-Type": "application/json" };
    void fetch(HANDS, { method: "POST", keepalive: true, headers, body }).catch(() => {});
  }

  /**
   * Orders keep their order: what is put was lifted before.
   *
   * @param {Deed} deed
   */
  send(deed) {
    this.line = this.line.then(() => this.ask(deed));
    return this.line;
  }

  /** @param {Deed} deed */
  async ask(deed) {
    const must = deed.do === "put" || deed.do === "back";
    for (let left = must ? TRIES : 1; left > 0; left--) {
      const answer = await order(HANDS, { hand: this.name, ...deed });
      if (answer.ok) return;
      if (answer.status !== BUSY) return this.fail(answer.error);
      if (must) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** @param {string} error */
  fail(error) {
    this.tell(error);
    if (this.holds) this.hold([]);
  }
}
