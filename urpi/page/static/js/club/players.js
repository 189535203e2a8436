/** The list of a club's players, by rating. */

import { get } from "../api.js";
import { html, the } from "../elements.js";
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

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Players")} – urpi`;
  const answer = await get("/api/players");
  if (!answer.ok) return void (the("found").textContent = answer.error);
  const players = answer.data.players;
  the("rows").append(...players.map(row));
  the("players").hidden = players.length === 0;
  the("notes").hidden = false;
  if (!players.length) the("found").textContent = gettext("No player has a verified game and a published name yet.");
}

void begin();
