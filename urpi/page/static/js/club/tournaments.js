/** The list of a club's tournaments, newest first. */

import { get } from "../api.js";
import { html, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, day, dotted, gettext } from "../translation.js";
import { aboutText, winnersText } from "./formats.js";
import { offerNewTournament } from "./new_tournament.js";
import { currentUser, showAccount } from "./session.js";

/** @param {import("./formats.js").Tournament} tournament */
function item(tournament) {
  const link = html("a", { href: `/tournaments/${tournament.id}` });
  link.append(html("span", { class: "players" }, tournament.name));
  link.append(html("span", { class: "about" }, dotted([aboutText(tournament), winnersText(tournament)])));
  link.append(html("span", { class: "result" }, day(tournament.created)));
  return html("li", {}, link);
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Tournaments")} – urpi`;
  const user = await currentUser();
  showAccount(user);
  if (user) void offerNewTournament();
  const answer = await get("/api/tournaments");
  if (!answer.ok) return void (the("found").textContent = answer.error);
  the("tournaments").append(...answer.data.map(item));
  if (!answer.data.length) the("found").textContent = gettext("There is no tournament yet.");
}

void begin();
