/** The list of a club's games, newest first, with filters. */

import { get } from "../api.js";
import { html } from "../elements.js";
import { GameFilters } from "../game_filters.js";
import { GameList, playerOf } from "../game_list.js";
import { offerLarger } from "../larger.js";
import { resultText } from "../results.js";
import { gettext, moment, setLanguage } from "../translation.js";
import { VERDICTS, verdictName } from "./verdicts.js";

/** @typedef {import("./game.js").ClubGame} ClubGame */

const FIELDS = ["table", "player", "rules", "verdict", "since", "until"];

/** @param {ClubGame} game */
function item(game) {
  const title = html("span", { class: "players" }, playerOf(game, "light"), " – ", playerOf(game, "dark"));
  const about = [game.name, moment(game.started), gettext("Game {number}", { number: game.number })];
  const link = html("a", { href: `/games/${game.id}` }, html("span", { class: "number" }, game.table), title);
  link.append(html("span", { class: "about" }, about.join(" · ")));
  const result = game.result ? `${resultText(game)} · ` : "";
  const verdict = html("span", { class: `verdict verdict-${game.verdict}` }, verdictName(game.verdict));
  link.append(html("span", { class: "result" }, result, verdict));
  return html("li", {}, link);
}

async function begin() {
  offerLarger();
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  document.title = `${gettext("Games")} – urpi`;
  const filters = new GameFilters(() => void list.fetch(), FIELDS);
  const list = new GameList(filters, item);
  filters.fill("verdict", VERDICTS.map((id) => ({ id, name: verdictName(id) })));
  const tables = await get("/api/tables");
  if (tables.ok) filters.fill("table", tables.data.map((/** @type {string} */ id) => ({ id, name: id })));
  await filters.fillRules();
  await list.fetch();
}

void begin();
