/** Formats and tie-breaks of tournaments, in words. */

import { dotted, gettext, list } from "../translation.js";

/**
 * @typedef {"round-robin" | "swiss" | "knockout"} Format
 * @typedef {"buchholz" | "sonneborn-berger" | "direct-encounter" | "wins" | "game-points"} TieBreak
 * @typedef {{
 *   id: number, name: string, format: Format, rules: string | null, planned: number, begun: number,
 *   over: boolean, winners: string[], players: number, games: number, boards: number,
 *   teams: number, created: string,
 * }} Tournament
 */

const FORMATS = /** @type {Record<Format, () => string>} */ ({
  "round-robin": () => gettext("Round robin"),
  swiss: () => gettext("Swiss system"),
  knockout: () => gettext("Knockout"),
});
const TIE_BREAKS = /** @type {Record<TieBreak, {name: () => string, meaning: () => string}>} */ ({
  buchholz: {
    name: () => gettext("Buchholz"),
    meaning: () => gettext("Buchholz: the sum of the opponents' points."),
  },
  "sonneborn-berger": {
    name: () => gettext("Sonneborn-Berger"),
    meaning: () => gettext("Sonneborn-Berger: the points of beaten opponents, and half of those of drawn ones."),
  },
  "direct-encounter": {
    name: () => gettext("Direct encounter"),
    meaning: () => gettext("Direct encounter: the points among tied players, if all of them have met."),
  },
  wins: {
    name: () => gettext("Won games"),
    meaning: () => gettext("Won games: without byes."),
  },
  "game-points": {
    name: () => gettext("Game points"),
    meaning: () => gettext("Game points: the points in all games of the matches."),
  },
});

/** All tie-breaks. */
export const tieBreaks = () => /** @type {TieBreak[]} */ (Object.keys(TIE_BREAKS));

/** @param {TieBreak} tieBreak */
export const tieBreakName = (tieBreak) => TIE_BREAKS[tieBreak].name();

/** @param {TieBreak} tieBreak */
export const tieBreakMeaning = (tieBreak) => TIE_BREAKS[tieBreak].meaning();

/**
 * Returns what a tournament is, in one line.
 *
 * @param {Tournament} tournament
 */
export function aboutText({ format, players, begun, planned, over, rules, games, teams }) {
  const texts = [FORMATS[format](), ...(teams ? [gettext("teams: {number}", { number: teams })] : []), gettext("players: {players}", { players })];
  if (over) texts.push(gettext("finished"));
  else if (begun) texts.push(gettext("round {number} of {all}", { number: begun, all: planned }));
  else texts.push(gettext("rounds: {number}", { number: planned }));
  if (games > 1) texts.push(gettext("games of each pairing: {number}", { number: games }));
  if (rules) texts.push(rules);
  return dotted(texts);
}

/**
 * Returns who has won a tournament, empty before it is finished.
 *
 * @param {Tournament} tournament
 */
export function winnersText({ winners }) {
  return winners.length ? gettext("Won by {names}", { names: list(winners) }) : "";
}
