/** The list of a club's players, by rating. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { GameFilters } from "../game_filters.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, day, gettext } from "../translation.js";
import { playerAddress, ratingText } from "./ratings.js";

/**
 * @param {import("./ratings.js").Player} player
 * @param {number} index
 */
function row(player, index) {
  const place = player.rating ? String(index + 1) : "";
  const link = html("a", { href: playerAddress(player.name) }, player.name);
  /** @param {string | number} value */
  const cell = (value, more = true) => html("td", { class: more ? "right more" : "right" }, String(value));
  return html(
    "tr",
    {},
    html("td", { class: "rank" }, place),
    html("th", { class: "name", scope: "row" }, link),
    cell(ratingText(player.rating), false),
    cell(player.games, false),
    ...[player.won, player.drawn, player.lost, day(player.last)].map((value) => cell(value)),
  );
}

/**
 * Shows the players of all games, or of those of one rule set.
 *
 * @param {GameFilters} filters
 */
async function fetchPlayers(filters) {
  const query = String(new URLSearchParams(filters.chosen));
  const answer = await get(`/api/players?${query}`);
  // Another rule set may have been chosen meanwhile.
  if (query !== String(new URLSearchParams(filters.chosen))) return;
  if (!answer.ok) return put(the("found"), answer.error);
  const players = answer.data.players;
  the("rows").replaceChildren(...players.map(row));
  the("players").hidden = players.length === 0;
  the("notes").hidden = false;
  put(the("found"), players.length ? "" : gettext("No player has a verified game and a published name yet."));
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Players")} – urpi`;
  const filters = new GameFilters(() => void fetchPlayers(filters), ["rules"]);
  await filters.fillRules();
  await fetchPlayers(filters);
}

void begin();
