/**
 * The way of a piece that has moved, as an animation along the squares of its path. The piece is
 * drawn at its new place at once; the animation only begins elsewhere, and another one replaces it.
 */

/** @typedef {import("./places.js").Spot} Spot */

const STEP_MS = 110;
const MAX_MS = 620;
/** A move along more squares than a throw can have is a correction, and does not follow the path. */
const MAX_STEPS = 7;

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
 * Animates a piece along some spots; the last one is where it is drawn.
 *
 * @param {SVGGElement} node
 * @param {Spot[]} spots at least two
 */
export function slide(node, spots) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const frames = spots.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  const duration = Math.min(STEP_MS * (spots.length - 1) + 160, MAX_MS);
  const animation = node.animate(frames, { duration, easing: "ease-in-out" });
  running.add(animation);
  animation.onfinish = () => running.delete(animation);
}
