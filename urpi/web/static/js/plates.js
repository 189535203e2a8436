/** A plate for each player: name, whose turn it is, pieces in hand and those that left the board. */

import { put, the } from "./elements.js";
import { nameOf, say } from "./say.js";

/**
 * @param {import("./state.js").State} state
 */
export function showPlates(state) {
  for (const side of /** @type {const} */ (["light", "dark"])) {
    const plate = the(`plate-${side}`);
    const turn = state.side === side && state.phase !== "over";
    plate.classList.toggle("plate-turn", turn);
    plate.classList.toggle("plate-won", state.outcome?.side === side);
    put(the(`name-${side}`), nameOf(side, state.players));
    put(the(`turn-${side}`), turn ? say("to play") : threw(state, side));
    put(the(`score-${side}`), state.position ? score(state, state.position, side) : "");
  }
}

/**
 * What a side has thrown for who begins.
 *
 * @param {import("./state.js").State} state
 * @param {import("./state.js").Side} side
 */
function threw({ phase, start_throws: throws }, side) {
  const value = phase === "start-throw" ? throws[side]?.value : undefined;
  return value === undefined ? "" : say("threw {value}", { value });
}

/**
 * What left the board is at home only in a race.
 *
 * @param {import("./state.js").State} state
 * @param {import("./state.js").Position} position
 * @param {import("./state.js").Side} side
 */
function score({ rules }, position, side) {
  const [hand, left] = [position.hand[side], position.off[side]];
  if (rules?.won_by === "captured") return say("in hand {hand}, lost {lost}", { hand, lost: left });
  if (rules?.won_by === "forts") return say("in hand {hand}", { hand });
  return say("in hand {hand}, home {home}", { hand, home: left });
}
