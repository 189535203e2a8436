/** The dice and their pictures: a tetrahedron with its upper tip, or the upper face of a cube. */

import { put, svg, the } from "./elements.js";
import { gettext } from "./translation.js";

const PIPS = /** @type {Record<string, [number, number][]>} */ ({
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
});

/** The tips of a tetrahedron: the CSS class and the name of each. */
const TIPS = /** @type {Record<string, {tip: string, name: () => string}>} */ ({
  g: { tip: "gold", name: () => gettext("gold") },
  s: { tip: "silver", name: () => gettext("silver") },
  "-": { tip: "blank", name: () => gettext("blank") },
});

/**
 * @typedef {{
 *   number?: number, body: "d4" | "d6", face: string | null,
 *   state: "settled" | "rolling" | "waiting",
 * }} Die
 */

/**
 * Returns the dice of a state in the order of their numbers; dice that have not reported wait.
 *
 * @param {import("./state.js").State} state
 * @returns {Die[]}
 */
export function diceOf(state) {
  if (!state.rules) return [];
  const { body } = state.rules.dice;
  const { rolling, waiting, settled } = state.dice;
  const numbers = new Set([...rolling, ...waiting, ...Object.keys(settled).map(Number)]);
  if (!numbers.size && state.throw) return thrown(state.throw.faces, body);
  const all = numbers.size ? [...numbers] : upTo(state.rules.dice.count);
  return all.sort((one, other) => one - other).map((number) => {
    const face = settled[number] ?? null;
    const still = face === null ? "waiting" : "settled";
    return { number, body, face, state: rolling.includes(number) ? "rolling" : still };
  });
}

/**
 * Returns the dice of a throw, none if only its sum is known.
 *
 * @param {string} faces
 * @param {"d4" | "d6"} body
 * @returns {Die[]}
 */
export function thrown(faces, body) {
  if (body === "d4" && /^\d/.test(faces)) return [];
  return [...faces].map((face) => ({ body, face, state: "settled" }));
}

/** @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, place) => place + 1);

/**
 * Returns the name of a tip, or another face of a die unchanged.
 *
 * @param {string} face
 */
export function faceName(face) {
  return TIPS[face]?.name() ?? face;
}

/**
 * @param {Die} die
 * @returns {SVGSVGElement}
 */
export function drawDie(die) {
  const drawn = die.body === "d6" ? cube(die.face) : tetrahedron(die.face);
  const number = die.number === undefined ? [] : [label(String(die.number))];
  const name = { viewBox: "0 0 48 48", role: "img", "aria-label": dieLabel(die) };
  return svg("svg", { ...name, class: `die die-${die.state}` }, ...drawn, ...number);
}

/** @param {Die} die */
function dieLabel({ number, face, state }) {
  const shows =
    state === "rolling" ? gettext("rolls") : face === null ? gettext("to be thrown") : faceName(face);
  return number === undefined ? shows : gettext("Die {number}: {shows}", { number, shows });
}

/** @param {string | null} face */
function tetrahedron(face) {
  const tip = face === null ? "none" : (TIPS[face]?.tip ?? "blank");
  return [
    svg("path", { d: "M24 4L45 41H3z", class: "die-body" }),
    svg("path", { d: "M24 4L24 29L3 41z", class: "die-lit" }),
    svg("path", { d: "M3 41L24 29L45 41z", class: "die-shade" }),
    svg("path", { d: "M24 4V29L3 41M24 29L45 41", class: "die-edge" }),
    svg("path", { d: "M24 18L33.5 34.5H14.5z", class: `die-tip die-${tip}` }),
  ];
}

/** @param {string | null} face */
function cube(face) {
  const body = svg("rect", { x: 5, y: 5, width: 38, height: 38, rx: 8, class: "die-body" });
  const pips = (face && PIPS[face]) || [];
  const dots = pips.map(([x, y]) => svg("circle", { cx: 24 + 10 * x, cy: 24 + 10 * y, r: 3.6 }));
  dots.forEach((dot) => dot.setAttribute("class", "die-pip"));
  return [body, ...dots];
}

/** @param {string} text */
function label(text) {
  const place = { x: 44, y: 12, class: "die-number", "text-anchor": "middle" };
  return svg("text", { ...place, "aria-hidden": "true" }, text);
}

/** The dice that are shown. @type {Die[]} */
let before = [];

/**
 * Draws a die, and lets it tumble if it has just come to rest.
 *
 * @param {Die} die
 */
function drawn(die) {
  const picture = drawDie(die);
  const old = before.find(({ number }) => number === die.number);
  const landed = die.state === "settled" && old && old.state !== "settled";
  if (landed) picture.classList.add("die-landed");
  return picture;
}

/**
 * Shows the dice and the value of the throw.
 *
 * @param {import("./state.js").State} state
 */
export function showThrow(state) {
  const dice = diceOf(state);
  const place = the("dice");
  const key = JSON.stringify([dice, document.documentElement.lang]);
  if (place.dataset.key !== key) place.replaceChildren(...dice.map(drawn));
  place.dataset.key = key;
  before = dice;
  // The overlay has no legend.
  const legend = document.getElementById("dice-legend");
  if (legend) put(legend, state.rules?.dice.binary ? gettext("A gold or a silver tip counts 1.") : "");
  put(the("value"), state.throw ? String(state.throw.value) : "");
  the("value").setAttribute("aria-label", state.throw ? gettext("Throw: {value}", { value: state.throw.value }) : "");
}
