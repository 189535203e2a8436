/** The page of a tournament: its rounds, the newest first, and its standings; also to print. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, gettext, isolated, language } from "../translation.js";
import { Arbiter, RESULTS } from "./arbiter.js";
import { aboutText, tieBreakMeaning, tieBreakName, winnersText } from "./formats.js";
import { keepFocus, replaceDifferent } from "./replace_elements.js";
import { currentUser, showAccount } from "./session.js";

/**
 * @typedef {{
 *   light: string, dark: string | null, result: "light" | "dark" | "draw" | "none" | null,
 *   played: boolean, game: number | null,
 * }} Game a game of a match, or a pairing of one game
 * @typedef {Game & {
 *   table: string | null, third_place: boolean, score: [number, number] | null, games: Game[], by_hand: boolean,
 * }} Pairing
 * @typedef {{
 *   place: number, name: string, points: number, tie_breaks: number[], withdrawn: boolean,
 *   byes: number[],
 * }} Standing
 * @typedef {{light: string, dark: string | null, score: [number, number] | null}} TeamPairing two teams, or one with a bye
 * @typedef {{
 *   name: string, team: string, points: number, games: number, withdrawn: boolean, byes: number[],
 * }} BoardResult a player of a team
 * @typedef {import("./formats.js").Tournament & {
 *   tie_breaks: import("./formats.js").TieBreak[],
 *   rounds: {started: string, pairings: Pairing[], teams: TeamPairing[]}[], standings: Standing[],
 *   board_results: BoardResult[],
 * }} TournamentPage
 */

/** Milliseconds after which the results are fetched again. */
const UPDATE_MS = 20_000;
/** What can be downloaded, by links with the same ids. */
const FILES = ["standings.csv", "pairings.csv", "report.trf"];
const address = `/api${location.pathname}`;
let shown = "";
/** Counts requests: responses to older ones are ignored. */
let requests = 0;
/** @type {Arbiter | null} */
let arbiter = null;

/** @param {number} value */
const number = (value) => new Intl.NumberFormat(language()).format(value);

/**
 * @param {Pairing} pairing
 * @param {string} place
 */
function resultCell(pairing, place) {
  const { dark, result, game, score } = pairing;
  if (dark === null) return html("td", { class: "score" }, result ? gettext("bye with half a point") : gettext("bye"));
  if (score && (result || pairing.games.some((one) => one.result))) return matchCell(pairing, score, place);
  if (!result) return html("td", { class: "score open" }, "–");
  const text = RESULTS[result];
  return html("td", { class: "score" }, game ? html("a", { href: `/games/${game}`, "data-place": `game-${place}` }, text) : text);
}

/**
 * Returns the cell with the game points of a match, its next game, and the points of light in each game.
 *
 * @param {Pairing} pairing
 * @param {[number, number]} score
 * @param {string} place
 */
function matchCell({ light, result, games }, score, place) {
  const cell = html("td", { class: "score" }, score.map(number).join(" – "));
  const next = games.findIndex((one) => !one.result) + 1;
  if (!result) cell.append(html("small", {}, gettext("game {number} of {all}", { number: next, all: games.length })));
  const points = html("small", { class: "match" });
  for (const [index, one] of games.entries()) {
    const text = one.result ? pointsText(one, light) : "·";
    const label = gettext("Game {number}", { number: index + 1 });
    const about = { title: label, "aria-label": `${label}: ${text}` };
    const link = { ...about, href: `/games/${one.game}`, "data-place": `game-${place}-${index + 1}` };
    points.append(one.game ? html("a", link, text) : html("span", {}, text));
  }
  if (games.length) cell.append(points);
  return cell;
}

/**
 * Returns the points of a player in a game.
 *
 * @param {Game} game
 * @param {string} player
 */
function pointsText({ light, result }, player) {
  if (result === "draw") return "½";
  return result === (player === light ? "light" : "dark") ? "1" : "0";
}

/**
 * @param {Pairing} pairing
 * @param {number} round
 * @param {number} index
 */
function pairingRow(pairing, round, index) {
  const { light, dark, result, played, table, third_place } = pairing;
  /** @param {string} name @param {boolean} won */
  const player = (name, won) => html("td", { class: won ? "name won" : "name" }, name);
  const board = html("td", { class: "rank" }, String(index + 1));
  const cell = resultCell(pairing, `${round + 1}-${index + 1}`);
  const button = arbiter?.button(pairing, round, index);
  if (button) cell.append(" ", button);
  if (table && !result) cell.append(html("small", { class: "at" }, gettext("Table {table}", { table: isolated(table) })));
  // Translators: The game of a knockout whose winner has the third place.
  if (third_place) cell.append(html("small", {}, ` ${gettext("for third place")}`));
  if (!played) cell.append(html("small", {}, ` ${gettext("not played")}`));
  return html("tr", {}, board, player(light, result === "light"), cell, player(dark ?? "", result === "dark"));
}

/** @param {TeamPairing} pairing the row above its boards */
function teamRow({ light, dark, score }) {
  const points = score ? score.map(number).join(" – ") : gettext("bye");
  const cells = [html("th", { class: "name", scope: "row" }, light), html("td", { class: "score" }, points), html("th", { class: "name", scope: "row" }, dark ?? "")];
  return html("tr", { class: "teams" }, html("td"), ...cells);
}

/**
 * Returns the section of a round without its pairings.
 *
 * @param {number} round the index
 */
