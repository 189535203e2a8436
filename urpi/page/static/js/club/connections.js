/** Which tables are connected, for arbiters, the silent ones first, their unusual dice, and what fails in the club. */

import { get } from "../api.js";
import { faceName } from "../dice.js";
import { html, put, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, dotted, gettext, moment } from "../translation.js";
import { currentUser, showAccount } from "./session.js";

/** How often the tables are read again. */
const AGAIN_MS = 10_000;

/**
 * @typedef {{die: number, outcomes: string[], counts: number[]}} Tally the throws of each outcome, which is a text
 *   with a letter for each face
 * @typedef {{table: string, online: boolean, since: string | null, received: string | null, dice: Tally[]}}
 *   TableConnection
 * @typedef {{faults: {part: string, problem: string}[], set_aside: number,
 *   backup: {written: string | null, problem: string, old: boolean}}} ClubState
 */

/** @param {Tally} tally */
function unusual({ die, outcomes, counts }) {
  const shows = dotted(outcomes.map((faces, place) => `${faceName(faces.charAt(0))} ${counts[place]}`));
  return html("div", {}, html("strong", {}, gettext("Die {number}: {shows}", { number: die, shows })));
}

/** @param {TableConnection} connection */
function row({ table, online, since, received, dice }) {
  const link = html("a", { href: `/games?${new URLSearchParams({ table })}` }, table);
  return html(
    "tr",
    {},
    html("th", { class: "name", scope: "row" }, link),
    html("td", {}, online ? gettext("connected") : html("strong", {}, gettext("not connected"))),
    html("td", {}, since ? moment(since) : "?"),
    html("td", {}, received ? moment(received) : gettext("Never")),
    html("td", {}, ...dice.map(unusual)),
  );
}

/**
 * What fails in the club, and its last backup.
 * @param {ClubState} club
 */
function state({ faults, set_aside: number, backup: { written, problem, old } }) {
  const wrong = faults.map((fault) => gettext("A part of the club's program does not work: {part} ({problem})", fault));
  if (number)
    wrong.push(gettext("Games and messages set aside until the next start, because the program failed at them: {number}", { number }));
  if (problem) wrong.push(gettext("The last backup has failed: {problem}", { problem }));
  const time = written ? moment(written) : "";
  if (old) wrong.push(gettext("The last backup is too old: {time}", { time }));
  const lines = wrong.map((text) => html("p", {}, html("strong", {}, text)));
  return written && !old ? [...lines, html("p", {}, gettext("Last backup: {time}", { time }))] : lines;
}

async function update() {
  const answer = await get("/api/connections");
  // What was read before stays: the next answer may follow in a moment.
  if (!answer.ok) return put(the("found"), answer.error);
  /** @type {TableConnection[]} */
  const tables = answer.data.tables;
  const number = tables.filter(({ online }) => online).length;
  const all = tables.length;
  the("club").replaceChildren(...state(answer.data));
  put(the("found"), all ? gettext("Connected: {number} of {all}", { number, all }) : gettext("No table has connected yet."));
  the("content").hidden = !all;
  the("rows").replaceChildren(...tables.map(row));
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Connections")} – urpi`;
  const user = await currentUser();
  showAccount(user);
  if (!user) return put(the("found"), gettext("Only arbiters can see the connections."));
  await update();
  setInterval(() => document.hidden || void update(), AGAIN_MS);
}

void begin();
