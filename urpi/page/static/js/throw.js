/** The dice and the value of the throw. */

import { put, the } from "./elements.js";
import { diceOf, drawDie } from "./dice.js";
import { gettext } from "./translation.js";

/** @type {import("./dice.js").Die[]} */
let before = [];

/**
 * Draws a die, and lets it tumble if it has just come to rest.
 *
 * @param {import("./dice.js").Die} die
 */
function drawn(die) {
  const picture = drawDie(die);
  const old = before.find(({ number }) => number === die.number);
  const landed = die.state === "settled" && old && old.state !== "settled";
  if (landed) picture.classList.add("die-landed");
  return picture;
}

/** @param {import("./state.js").State} state */
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
