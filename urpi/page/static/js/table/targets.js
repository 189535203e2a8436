/**
 * Where the pieces in a hand may go: the targets of the legal moves that the referee listed, and the
 * places that wait for a piece. It contains no rules.
 *
 * @typedef {import("../state.js").State} State
 * @typedef {import("../state.js").Side} Side
 * @typedef {import("./physical.js").Physical} Physical
 * @typedef {import("./physical.js").TablePiece} TablePiece
 */

/** @param {TablePiece} piece */
export const placeOf = (piece) => (piece.at === "held" ? (piece.from ?? "aside") : piece.at);

/**
 * Returns the places where a group of pieces may be put, each with the text of the move, or with
 * null if the piece is only put back where it belongs.
 *
 * @param {State} state
 * @param {Physical} physical
 * @param {TablePiece[]} group bottom to top
 * @returns {Map<string, string | null>}
 */
export function targetsOf(state, physical, group) {
  /** @type {Map<string, string | null>} */
  const targets = new Map();
  const top = group.at(-1);
  if (!top || !state.position) return targets;
  const origins = originsOf(state, physical, top);
  for (const place of origins) if (place !== placeOf(top)) targets.set(place, null);
  if (state.side !== top.side) return targets;
  for (const { move, from, to } of simplestFirst(state.legal)) {
    const texts = move.split(",");
    from.forEach((origin, part) => {
      const place = placeName(to[part] ?? "", top.side);
      const fits = origins.includes(placeName(origin, top.side)) && texts[part]?.endsWith("*") === group.length > 1;
      if (fits && !targets.get(place) && !isBlocked(physical, place, group)) targets.set(place, move);
    });
  }
  return targets;
}

/**
 * Returns the moves with those of one piece first.
 *
 * @param {State["legal"]} legal
 */
const simplestFirst = (legal) => [...legal].sort((one, other) => one.from.length - other.from.length);

/**
 * Returns the places from which a piece may play: where it lies, or, if it does not belong there,
 * those that lack a piece of its side.
 *
 * @param {State} state
 * @param {Physical} physical
 * @param {TablePiece} piece
 * @returns {string[]}
 */
function originsOf(state, physical, piece) {
  const place = placeOf(piece);
  const { side } = piece;
  const missing = (/** @type {string} */ name) => expected(state, name, side) - found(physical, name, side);
  if (place !== "aside" && missing(place) >= 0) return [place];
  const squares = Object.keys(state.position?.squares ?? {});
  return [...squares, `hand:${side}`].filter((name) => missing(name) > 0);
}

/**
 * @param {State} state
 * @param {string} place
 * @param {Side} side
 */
function expected({ position }, place, side) {
  if (!position) return 0;
  const [row] = place.split(":");
  if (row === "hand" || row === "home") return place.endsWith(side) ? position[row === "hand" ? "hand" : "off"][side] : 0;
  return position.squares[place]?.pieces.filter((piece) => piece.side === side).length ?? 0;
}

/**
 * @param {Physical} physical
 * @param {string} place
 * @param {Side} side
 */
function found({ pieces }, place, side) {
  return pieces.filter((piece) => piece.side === side && placeOf(piece) === place).length;
}

/**
 * Whether an own piece stands in the way, where there are no piles.
 *
 * @param {Physical} physical
 * @param {string} place
 * @param {TablePiece[]} group
 */
function isBlocked({ piles, pieces }, place, group) {
  if (piles || place.includes(":")) return false;
  const names = group.map(({ id }) => id);
  return pieces.some(({ id, at, side }) => at === place && side === group[0]?.side && !names.includes(id));
}

/**
 * Returns the board's name of a move's origin or target.
 *
 * @param {string} place
 * @param {Side} side
 */
function placeName(place, side) {
  if (place === "hand") return `hand:${side}`;
  return place === "off" ? `home:${side}` : place;
}

/**
 * Returns how many pieces a player would lift first from a pile: the top one, or with the enemies
 * right under it if only such moves are legal.
 *
 * @param {State} state
 * @param {TablePiece[]} pile bottom to top
 */
export function usualCount({ legal, side }, pile) {
  const top = pile.at(-1);
  if (!top || top.side !== side || pile.length === 1) return 1;
  const texts = legal.flatMap(({ move }) => move.split(",")).filter((part) => part.startsWith(placeOf(top)));
  if (!texts.length || !texts.every((part) => part.endsWith("*"))) return 1;
  const below = pile.slice(0, -1).reverse();
  const own = below.findIndex((piece) => piece.side === top.side);
  return 1 + (own < 0 ? below.length : own);
}
