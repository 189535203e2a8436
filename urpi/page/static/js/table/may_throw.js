/** Whether a player's hands throw next at a virtual table. */

import { waitsForThrow } from "../headline.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("./physical.js").Physical} Physical */

/**
 * Whether a throw of this table's people is what the game waits for: not without power, during a
 * warning or a question, while dice roll, or where the program or a simulated player throws.
 *
 * @param {State} state
 * @param {Physical} physical
 */
export function mayThrow(state, { power, dice, players }) {
  if (!power || state.warning || state.question || !waitsForThrow(state)) return false;
  if (dice.some(({ state: now }) => now === "rolls")) return false;
  const side = state.seems && state.side ? (state.side === "light" ? "dark" : "light") : state.side;
  if (side === null) return true;
  const isEngine = state.seats[side] !== "person";
  return state.seats[side] !== "remote" && players[side] === "hands" && !(isEngine && state.engine_throws === "program");
}
