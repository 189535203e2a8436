/** The page of a tournament: its rounds, the newest first, and its standings; also to print. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { offerLarger } from "../larger.js";
import { gettext, language, setLanguage } from "../translation.js";
import { Arbiter, RESULTS } from "./arbiter.js";
import { aboutText, tieBreakMeaning, tieBreakName } from "./formats.js";
import { currentUser, showAccount } from "./session.js";

/**
 * @typedef {{
 *   light: string, dark: string | null, result: "light" | "dark" | "draw" | "none" | null,
 *   played: boolean, game: number | null,
 * }} Pairing
 * @typedef {{place: number, name: string, points: number, tie_breaks: number[], withdrawn: boolean}} Standing
 * @typedef {import("./formats.js").Tournament & {
 *   over: boolean, tie_breaks: import("./formats.js").TieBreak[],
 *   rounds: {started: string, pairings: Pairing[]}[], standings: Standing[],
 * }} TournamentPage
 */

/** Milliseconds after which the results are fetched again. */
const UPDATE_MS = 20_000;
const address = `/api${location.pathname}`;
let shown = "";
/** Counts requests: responses to older ones are ignored. */
let requests = 0;
/** @type {Arbiter | null} */
let arbiter = null;

/** @param {number} value */
const number = (value) => new Intl.NumberFormat(language()).format(value);

/** @param {Pairing} pairing */
function resultCell({ dark, result, played, game }) {
  if (dark === null) return html("td", { class: "score" }, gettext("bye"));
  if (!result) return html("td", { class: "score open" }, "–");
  const text = RESULTS[result];
  const cell = html("td", { class: "score" }, game ? html("a", { href: `/games/${game}` }, text) : text);
  if (!played) cell.append(html("small", {}, ` ${gettext("not played")}`));
  return cell;
}

/**
 * @param {Pairing} pairing
 * @param {number} round
 * @param {number} index
 */
function pairingRow(pairing, round, index) {
  const { light, dark, result } = pairing;
  /** @param {string} name @param {boolean} won */
  const player = (name, won) => html("td", { class: won ? "name won" : "name" }, name);
  const board = html("td", { class: "rank" }, String(index + 1));
  const cell = resultCell(pairing);
  const button = arbiter?.button(pairing, round, index);
  if (button) cell.append(" ", button);
  return html("tr", {}, board, player(light, result === "light"), cell, player(dark ?? "", result === "dark"));
}

/**
 * @param {{pairings: Pairing[]}} round
 * @param {number} index
 */
function roundSection({ pairings }, index) {
  const heads = [
    html("th", { class: "rank", scope: "col" }, html("span", { class: "unseen" }, gettext("Board"))),
    html("th", { scope: "col" }, gettext("Light")),
    html("th", { class: "score", scope: "col" }, gettext("Result")),
    html("th", { scope: "col" }, gettext("Dark")),
  ];
  const table = html("table", { class: "figures" }, html("thead", {}, html("tr", {}, ...heads)));
  table.append(html("tbody", {}, ...pairings.map((pairing, board) => pairingRow(pairing, index, board))));
  const id = `round-${index + 1}`;
  const title = html("h2", { id }, gettext("Round {number}", { number: index + 1 }));
  const frame = html("div", { class: "wide", tabindex: 0, role: "region", "aria-labelledby": id }, table);
  return html("section", {}, title, frame);
}

/** @param {Standing} standing */
function standingRow({ place, name, points, tie_breaks, withdrawn }) {
  const player = html("th", { class: "name", scope: "row" }, name);
  if (withdrawn) player.append(html("small", {}, ` ${gettext("withdrawn")}`));
  const values = [points, ...tie_breaks].map((value) => html("td", { class: "right" }, number(value)));
  return html("tr", {}, html("td", { class: "rank" }, String(place)), player, ...values);
}

/** @param {TournamentPage} tournament */
function show(tournament) {
  void arbiter?.show(tournament);
  document.title = `${tournament.name} – urpi`;
  put(the("name"), tournament.name);
  put(the("about"), aboutText(tournament));
  the("rounds").replaceChildren(...tournament.rounds.map(roundSection).reverse());
  /** @param {string} text @param {string} kind */
  const column = (text, kind) => html("th", { class: kind, scope: "col" }, text);
  const values = [gettext("Points"), ...tournament.tie_breaks.map(tieBreakName)];
  const place = html("th", { class: "rank", scope: "col" }, html("span", { class: "unseen" }, gettext("Place")));
  the("columns").replaceChildren(place, column(gettext("Player"), ""), ...values.map((value) => column(value, "right")));
  the("standings").replaceChildren(...tournament.standings.map(standingRow));
  put(the("meaning"), tournament.tie_breaks.map(tieBreakMeaning).join(" "));
  for (const id of ["content", "actions", "notes"]) the(id).hidden = false;
}

async function update() {
  const request = ++requests;
  const answer = await get(address);
  if (request !== requests) return;
  put(the("found"), answer.ok ? "" : answer.error);
  if (!answer.ok) return;
  // Replacing equal rows would end a selection, and move the focus away from a link.
  const text = JSON.stringify(answer.data);
  if (text !== shown) show(answer.data);
  shown = text;
}

async function begin() {
  offerLarger();
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  for (const name of ["standings", "pairings"]) the(`${name}-csv`).setAttribute("href", `${address}/${name}.csv`);
  the("print").addEventListener("click", () => window.print());
  const user = await currentUser();
  showAccount(user);
  if (user) arbiter = new Arbiter(address, update);
  await update();
  setInterval(() => void (document.hidden || update()), UPDATE_MS);
}

void begin();
