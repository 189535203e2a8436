/** Parses positions (docs/design/FORMATS.md, Positions). */

/** @typedef {import("./state.js").Position} Position */
/** @typedef {import("./state.js").Pile} Pile */

/**
 * Parses a position: `RULES BOARD HANDS OFF TURN`.
 *
 * @param {string} text
 * @returns {Position}
 */
export function positionOf(text) {
  const [, board = "-", hand = "", off = ""] = text.split(" ");
  const piles = board === "-" ? [] : board.split(",").map((one) => one.split(":"));
  const squares = Object.fromEntries(piles.map(([name, pile]) => [name, pileOf(pile ?? "")]));
  return { text, squares, hand: countsOf(hand), off: countsOf(off) };
}

/**
 * @param {string} text
 * @returns {Pile}
 */
function pileOf(text) {
  const pieces = [...text.matchAll(/([LD])('?)/g)].map(([, letter, mark]) => ({
    side: letter === "L" ? /** @type {const} */ ("light") : /** @type {const} */ ("dark"),
    turned: mark === "'",
  }));
  return { side: pieces.at(-1)?.side ?? "light", count: pieces.length, pieces };
}

/** @param {string} text such as L7D5 */
function countsOf(text) {
  const [, light = "0", dark = "0"] = text.match(/L(\d+)D(\d+)/) ?? [];
  return { light: Number(light), dark: Number(dark) };
}
