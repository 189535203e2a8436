/** The security log, for arbiters: logins, changed users, and what tables send wrongly. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, dotted, gettext, moment } from "../translation.js";
import { currentUser, showAccount } from "./session.js";

/**
 * @typedef {"login" | "login-failed" | "login-refused" | "user-added" | "user-removed"
 *   | "password-changed" | "message-rejected" | "games-postponed" | "game-not-verified"
 *   | "copies-differ" | "claim-unconfirmed" | "game-excluded" | "game-moved"
 *   | "name-entered"} SecurityEvent
 * @typedef {{
 *   last: string, event: SecurityEvent, who: string, address: string, by: string, about: string, count: number,
 * }} Entry
 */

const EVENTS = /** @type {Record<SecurityEvent, () => string>} */ ({
  login: () => gettext("Login"),
  "login-failed": () => gettext("Failed login"),
  "login-refused": () => gettext("Login refused after too many failed ones"),
  "user-added": () => gettext("User added"),
  "user-removed": () => gettext("User removed"),
  "password-changed": () => gettext("Password replaced"),
  "message-rejected": () => gettext("Messages of a table rejected"),
  "games-postponed": () => gettext("Too many new games of a table"),
  "game-not-verified": () => gettext("Game no longer verified"),
  "copies-differ": () => gettext("Two tables sent different ends of their game"),
  "claim-unconfirmed": () => gettext("The club cannot confirm the claim of a game"),
  "game-excluded": () => gettext("Game excluded from the ratings, or counted again"),
  "game-moved": () => gettext("Game moved to another player"),
  "name-entered": () => gettext("Name entered at a table, or removed"),
});

/** @param {Entry} entry */
function row({ last, event, who, address, by, about, count }) {
  const details = dotted([address, by, about]);
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, EVENTS[event]()),
    html("td", { class: "name" }, who || "?"),
    html("td", { class: "right" }, String(count)),
    html("td", {}, moment(last)),
    html("td", { class: "more" }, details),
  );
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Security log")} – urpi`;
  const user = await currentUser();
  showAccount(user);
  if (!user) return put(the("found"), gettext("Only arbiters can see the security log."));
  const answer = await get("/api/security");
  if (!answer.ok) return put(the("found"), answer.error);
  the("content").hidden = false;
  the("rows").replaceChildren(...answer.data.entries.map(row));
}

void begin();