function roundSection(round) {
  const heads = [
    html("th", { class: "rank", scope: "col" }, html("span", { class: "unseen" }, gettext("Pairing"))),
    html("th", { scope: "col" }, gettext("Light")),
    html("th", { class: "score", scope: "col" }, gettext("Result")),
    html("th", { scope: "col" }, gettext("Dark")),
  ];
  const table = html("table", { class: "figures" }, html("thead", {}, html("tr", {}, ...heads)), html("tbody"));
  const id = `round-${round + 1}`;
  const title = html("h2", { id }, gettext("Round {number}", { number: round + 1 }));
  const frame = html("div", { class: "wide", tabindex: 0, role: "region", "aria-labelledby": id }, table);
  return html("section", {}, title, frame);
}

/**
 * Shows the rounds, the newest first; pairings that have not changed remain in place.
 *
 * @param {TournamentPage["rounds"]} rounds
 */
function showRounds(rounds) {
  const parent = the("rounds");
  while (parent.children.length > rounds.length) parent.firstElementChild?.remove();
  while (parent.children.length < rounds.length) parent.prepend(roundSection(parent.children.length));
  const bodies = [...parent.querySelectorAll("tbody")].reverse();
  for (const [place, { pairings, teams }] of rounds.entries()) {
    const boards = pairings.length / (teams.length || 1);
    const rows = pairings.flatMap((pairing, board) => {
      const team = board % boards === 0 ? teams[board / boards] : undefined;
      return [...(team ? [teamRow(team)] : []), pairingRow(pairing, place, board)];
    });
    const body = bodies[place];
    if (body) replaceDifferent(body, rows);
  }
}

/**
 * @param {string} name
 * @param {boolean} withdrawn
 */
function playerCell(name, withdrawn) {
  const cell = html("th", { class: "name", scope: "row" }, name);
  if (withdrawn) cell.append(html("small", {}, ` ${gettext("withdrawn")}`));
  return cell;
}

/** @param {Standing} standing */
function standingRow({ place, name, points, tie_breaks, withdrawn }) {
  const player = playerCell(name, withdrawn);
  const values = [points, ...tie_breaks].map((value) => html("td", { class: "right" }, number(value)));
  return html("tr", {}, html("td", { class: "rank" }, String(place)), player, ...values);
}

/**
 * Shows the standings, or before the first round the players.
 *
 * @param {TournamentPage} tournament
 */
function showStandings({ begun, standings, tie_breaks, boards }) {
  put(the("standings-title"), begun ? gettext("Standings") : boards ? gettext("Teams") : gettext("Players"));
  the("content").classList.toggle("players-only", !begun);
  the("head").hidden = !begun;
  if (!begun) {
    const rows = standings.map(({ name, withdrawn }) => html("tr", {}, playerCell(name, withdrawn)));
    return replaceDifferent(the("standings"), rows);
  }
  /** @param {string} text @param {string} kind */
  const column = (text, kind) => html("th", { class: kind, scope: "col" }, text);
  // Translators: The points of a player in a tournament, as in chess.
  const values = [boards ? gettext("Match points") : gettext("Points"), ...tie_breaks.map(tieBreakName)];
  // Translators: The rank of a player: 1, 2, 3.
  const place = html("th", { class: "rank", scope: "col" }, html("span", { class: "unseen" }, gettext("Place")));
  replaceDifferent(the("columns"), [place, column(boards ? gettext("Team") : gettext("Player"), ""), ...values.map((value) => column(value, "right"))]);
  replaceDifferent(the("standings"), standings.map(standingRow));
}

/** @param {TournamentPage["board_results"]} results of the players of teams, who are listed by team */
function showBoardResults(results) {
  for (const id of ["players-title", "players"]) the(id).hidden = !results.length;
  const rows = results.map(({ name, team, points, games, withdrawn }) => {
    const values = [points, games].map((value) => html("td", { class: "right" }, number(value)));
    return html("tr", {}, playerCell(name, withdrawn), html("td", { class: "name" }, team), ...values);
  });
  replaceDifferent(the("board-results"), rows);
}

/** @param {TournamentPage} tournament */
function show(tournament) {
  void arbiter?.show(tournament);
  document.title = `${tournament.name} – urpi`;
  put(the("name"), tournament.name);
  put(the("about"), aboutText(tournament));
  put(the("winners"), winnersText(tournament));
  keepFocus(() => {
    showRounds(tournament.rounds);
    showStandings(tournament);
    showBoardResults(tournament.board_results);
  });
  put(the("meaning"), tournament.tie_breaks.map(tieBreakMeaning).join(" "));
  for (const file of FILES) the(file.replace(".", "-")).hidden = !tournament.begun;
  the("match-note").hidden = tournament.games === 1;
  for (const id of ["content", "actions", "notes"]) the(id).hidden = false;
}

/** Shows that there is no such tournament, or no more. */
function showMissing() {
  put(the("name"), gettext("There is no such tournament."));
  put(the("about"), gettext("It may have been deleted."));
  put(the("winners"), "");
  the("to-list").hidden = false;
  for (const id of ["content", "actions", "notes", "arbiter"]) the(id).hidden = true;
}

async function update() {
  const request = ++requests;
  const answer = await get(address);
  if (request !== requests) return;
  const missing = answer.status === 404;
  put(the("found"), answer.ok || missing ? "" : answer.error);
  if (missing) showMissing();
  if (!answer.ok) return;
  const text = JSON.stringify(answer.data);
  if (text !== shown) show(answer.data);
  shown = text;
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  for (const file of FILES) the(file.replace(".", "-")).setAttribute("href", `${address}/${file}`);
  the("print").addEventListener("click", () => window.print());
  const user = await currentUser();
  showAccount(user);
  if (user) arbiter = new Arbiter(address, update);
  await update();
  setInterval(() => void (document.hidden || update()), UPDATE_MS);
}

void begin();
