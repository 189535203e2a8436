/** The results of stored games in words. */

import { moment, playerName, gettext } from "./translation.js";

/**
 * @typedef {{
 *   id: number, started: string, finished: string | null, rules: string, name: string,
 *   light: string, dark: string, result: string | null, program: string, void: boolean, estimated: boolean,
 *   undated: boolean,
 * }} Game
 */

/**
 * Returns when a game began, and whether that is estimated, because the clock was not set, or that it is unknown,
 * because its record does not say it.
 *
 * @param {Game} game
 */
export function startText(game) {
  if (game.undated) return gettext("unknown day");
  const time = moment(game.started);
  return game.estimated ? gettext("{time}, estimated", { time }) : time;
}

/** @param {Game} game */
export function resultText(game) {
  const result = endText(game);
  return game.void ? gettext("{result}, void", { result }) : result;
}

/** @param {Game} game */
function endText(game) {
  switch (game.result) {
    case "light":
    case "dark":
      return gettext("{name} won", { name: playerName(game.result, game) });
    case "draw":
      return gettext("drawn");
    case "abandoned":
      return gettext("abandoned");
    default:
      return game.finished ? gettext("not ended") : gettext("still open");
  }
}
