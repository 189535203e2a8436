/** The list of stored games, newest first, with filters. */

import { html, the } from "./elements.js";
import { GameFilters } from "./game_filters.js";
import { offerLarger } from "./larger.js";
import { resultText } from "./results.js";
import { moment, playerName, gettext, setLanguage } from "./translation.js";
import { get } from "./api.js";

/** @typedef {import("./results.js").Game} Game */

const PAGE = 50;

class GamesPage {
  constructor() {
    this.filters = new GameFilters(() => void this.fetch());
    /** Counts requests: responses to older ones are ignored. */
    this.requests = 0;
    this.list = the("games");
    this.more = the("more");
    this.oldest = 0;
    this.more.addEventListener("click", () => this.fetch(this.oldest));
  }

  /** @param {number} [before] */
  async fetch(before) {
    const request = ++this.requests;
    const query = new URLSearchParams({ ...this.filters.chosen, limit: String(PAGE) });
    if (before) query.set("before", String(before));
    const answer = await get(`/api/games?${query}`);
    if (request !== this.requests) return;
    if (!answer.ok) return void (the("found").textContent = answer.error);
    this.show(answer.data, Boolean(before));
  }

  /**
   * @param {{games: Game[], more: boolean}} found
   * @param {boolean} more whether the games are added to those that are shown
   */
  show({ games, more: hasMore }, more) {
    if (!more) this.list.replaceChildren();
    this.list.append(...games.map(item));
    this.more.hidden = !hasMore;
    this.oldest = games.at(-1)?.id ?? 0;
    the("found").textContent = this.list.children.length ? "" : gettext("No game was found.");
  }
}

/** @param {Game} game */
function item(game) {
  const title = html("span", { class: "players" }, player(game, "light"), " – ", player(game, "dark"));
  const about = [game.name, moment(game.started), gettext("turns: {turns}", { turns: game.turns })];
  const number = html("span", { class: "number" }, String(game.id));
  const link = html("a", { href: `/games/${game.id}` }, number, title);
  link.append(html("span", { class: "about" }, about.join(" · ")));
  link.append(html("span", { class: `result result-${game.result ?? "open"}` }, resultText(game)));
  return html("li", {}, link);
}

/**
 * @param {Game} game
 * @param {import("./state.js").Side} side
 */
function player(game, side) {
  const won = game.result === side;
  return html(won ? "strong" : "span", {}, playerName(side, game));
}

async function begin() {
  offerLarger();
  const page = new GamesPage();
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  document.title = `${gettext("Games")} – urpi`;
  await page.filters.fillRules();
  await page.fetch();
}

void begin();
