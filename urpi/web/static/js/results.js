/** How a stored game ended, in words. */

import { nameOf, say } from "./say.js";

/**
 * @typedef {{
 *   id: number, started: string, finished: string | null, rules: string, name: string,
 *   light: string, dark: string, turns: number, result: string | null, program: string,
 * }} Game
 */

/** @param {Game} game */
export function resultSaid(game) {
  switch (game.result) {
    case "light":
    case "dark":
      return say("{name} won", { name: nameOf(game.result, game) });
    case "draw":
      return say("drawn");
    case "abandoned":
      return say("broken off");
    default:
      return game.finished ? say("not ended") : say("still open");
  }
}
