/** The coach: a better move than the last one, until the next dice are thrown. */

import { put, the } from "./elements.js";
import { programThrows } from "./headline.js";
import { mayTakeBack } from "./take_back.js";
import { gettext, percent } from "./translation.js";

/** @typedef {import("./state.js").State} State */

/** @param {State} state */
export function showCoach(state) {
  const { coached } = state;
  the("coach").hidden = !coached;
  if (!coached) return;
  put(the("coach-text"), `${coached.text} (+${percent(coached.loss / 100)})`);
  put(the("coach-what"), whatNow(state));
  the("coach-take-back").hidden = !mayTakeBack(state) || !state.may_act;
}

/**
 * Returns what the player can do now. A move that may stay is continued by a throw, of the player or of
 * the program.
 *
 * @param {State} state
 */
function whatNow(state) {
  const program = programThrows(state);
  if (!state.takeback && !state.seems) return program ? "" : gettext("Throw on.");
  if (program) return gettext("Put the piece back to play it, or let the program throw.");
  return gettext("Put the piece back to play it, or throw on.");
}
