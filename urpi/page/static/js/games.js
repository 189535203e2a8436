/** The list of stored games, newest first, with filters. */

import { html } from "./elements.js";
import { GameFilters } from "./game_filters.js";
import { GameList, playerOf } from "./game_list.js";
import { offerLarger } from "./view.js";
import { resultText, startText } from "./results.js";
import { dotted, gettext, setLanguage } from "./translation.js";
import { get } from "./api.js";

/** @param {import("./results.js").Game & {turns: number}} game */
function item(game) {
  const title = html("span", { class: "players" }, playerOf(game, "light"), " – ", playerOf(game, "dark"));
  const about = [game.name, startText(game), gettext("turns: {turns}", { turns: game.turns })];
  const number = html("span", { class: "number" }, String(game.id));
  const link = html("a", { href: `/games/${game.id}` }, number, title);
  link.append(html("span", { class: "about" }, dotted(about)));
  link.append(html("span", { class: `result result-${game.result ?? "open"}` }, resultText(game)));
  return html("li", {}, link);
}

async function begin() {
  offerLarger();
  const filters = new GameFilters(() => void list.fetch());
  const list = new GameList(filters, item, (answer) => filters.offerVirtual(answer.without_virtual));
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  document.title = `${gettext("Games")} – urpi`;
  await filters.fillRules();
  await list.fetch();
}

void begin();
