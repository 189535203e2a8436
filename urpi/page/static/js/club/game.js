/** The page of a game at a club: its replay, and whether it was verified. */

import { html, put, the } from "../elements.js";
import { openReplay } from "../replay.js";
import { resultText } from "../results.js";
import { chooseLanguage, gettext, moment, playerName } from "../translation.js";
import { playerAddress } from "./ratings.js";
import { verdictName, verdictReason } from "./verdicts.js";

/**
 * @typedef {import("../results.js").Game & {
 *   table: string, number: number, verdict: import("./verdicts.js").Verdict, verdict_text: string,
 *   current: boolean, published: import("../state.js").Side[],
 * }} ClubGame
 */

/**
 * Returns a player's name; one that is published is a link to the player.
 *
 * @param {ClubGame} game
 * @param {import("../state.js").Side} side
 */
function player(game, side) {
  const name = playerName(side, game);
  return game.published.includes(side) ? html("a", { href: playerAddress(name) }, name) : name;
}

/**
 * Returns the number of a game at its table, with a link to the table's games.
 *
 * @param {ClubGame} game
 */
function numberAtTable({ number, table }) {
  const link = html("a", { href: `/games?${new URLSearchParams({ table })}` }, table);
  const [before = "", after = ""] = gettext("Game {number} of table {table}", { number }).split("{table}");
  return [before, link, after];
}

/** @param {ClubGame} game */
function show(game) {
  the("players").replaceChildren(player(game, "light"), " – ", player(game, "dark"));
  const result = game.verdict === "running" || !game.result ? "" : resultText(game);
  const rest = [moment(game.started), result, verdictName(game.verdict)].filter(Boolean);
  the("about").replaceChildren(`${game.name} · `, ...numberAtTable(game), ` · ${rest.join(" · ")}`);
  put(the("verdict"), verdictName(game.verdict));
  the("verdict").classList.add(`verdict-${game.verdict}`);
  put(the("verdict-about"), verdictReason(game.verdict));
  // It comes from the referee, in English.
  const text = the("verdict-text");
  text.hidden = !game.verdict_text || game.verdict === "pruned";
  text.lang = "en";
  put(text, game.verdict_text);
  the("worth").hidden = game.verdict !== "verified";
  the("other-course").hidden = game.current;
  the("live").hidden = game.verdict !== "running";
  the("live").setAttribute("href", `/tables/${game.table}`);
}

const page = await openReplay(chooseLanguage);
if (page) show(/** @type {ClubGame} */ (page.replay.game));
