/** The dice and the value of the throw. */

import { put, the } from "./elements.js";
import { diceOf, drawDie } from "./dice.js";
import { gettext } from "./translation.js";

/** @param {import("./state.js").State} state */
export function showThrow(state) {
  const dice = diceOf(state);
  const place = the("dice");
  const key = JSON.stringify([dice, document.documentElement.lang]);
  if (place.dataset.key !== key) place.replaceChildren(...dice.map((die) => drawDie(die)));
  place.dataset.key = key;
  put(the("value"), state.throw ? String(state.throw.value) : "");
  the("value").setAttribute("aria-label", state.throw ? gettext("Throw: {value}", { value: state.throw.value }) : "");
}
