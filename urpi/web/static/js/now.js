/** Now: what the game waits for, in one line that a room can read. */

import { nameOf, say } from "./say.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {State} state
 * @returns {string}
 */
export function nowSaid(state) {
  if (state.outcome) return state.outcome.said;
  const name = state.side ? nameOf(state.side, state.players) : "";
  switch (state.phase) {
    case "set-up":
      return say("Set up the board");
    case "choose-first":
      return say("Who begins?");
    case "start-throw":
      return say("{name} throws for who begins", { name });
    case "throw":
      return state.dice.rolling.length ? say("The dice roll") : say("{name}, throw the dice", { name });
    case "move":
      return moveSaid(state, name);
    default:
      return say("No game is on");
  }
}

/**
 * @param {State} state
 * @param {string} name
 */
function moveSaid(state, name) {
  const value = state.throw?.value ?? 0;
  if (state.seems) return say("{name} seems to have moved", { name });
  return say("{name}, move {value}", { name, value });
}

/**
 * Which squares to put right: a warning's, or those that the set-up still needs.
 *
 * @param {State} state
 * @returns {{fill: string[], clear: string[]}}
 */
export function toMend(state) {
  const { fill, clear } = state.warning ?? state;
  return { fill, clear };
}
