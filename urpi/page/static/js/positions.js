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

/**
 * Returns what was to be decided at a step of a replay: the position, and if there was one, the throw
 * with the move that was played.
 *
 * @param {import("./replay.js").Frame[]} frames
 * @param {number} at
 * @returns {{position: string, faces?: string, move?: string}}
 */
export function decisionAt(frames, at) {
  const frame = frames[at];
  if (!frame) return { position: "" };
  // After the last move, as at every move, it is that move.
  const isAfter = frame.kind === "move" || frame.position.endsWith("=");
  const from = isAfter ? frames.findLastIndex(({ kind }, step) => step < at && kind === "roll") : at;
  const thrown = frames[from] ?? frame;
  if (thrown.kind !== "roll" || !thrown.throw) return { position: frame.position };
  const played = frames.find(({ kind }, step) => step > from && kind === "move")?.move?.move;
  return { position: thrown.position, faces: thrown.throw.faces, ...(played ? { move: played } : {}) };
}

/**
 * Links to the game that begins from a position, unless it is over there; a club's page has no such link.
 *
 * @param {HTMLElement | null} link
 * @param {string} position
 */
export function offerPlay(link, position) {
  link?.setAttribute("href", `/setup?${new URLSearchParams({ position })}`);
  link?.toggleAttribute("hidden", position.endsWith("="));
}
