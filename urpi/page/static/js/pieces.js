/** The pieces of a position, their pictures, which drawn piece stands for which, and its way along the squares of its path. */

import { svg } from "./elements.js";

/** @typedef {import("./state.js").Piece} Piece */
/** @typedef {import("./state.js").Side} Side */

const SIDES = /** @type {const} */ (["light", "dark"]);
const STEP_MS = 110;
const MAX_MS = 620;
/** A move along more squares than a throw can have is a correction, and does not follow the path. */
const MAX_STEPS = 7;
const DOTS = [[0, 0], [-5, -5], [5, -5], [-5, 5], [5, 5]];

/**
 * Returns the pieces of a position: on the squares, in hand and home.
 *
 * @param {import("./state.js").Position} position
 * @param {number} of pieces a side
 * @returns {Piece[]}
 */
export function piecesOf(position, of) {
  /** @type {Piece[]} */
  const pieces = [];
  for (const [place, pile] of Object.entries(position.squares)) {
    pile.pieces.forEach((one, level) => pieces.push({ ...one, place, level }));
  }
  for (const side of SIDES) {
    for (let level = 0; level < position.hand[side]; level++) {
      pieces.push({ side, place: `hand:${side}`, level, of });
    }
    for (let level = 0; level < position.off[side]; level++) {
      pieces.push({ side, place: `home:${side}`, level, of, turned: false });
    }
  }
  return pieces;
}

/**
 * Draws a piece with its centre at 0, 0: a disc of shell or dark stone, with dots if turned.
 *
 * @param {Side} side
 */
export function drawPiece(side) {
  const disc = svg("circle", { r: 14, cy: 1.6, class: "ur-edge" });
  const face = svg("circle", { r: 14, class: "ur-face" });
  const ring = svg("circle", { r: 10.6, class: "ur-ring" });
  const dots = DOTS.map(([cx, cy]) => svg("circle", { cx, cy, r: 2, class: "ur-dot" }));
  return svg("g", { class: `ur-piece ur-is-${side}` }, disc, face, ring, ...dots);
}

/**
 * Assigns a drawn piece to every piece: by its own key if it has one, else the drawn piece on the
 * same place, else a free one of the same side, so that a moved piece slides to its new place.
 *
 * @param {Piece[]} pieces
 * @param {Map<string, Piece>} drawn
 * @returns {Map<string, Piece>}
 */
export function matched(pieces, drawn) {
  /** @type {Map<string, Piece>} */
  const named = new Map();
  const free = new Map(drawn);
  /** @type {Piece[]} */
  const moved = [];
  /** @param {string} key @param {Piece} piece */
  const give = (key, piece) => (named.set(key, piece), free.delete(key));
  for (const piece of pieces) {
    const stays = piece.key ?? keyAt(free, piece);
    if (stays) give(stays, piece);
    else moved.push(piece);
  }
  let next = drawn.size;
  for (const piece of moved) {
    const own = [...free.keys()].find((key) => free.get(key)?.side === piece.side);
    give(own ?? newKey(named, drawn, next++), piece);
  }
  return named;
}

/**
 * @param {Map<string, Piece>} drawn
 * @param {Piece} piece
 */
function keyAt(drawn, piece) {
  for (const [key, { side, place, level }] of drawn) {
    if (side === piece.side && place === piece.place && level === piece.level) return key;
  }
  return undefined;
}

/**
 * @param {Map<string, Piece>} named
 * @param {Map<string, Piece>} drawn
 * @param {number} from
 */
function newKey(named, drawn, from) {
  let number = from;
  while (named.has(`piece-${number}`) || drawn.has(`piece-${number}`)) number++;
  return `piece-${number}`;
}

/** @type {Set<Animation>} */
const running = new Set();
// A hand takes a piece where it is drawn, so an animation ends when somebody acts.
for (const name of ["pointerdown", "keydown"]) addEventListener(name, stopSlides, true);

function stopSlides() {
  for (const one of running) one.cancel();
  running.clear();
}

/**
 * Returns the places from one to another along a path, null if the path does not lead there.
 *
 * @param {readonly string[]} path names of squares in their order, which may repeat
 * @param {string} from a square, or `hand:SIDE`
 * @param {string} to a square, or `home:SIDE`
 * @returns {string[] | null}
 */
export function way(path, from, to) {
  const places = ["hand", ...path, "home"];
  const ends = [from, to].map((place) => place.replace(/:.*/, ""));
  for (let first = 0; first < places.length; first++) {
    if (places[first] !== ends[0]) continue;
    const last = places.indexOf(ends[1] ?? "", first + 1);
    if (last < 0 || last - first > MAX_STEPS) continue;
    return [from, ...places.slice(first + 1, last), to];
  }
  return null;
}

/**
 * Animates a piece along some spots; the last one is where it is drawn already. Another animation replaces it.
 *
 * @param {SVGGElement} node
 * @param {import("./places.js").Spot[]} spots at least two
 */
export function slide(node, spots) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const frames = spots.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  const duration = Math.min(STEP_MS * (spots.length - 1) + 160, MAX_MS);
  const animation = node.animate(frames, { duration, easing: "ease-in-out" });
  running.add(animation);
  animation.onfinish = () => running.delete(animation);
}
