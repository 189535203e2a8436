/** A position that is being set up: the piles, the pieces at home, and who throws. The hands have the rest. */

import { positionOf } from "./positions.js";

/** @typedef {import("./state.js").Side} Side */
/**
 * @typedef {{
 *   rules: import("./state.js").Rules, squares: Record<string, {pieces: string[], piles: boolean}>,
 *   leave: boolean, extra: boolean,
 * }} Setup what the squares of a rule set can hold
 */

const SIDES = /** @type {const} */ (["light", "dark"]);

export class SetUpPosition {
  /** @param {Setup} setup */
  constructor(setup) {
    this.setup = setup;
    /** The pieces on each square from bottom to top, each as in a position's text. @type {Record<string, string[]>} */
    this.piles = {};
    /** @type {Record<Side, number>} */
    this.home = { light: 0, dark: 0 };
    this.turn = "L";
    this.extra = false;
  }

  clear() {
    this.piles = {};
    this.home = { light: 0, dark: 0 };
  }

  /** @param {string} text a position; pieces that these rules do not have, or not there, are left out */
  load(text) {
    const [, , , , turn = "L"] = text.split(" ");
    const { squares, off } = positionOf(text);
    this.clear();
    for (const [name, { pieces }] of Object.entries(squares)) {
      const { pieces: possible, piles } = this.uses(name);
      const found = pieces.map(({ side, turned }) => letterOf(side) + (turned ? "'" : ""));
      this.piles[name] = found.filter((one) => possible.includes(one)).slice(0, piles ? undefined : 1);
    }
    if (this.setup.leave) this.home = off;
    this.turn = turn[0] === "D" ? "D" : "L";
    this.extra = turn.endsWith("*") && this.setup.extra;
    for (const side of SIDES) this.leaveOut(side);
  }

  /** @param {Side} side whose pieces are reduced to as many as it has */
  leaveOut(side) {
    const letter = letterOf(side);
    for (const pile of Object.values(this.piles)) {
      while (this.hand(side) < 0 && pile.at(-1)?.[0] === letter) pile.pop();
    }
    this.home[side] = Math.max(0, this.home[side] + Math.min(0, this.hand(side)));
  }

  /** @param {string} name */
  uses(name) {
    return this.setup.squares[name] ?? { pieces: [], piles: false };
  }

  /** @param {string} name */
  pile(name) {
    return this.piles[name] ?? [];
  }

  /** @param {Side} side */
  hand(side) {
    const onBoard = Object.values(this.piles).flat().filter((piece) => piece[0] === letterOf(side)).length;
    return this.setup.rules.pieces - onBoard - this.home[side];
  }

  /**
   * Puts the next piece that a square can hold in place of its top one; after the last one comes none.
   *
   * @param {string} name
   */
  next(name) {
    const pile = this.pile(name);
    const top = pile.at(-1);
    const { pieces } = this.uses(name);
    const below = pile.slice(0, -1);
    this.piles[name] = below;
    const following = pieces.slice(top ? pieces.indexOf(top) + 1 : 0);
    const piece = following.find((one) => this.takeFor(one));
    if (piece) this.piles[name] = [...below, piece];
  }

  /** @param {string} name puts one more piece like the top one on it */
  more(name) {
    const pile = this.pile(name);
    const wanted = [pile.at(-1), ...this.uses(name).pieces];
    const piece = wanted.find((one) => one && this.takeFor(one));
    if (piece) this.piles[name] = [...pile, piece];
  }

  /** @param {string} name */
  fewer(name) {
    this.piles[name] = this.pile(name).slice(0, -1);
  }

  /**
   * Returns whether a side has another piece: in hand, or at home, from where it then comes.
   *
   * @param {string} piece
   */
  takeFor(piece) {
    const side = piece[0] === "L" ? "light" : "dark";
    if (this.hand(side) > 0) return true;
    if (this.home[side] === 0) return false;
    this.home[side]--;
    return true;
  }

  /**
   * Moves pieces from the hand home, or back.
   *
   * @param {Side} side
   * @param {1 | -1} by
   */
  bringHome(side, by) {
    const can = by > 0 ? this.setup.leave && this.hand(side) > 0 : this.home[side] > 0;
    if (can) this.home[side] += by;
  }

  /** Returns the text form (docs/design/FORMATS.md, Positions). */
  get text() {
    const names = Object.keys(this.piles).filter((name) => this.pile(name).length).sort();
    const board = names.map((name) => `${name}:${this.pile(name).join("")}`).join(",") || "-";
    const hands = `L${this.hand("light")}D${this.hand("dark")}`;
    const off = `L${this.home.light}D${this.home.dark}`;
    return [this.setup.rules.text, board, hands, off, this.turn + (this.extra ? "*" : "")].join(" ");
  }
}

/** @param {Side} side */
const letterOf = (side) => (side === "light" ? "L" : "D");
