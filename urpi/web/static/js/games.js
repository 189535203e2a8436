/** The list of stored games, newest first, with filters. */

import { html, the } from "./elements.js";
import { offerLarger } from "./larger.js";
import { resultText } from "./results.js";
import { moment, playerName, gettext, setLanguage } from "./translation.js";
import { get } from "./api.js";

/** @typedef {import("./results.js").Game} Game */

const FIELDS = ["player", "rules", "since", "until"];
const PAGE = 50;
/** The pause in typing after which the search begins. */
const TYPING_MS = 250;

class GamesPage {
  constructor() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    /** Counts requests: responses to older ones are ignored. */
    this.requests = 0;
    this.list = the("games");
    this.more = the("more");
    this.oldest = 0;
    the("search").addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.search(), TYPING_MS);
    });
    the("search").addEventListener("submit", (event) => event.preventDefault());
    this.more.addEventListener("click", () => this.fetch(this.oldest));
  }

  async search() {
    const chosen = new URLSearchParams(this.chosen());
    history.replaceState(null, "", chosen.size ? `?${chosen}` : location.pathname);
    await this.fetch();
  }

  chosen() {
    const fields = FIELDS.map((id) => [id, value(id).trim()]);
    return Object.fromEntries(fields.filter(([, text]) => text));
  }

  /** @param {number} [before] */
  async fetch(before) {
    const request = ++this.requests;
    const query = new URLSearchParams({ ...this.chosen(), limit: String(PAGE) });
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

/** @param {string} id */
const value = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (the(id)).value;

/** @param {string} chosen the rule set in the URL */
async function fillRules(chosen) {
  const answer = await get("/api/rulesets");
  if (!answer.ok) return;
  for (const { id, name } of answer.data) {
    the("rules").append(html("option", { value: id, selected: id === chosen }, name));
  }
}

/** Sets the filters from the URL, so that a list can be shared as a link. */
function fillFields() {
  const chosen = new URLSearchParams(location.search);
  for (const id of FIELDS) {
    /** @type {HTMLInputElement} */ (the(id)).value = chosen.get(id) ?? "";
  }
  return chosen.get("rules") ?? "";
}

async function begin() {
  offerLarger();
  const page = new GamesPage();
  const rules = fillFields();
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  document.title = `${gettext("Games")} – urpi`;
  await fillRules(rules);
  await page.fetch();
}

void begin();
