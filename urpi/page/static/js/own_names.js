/** The names that were given in this browser, which a new game from it offers again. */

import { load, store } from "./storage.js";

const NAME = "urpi-names";
const SIDES = /** @type {const} */ (["light", "dark"]);

/** @typedef {Record<"light" | "dark", string>} Names */

/**
 * Keeps the names of a new game from this browser.
 *
 * @param {Names} names empty for a side that no person of this browser plays
 */
export function keepNames({ light, dark }) {
  if (light || dark) store(NAME, JSON.stringify({ light, dark }));
}

/**
 * Returns the names to offer: those that this browser gave last, for people whom the last game does not already have
 * on one of its sides.
 *
 * @param {Names} last the names of the last game, empty for a side of the engine
 * @returns {Names}
 */
export function offeredNames(last) {
  const own = read();
  const known = SIDES.map((side) => own[side]).filter(Boolean);
  // The same people may have changed sides.
  if (known.every((name) => name === last.light || name === last.dark)) return last;
  return { light: own.light || last.light, dark: own.dark || last.dark };
}

/** @returns {Names} */
function read() {
  try {
    const { light, dark } = JSON.parse(load(NAME) ?? "{}");
    return { light: String(light ?? ""), dark: String(dark ?? "") };
  } catch {
    return { light: "", dark: "" };
  }
}
