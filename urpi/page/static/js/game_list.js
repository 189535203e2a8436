/** A list of stored games, newest first, which continues on request. */

import { get } from "./api.js";
import { html, the } from "./elements.js";
import { gettext, isolated, playerName } from "./translation.js";

/** @typedef {import("./results.js").Game} Game */

const PAGE = 50;

export class GameList {
  /**
   * @param {{chosen: Record<string, string>}} filters
   * @param {(game: any) => HTMLElement} item returns the item of a game
   * @param {(answer: any) => void} onAnswer called with each answer that is shown
   */
  constructor(filters, item, onAnswer = () => {}) {
    this.filters = filters;
    this.item = item;
    this.onAnswer = onAnswer;
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
    if (!answer.ok) {
      if (!before) this.list.replaceChildren();
      return void (the("found").textContent = answer.error);
    }
    this.onAnswer(answer.data);
    this.show(answer.data, Boolean(before));
  }

  /**
   * @param {{games: Game[], more: boolean}} found
   * @param {boolean} more whether the games are added to those that are shown
   */
  show({ games, more: hasMore }, more) {
    if (!more) this.list.replaceChildren();
    this.list.append(...games.map(this.item));
    this.more.hidden = !hasMore;
    this.oldest = games.at(-1)?.id ?? 0;
    the("found").textContent = this.list.children.length ? "" : gettext("No games found.");
  }
}

/**
 * Returns the name of a game's player, emphasised if the player won.
 *
 * @param {Game} game
 * @param {import("./state.js").Side} side
 */
export function playerOf(game, side) {
  const won = game.result === side;
  return html(won ? "strong" : "span", {}, isolated(playerName(side, game)));
}
