/** A plate for each player: name, turn, and the pieces in hand and off the board. */

import { put, the } from "./elements.js";
import { gettext, nameAndPlace } from "./translation.js";

/** @param {import("./state.js").StepState} state */
export function showPlates(state) {
  for (const side of /** @type {const} */ (["light", "dark"])) {
    const plate = the(`plate-${side}`);
    const turn = state.side === side && state.phase !== "over";
    plate.classList.toggle("plate-turn", turn);
    plate.classList.toggle("plate-won", state.outcome?.side === side);
    put(the(`name-${side}`), nameAndPlace(side, state));
    const start = startThrow(state, side);
    put(the(`turn-${side}`), start || gettext("to play"));
    // On a phone its space is reserved, so that the board does not move when the turn changes.
    the(`turn-${side}`).classList.toggle("turn-other", !turn && !start);
    put(the(`score-${side}`), state.position ? score(state, state.position, side) : "");
  }
}

/**
 * Returns what a side has thrown for the start.
 *
 * @param {import("./state.js").StepState} state
 * @param {import("./state.js").Side} side
 */
function startThrow({ phase, start_throws: throws }, side) {
  const value = phase === "start-throw" ? throws?.[side]?.value : undefined;
  return value === undefined ? "" : gettext("threw {value}", { value });
}

/**
 * Returns what is counted of both sides' pieces, with its label: home, lost, and in hand.
 *
 * @param {import("./state.js").State} state
 * @param {import("./state.js").Position} position
 * @returns {[string, import("./state.js").Counts][]}
 */
export function counted({ rules }, position) {
  /** @type {[string, import("./state.js").Counts]} */
  const hand = [gettext("In hand"), position.hand];
  if (rules?.won_by === "captured") return [[gettext("Lost pieces"), position.off], hand];
  if (rules?.won_by === "forts") return [hand];
  // Translators: Before how many pieces each side has brought home.
  return [[gettext("Home"), position.off], hand];
}

/**
 * Returns the pieces in hand and off the board; off the board means home only in a race.
 *
 * @param {Pick<import("./state.js").State, "rules">} state
 * @param {import("./state.js").Position} position
 * @param {import("./state.js").Side} side
 */
export function score({ rules }, position, side) {
  const [hand, left] = [position.hand[side], position.off[side]];
  if (rules?.won_by === "captured") return gettext("in hand {hand}, lost {lost}", { hand, lost: left });
  if (rules?.won_by === "forts") return gettext("in hand {hand}", { hand });
  return gettext("in hand {hand}, home {home}", { hand, home: left });
}
