/** The dice as they show, and what the throw counts. */

import { put, the } from "./elements.js";
import { diceOf, drawDie } from "./dice.js";
import { say } from "./say.js";

/** @param {import("./state.js").State} state */
export function showThrow(state) {
  const dice = diceOf(state);
  const place = the("dice");
  const key = JSON.stringify([dice, document.documentElement.lang]);
  if (place.dataset.key !== key) place.replaceChildren(...dice.map((die) => drawDie(die)));
  place.dataset.key = key;
  put(the("value"), state.throw ? String(state.throw.value) : "");
  the("value").setAttribute("aria-label", state.throw ? say("Throw: {value}", { value: state.throw.value }) : "");
}
