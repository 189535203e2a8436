/**
 * The line below the headline: the latest decision; or what settles a move that only seems made, and the seconds until
 * it counts by itself.
 */

import { put, the } from "./elements.js";
import { nextStep } from "./headline.js";

/** @typedef {import("./state.js").State} State */

/** A move that counts sooner by itself needs no explanation. */
const SHORT_MS = 2000;
/** Delay at a virtual table, where the page presses the button after a move of its own player. */
const PRESSES_MS = 1500;

export class LastLine {
  constructor() {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    /** The move that seems made. @type {string | null} */
    this.seems = null;
    this.from = this.until = 0;
  }

  /** @param {State} state */
  show(state) {
    clearInterval(this.timer);
    const left = state.seems_ms ?? 0;
    const now = performance.now();
    if (state.seems !== this.seems) this.from = left < SHORT_MS ? Infinity : now + (state.table === "virtual" ? PRESSES_MS : 0);
    this.seems = state.seems;
    this.until = now + left;
    this.write(state);
    if (state.seems) this.timer = setInterval(() => this.write(state), 250);
  }

  /** @param {State} state */
  write(state) {
    const now = performance.now();
    const step = now < this.from ? "" : nextStep(state, Math.ceil(Math.max(this.until - now, 0) / 1000));
    put(the("last"), state.outcome ? "" : step || (state.last?.text ?? ""));
  }
}
