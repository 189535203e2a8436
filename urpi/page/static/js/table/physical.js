/**
 * The document of the virtual table: its piles, and where each of its pieces is drawn.
 *
 * @typedef {import("../state.js").Side} Side
 * @typedef {{
 *   id: string, side: Side, turned: boolean, at: string, level?: number, slot?: number,
 *   by?: string, over?: string | null, from?: string,
 * }} TablePiece
 * @typedef {{die: number, state: "lies" | "leans" | "rolls", face: string}} TableDie
 * @typedef {{
 *   rules: string, piles: boolean, faces: boolean, pieces: TablePiece[], dice: TableDie[],
 *   closed: string[], faults: Record<string, string>, buttons: Side[],
 *   players: Record<Side, "hands" | "simulated">, hub: boolean, power: boolean, speed: number,
 *   lesson: boolean,
 * }} Physical
 *
 * @typedef {import("../state.js").Piece} Piece
 * @typedef {import("../places.js").Spot} Spot
 */

/** Pieces that lie aside are drawn where the wood is cut out beside the bridge. */
const ASIDE = { light: ["A4", "A7"], dark: ["C4", "C7"] };
const PITCH = 40;
const ROOM = 44;
const LIFTED = 9;
const NEXT = 9;

/**
 * Returns the pieces to draw; `held` has the positions of those in this page's hand.
 *
 * @param {Physical} table
 * @param {import("../board.js").Board} board
 * @param {Map<string, Spot>} held
 * @returns {Piece[]}
 */
export function drawnPieces(table, board, held) {
  const of = Math.max(table.pieces.length / 2, 7);
  return table.pieces.map((piece) => {
    const { id: key, side, turned } = piece;
    const own = held.get(key);
    if (own) return { key, side, turned, place: "free", level: 50 + (piece.level ?? 0), ...own };
    if (piece.at === "held") return { key, side, turned, ...inAnotherHand(piece, board) };
    if (piece.at === "aside") return { key, side, turned, ...aside(piece, board) };
    return { key, side, turned, place: piece.at, level: piece.level ?? piece.slot ?? 0, of };
  });
}

/**
 * @param {TablePiece} piece
 * @param {import("../board.js").Board} board
 */
function inAnotherHand({ over, from, side, level }, board) {
  const place = over ?? (from && from !== "aside" ? from : `hand:${side}`);
  const spot = board.spot(place, level);
  return { place: "free", level: 40 + (level ?? 0), x: spot.x + 3, y: spot.y - LIFTED };
}

/**
 * @param {TablePiece} piece
 * @param {import("../board.js").Board} board
 */
function aside({ side, slot = 0 }, board) {
  const [before, after] = ASIDE[side].map((square) => board.spot(square));
  const start = (before?.x ?? 0) + PITCH / 2 + 16;
  const room = (after?.x ?? 0) - PITCH / 2 - 16 - start;
  const x = start + Math.min((slot * NEXT) % ROOM, room);
  return { place: "free", level: slot, x, y: (before?.y ?? 0) + (slot % 2 ? 5 : -3) };
}

/**
 * Returns the pieces of a place, from bottom to top, or by their slots.
 *
 * @param {Physical | null} table
 * @param {string} place
 */
export function pileOn(table, place) {
  const there = (table?.pieces ?? []).filter(({ at }) => at === place);
  return there.sort((one, other) => height(one) - height(other));
}

/**
 * Returns a piece with the pieces on it, from bottom to top.
 *
 * @param {Physical | null} table
 * @param {string} id
 * @returns {TablePiece[]}
 */
export function withThoseOn(table, id) {
  const piece = table?.pieces.find((one) => one.id === id);
  if (!piece || piece.at === "held") return [];
  if (piece.level === undefined) return [piece];
  return pileOn(table, piece.at).filter((one) => height(one) >= height(piece));
}

/** @param {TablePiece} piece */
const height = ({ level, slot }) => level ?? slot ?? 0;
