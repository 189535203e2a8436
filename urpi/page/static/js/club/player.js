/** The page of a club's player: rating, opponents and games. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { GameList } from "../game_list.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, gettext } from "../translation.js";
import { gameItem } from "./game_item.js";
import { ratingChart } from "./rating_chart.js";
import { playerAddress, ratingText } from "./ratings.js";

/**
 * @typedef {{name: string, won: number, drawn: number, lost: number}} Opponent
 * @typedef {import("./ratings.js").Player & {
 *   weeks: import("./rating_chart.js").Week[], opponents: Opponent[], review: Review,
 *   rule_sets: (import("./ratings.js").Player & {rules: string})[],
 * }} PlayerPage
 * @typedef {{about: string, figures: [string, string][], notes: string[]}} Review
 */

/**
 * @param {Node | string} name
 * @param {(string | number)[]} figures
 */
function row(name, figures) {
  const cells = figures.map((figure) => html("td", { class: "right" }, String(figure)));
  return html("tr", {}, html("th", { class: "name", scope: "row" }, name), ...cells);
}

/** @param {Opponent} opponent */
function opponentRow({ name, won, drawn, lost }) {
  return row(html("a", { href: playerAddress(name) }, name), [won, drawn, lost]);
}

/** @param {PlayerPage["rule_sets"][number]} played */
function ruleSetRow({ rules, name, rating, won, drawn, lost }) {
  const link = html("a", { href: `/players?${new URLSearchParams({ rules })}` }, name);
  return row(link, [ratingText(rating), won, drawn, lost]);
}

/**
 * Shows luck and loss, or that the player's games are not reviewed yet.
 *
 * @param {Review} review
 */
function showReview({ about, figures, notes }) {
  const items = figures.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)));
  the("review-figures").replaceChildren(...items);
  put(the("review-about"), about);
  the("review-notes").replaceChildren(...notes.map((note) => html("p", {}, note)));
  the("review-section").hidden = !about;
}

/** @param {PlayerPage} player */
function show(player) {
  document.title = `${player.name} – urpi`;
  put(the("name"), player.name);
  put(the("rating"), ratingText(player.rating));
  put(the("rated"), String(player.rated));
  put(the("games-count"), String(player.games));
  for (const key of /** @type {const} */ (["won", "drawn", "lost"])) put(the(key), String(player[key]));
  the("rule-sets").append(...player.rule_sets.map(ruleSetRow));
  const [first, ...later] = player.weeks;
  if (first && later.length) {
    the("chart").append(ratingChart([first, ...later]));
    the("chart-section").hidden = false;
  }
  showReview(player.review);
  the("opponents").append(...player.opponents.map(opponentRow));
  the("opponents-section").hidden = player.opponents.length === 0;
  the("figures").hidden = false;
}

/**
 * Shows why no player is shown, with a link to the list.
 *
 * @param {string} error
 */
function showError(error) {
  put(the("found"), error);
  the("to-players").hidden = false;
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  const name = new URLSearchParams(location.search).get("name")?.trim();
  put(the("name"), name || gettext("Player"));
  document.title = `${name || gettext("Player")} – urpi`;
  if (!name) return showError(gettext("No player is named in the address."));
  const answer = await get(`/api/player?${new URLSearchParams({ name })}`);
  if (!answer.ok) return showError(answer.error);
  show(answer.data);
  await new GameList({ chosen: { player: answer.data.name } }, gameItem).fetch();
}

void begin();
