/** A game in a list of a club's games. */

import { html } from "../elements.js";
import { playerOf } from "../game_list.js";
import { resultText } from "../results.js";
import { dotted, gettext, moment } from "../translation.js";
import { verdictName } from "./verdicts.js";

/** @param {import("./game.js").ClubGame} game */
export function gameItem(game) {
  const title = html("span", { class: "players" }, playerOf(game, "light"), " – ", playerOf(game, "dark"));
  const about = [game.name, moment(game.started), gettext("Game {number}", { number: game.number })];
  const link = html("a", { href: `/games/${game.id}` }, html("span", { class: "number" }, game.table), title);
  link.append(html("span", { class: "about" }, dotted(about)));
  const result = game.result ? `${resultText(game)} · ` : "";
  const verdict = html("span", { class: `verdict verdict-${game.verdict}` }, verdictName(game.verdict));
  const rated = game.missing.length ? ` · ${gettext("not rated")}` : "";
  link.append(html("span", { class: "result" }, result, verdict, rated));
  return html("li", {}, link);
}
