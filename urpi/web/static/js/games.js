/** The stored games as a list, newest first, with what chooses among them. */

import { html, the } from "./elements.js";
import { offerLarger } from "./larger.js";
import { resultSaid } from "./results.js";
import { moment, nameOf, say, speak } from "./say.js";
import { ask } from "./send.js";

/** @typedef {import("./results.js").Game} Game */

const FIELDS = ["player", "rules", "since", "until"];
const PAGE = 50;
/** Who types is not asked after at every letter. */
const TYPING_MS = 250;

class GamesPage {
  constructor() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    /** Answers that come after a newer question are not shown. */
    this.asked = 0;
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
    const asked = ++this.asked;
    const query = new URLSearchParams({ ...this.chosen(), limit: String(PAGE) });
    if (before) query.set("before", String(before));
    const answer = await ask(`/api/games?${query}`);
    if (asked !== this.asked) return;
    if (!answer.ok) return void (the("found").textContent = answer.error);
    this.show(answer.data, Boolean(before));
  }

  /**
   * @param {{games: Game[], more: boolean}} found
   * @param {boolean} onTop whether these follow those that are shown
   */
  show({ games, more }, onTop) {
    if (!onTop) this.list.replaceChildren();
    this.list.append(...games.map(item));
    this.more.hidden = !more;
    this.oldest = games.at(-1)?.id ?? 0;
    the("found").textContent = this.list.children.length ? "" : say("No game was found.");
  }
}

/** @param {Game} game */
function item(game) {
  const title = html("span", { class: "players" }, player(game, "light"), " – ", player(game, "dark"));
  const about = [game.name, moment(game.started), say("turns: {turns}", { turns: game.turns })];
  const number = html("span", { class: "number" }, String(game.id));
  const link = html("a", { href: `/games/${game.id}` }, number, title);
  link.append(html("span", { class: "about" }, about.join(" · ")));
  link.append(html("span", { class: `result result-${game.result ?? "open"}` }, resultSaid(game)));
  return html("li", {}, link);
}

/**
 * @param {Game} game
 * @param {import("./state.js").Side} side
 */
function player(game, side) {
  const won = game.result === side;
  return html(won ? "strong" : "span", {}, nameOf(side, game));
}

/** @param {string} id */
const value = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (the(id)).value;

/** @param {string} chosen the rule set that the address names */
async function fillRules(chosen) {
  const answer = await ask("/api/rulesets");
  if (!answer.ok) return;
  for (const { id, name } of answer.data) {
    the("rules").append(html("option", { value: id, selected: id === chosen }, name));
  }
}

/** The choice that the address names, so that a list can be sent to somebody. */
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
  const languages = await ask("/api/languages");
  if (languages.ok) await speak(languages.data.now);
  document.title = `${say("Games")} – urpi`;
  await fillRules(rules);
  await page.fetch();
}

void begin();
