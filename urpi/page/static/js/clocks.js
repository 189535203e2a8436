/** The game's clocks beside the names. The browser counts down what the newest state says. */

import { put, the } from "./elements.js";

const SIDES = /** @type {const} */ (["light", "dark"]);
/** From here on the time is short: it is marked, and soon has tenths of a second. */
const LOW_MS = 30_000;
const TENTHS_MS = 10_000;

/**
 * Returns a time in minutes and seconds, rounded up, so that it is 0:00 when it is over.
 *
 * @param {number} ms
 * @param {boolean} [hasTenths] whether a short time has tenths of a second
 */
export function clockText(ms, hasTenths = true) {
  const isShort = hasTenths && ms < TENTHS_MS;
  const unit = isShort ? 100 : 1000;
  const tenths = (Math.ceil(ms / unit) * unit) / 100;
  const seconds = Math.floor(tenths / 10);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return isShort ? `${text}.${tenths % 10}` : text;
}

/**
 * Shows the time of a side, and returns it.
 *
 * @param {HTMLElement} shown
 * @param {{left: number | null, runs: boolean, passed: number, tenths?: boolean}} time in milliseconds; without a
 *   time, the side has no clock
 */
export function showTime(shown, { left: from, runs, passed, tenths }) {
  const left = Math.max((from ?? 0) - (runs ? passed : 0), 0);
  shown.hidden = from === null;
  put(shown, clockText(left, tenths));
  shown.classList.toggle("clock-runs", runs);
  shown.classList.toggle("clock-low", left < LOW_MS);
  return left;
}

export class Clocks {
  constructor() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.from = 0;
  }

  /** @param {Pick<import("./state.js").State, "clock">} state */
  show({ clock }) {
    clearTimeout(this.timer);
    this.from = performance.now();
    this.tick(clock);
  }

  /** @param {import("./state.js").GameClock} [clock] */
  tick(clock) {
    const passed = performance.now() - this.from;
    for (const side of SIDES) {
      const runs = clock?.running === side;
      const left = showTime(the(`clock-${side}`), { left: clock?.left_ms[side] ?? null, runs, passed });
      if (!runs || left === 0) continue;
      const unit = left <= TENTHS_MS ? 100 : 1000;
      this.timer = setTimeout(() => this.tick(clock), left % unit || unit);
    }
  }
}
