/** The page of a game at a club: its replay, and whether it was verified. */

import { put, the } from "../elements.js";
import { openReplay } from "../replay.js";
import { resultText } from "../results.js";
import { chooseLanguage, gettext, moment } from "../translation.js";
import { verdictName, verdictReason } from "./verdicts.js";

/**
 * @typedef {import("../results.js").Game & {
 *   table: string, number: number, verdict: import("./verdicts.js").Verdict, verdict_text: string,
 *   current: boolean,
 * }} ClubGame
 */

/** @param {ClubGame} game */
function show(game) {
  const number = gettext("Game {number} of table {table}", { number: game.number, table: game.table });
  const result = game.verdict === "running" || !game.result ? "" : resultText(game);
  put(the("about"), [game.name, number, moment(game.started), result, verdictName(game.verdict)].filter(Boolean).join(" · "));
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
