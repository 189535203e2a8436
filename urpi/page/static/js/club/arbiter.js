/** An arbiter's controls on the page of a tournament: rounds, results, and their log. */

import { get } from "../api.js";
import { confirmed } from "../confirm.js";
import { html, put, set, the } from "../elements.js";
import { dotted, gettext, isolated, moment } from "../translation.js";
import { offerTables } from "./assigned_tables.js";
import { offerPairingByHand } from "./pairing_by_hand.js";
import { replaceDifferent, focusPlace } from "./replace_elements.js";
import { change } from "./session.js";
import { PlayerControls } from "./tournament_players.js";

/**
 * @typedef {import("./tournament.js").TournamentPage} TournamentPage
 * @typedef {import("./tournament.js").Pairing} Pairing
 * @typedef {{
 *   entered: string, user: string, round: number, board: number | null, game: number | null, removed: boolean,
 *   before: Pairing["result"], before_played: boolean, result: Pairing["result"], played: boolean,
 *   reason: string, pairings: string[][][] | null,
 * }} Logged
 */

export const RESULTS = { light: "1 – 0", dark: "0 – 1", draw: "½ – ½", none: "0 – 0" };
/** How a choice of the dialog ends if its winner wins without a game. */
const FORFEIT = "-forfeit";

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/**
 * @param {Pairing["result"]} result
 * @param {boolean} played
 */
function resultText(result, played) {
  if (!result) return "–";
  const text = RESULTS[result];
  return played || result === "none" ? text : gettext("{result} without a game", { result: text });
}

/** The controls of a tournament. */
export class Arbiter {
  /**
   * @param {string} address
   * @param {() => Promise<void>} update fetches the tournament again
   */
  constructor(address, update) {
    this.address = address;
    this.update = update;
    /** @type {TournamentPage | null} */
    this.tournament = null;
    /** The pairing whose result is entered in the dialog, as in `data-place`. */
    this.place = "";
    this.players = new PlayerControls(this);
    this.showPairingByHand = offerPairingByHand(this);
    this.showTables = offerTables(this);
    the("next-round").addEventListener("click", () => void this.send("POST", "rounds", { begun: this.begun }));
    the("remove-round").addEventListener("click", () => void this.removeRound());
    the("delete").addEventListener("click", () => void this.delete());
    the("result-cancel").addEventListener("click", () => this.dialog.close());
    // The pencil that opened the dialog may have been replaced.
    this.dialog.addEventListener("close", () => focusPlace(this.place));
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (the("result"));
  }

  get begun() {
    return this.tournament?.rounds.length ?? 0;
  }

  /**
   * @param {string} id
   * @param {() => Promise<unknown>} submit
   */
  onSubmit(id, submit) {
    the(id).addEventListener("submit", (event) => {
      event.preventDefault();
      void submit();
    });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async send(method, path, body) {
    const answer = await change(method, `${this.address}/${path}`, body);
    put(the("arbiter-wrong"), answer.error);
    await this.update();
    return answer.ok;
  }

  async removeRound() {
    const number = this.begun;
    const question = gettext("Remove round {number} with its results? Games already played will not count in the new round.", { number });
    if (await confirmed(question)) await this.send("DELETE", `rounds/${number}`);
  }

  async delete() {
    const question = gettext("Delete the tournament {name} with all its rounds? Its games remain.", { name: this.tournament?.name ?? "" });
    if (!(await confirmed(question))) return;
    const answer = await change("DELETE", this.address);
    put(the("arbiter-wrong"), answer.error);
    if (answer.ok) location.assign("/tournaments");
  }

  /**
   * Shows what is possible in the tournament's current state.
   *
   * @param {TournamentPage} tournament
   */
  async show(tournament) {
    this.tournament = tournament;
    the("arbiter").hidden = false;
    const { rounds, planned, format } = tournament;
    const open = rounds.at(-1)?.pairings.some(({ dark, result }) => dark !== null && !result) ?? false;
    const next = /** @type {HTMLButtonElement} */ (the("next-round"));
    next.hidden = this.begun >= planned;
    next.disabled = open && format !== "round-robin";
    put(next, gettext("Begin round {number}", { number: this.begun + 1 }));
    put(the("missing"), next.disabled && !next.hidden ? gettext("Results of this round are missing.") : "");
    the("remove-round").hidden = !this.begun;
    put(the("remove-round"), gettext("Remove round {number}", { number: this.begun }));
    this.showPairingByHand(tournament);
    this.showTables(tournament);
    this.players.show(tournament);
    await this.showLog(tournament);
  }

  /** @param {TournamentPage} tournament a response is ignored if a newer state has been shown since */
  async showLog(tournament) {
    const answer = await get(`${this.address}/log`);
    if (!answer.ok || tournament !== this.tournament) return;
    the("log-section").hidden = !answer.data.entries.length;
    replaceDifferent(the("log"), answer.data.entries.map(loggedItem));
  }

  /**
   * Returns the button that opens the dialog for a result, null if it cannot be changed any more.
   *
   * @param {Pairing} pairing
   * @param {number} round the index
   * @param {number} board the index
   */
  button(pairing, round, board) {
    const tournament = this.tournament;
    if (pairing.dark === null || !tournament) return null;
    if (tournament.format === "knockout" && round + 1 < tournament.rounds.length) return null;
    const label = gettext("Enter the result of pairing {number}", { number: board + 1 });
    const button = html("button", { class: "quiet enter-result", "aria-label": label, title: label, "data-place": `${round + 1}-${board + 1}` });
    button.append(html("span", { "aria-hidden": "true" }, "✎"));
    button.addEventListener("click", () => this.open(pairing, round, board));
    return button;
  }

  /**
   * @param {Pairing} pairing
   * @param {number} round
   * @param {number} board
   */
  open(pairing, round, board) {
    this.place = `${round + 1}-${board + 1}`;
    put(the("result-title"), `${isolated(pairing.light)} – ${isolated(pairing.dark ?? "")}`);
    field("result-reason").value = "";
    put(the("result-wrong"), "");
    this.showGames(pairing);
    field("result-game").onchange = () => this.showChoices(pairing);
    this.showChoices(pairing);
    the("result-form").onsubmit = (event) => {
      event.preventDefault();
      const game = Number(field("result-game").value);
      const known = (pairing.games[game - 1] ?? pairing).result;
      void this.enter({ round: round + 1, board: board + 1, known, ...(game ? { game } : {}) });
    };
    this.dialog.showModal();
  }

  /**
   * Shows the games of a match, of which the next one is chosen.
   *
   * @param {Pairing} pairing
   */
  showGames({ games, by_hand }) {
    // Those of a match whose result was entered as a whole do not decide it.
    const offered = by_hand ? [] : games;
    const next = offered.findIndex(({ result }) => !result) + 1;
    the("result-game-label").hidden = !games.length;
    const options = offered.map((_, index) => html("option", { value: index + 1, selected: index + 1 === next }, gettext("Game {number}", { number: index + 1 })));
    the("result-game").replaceChildren(html("option", { value: "0" }, gettext("The whole match")), ...options);
  }

  /**
   * Shows the results of the chosen game, or of the whole pairing.
   *
   * @param {Pairing} pairing
   */
  showChoices(pairing) {
    const game = pairing.games[Number(field("result-game").value) - 1];
    const { light, dark, result, played } = game ?? pairing;
    const current = `${result ?? ""}${played || result === "none" ? "" : FORFEIT}`;
    /** @param {string} value @param {string} text */
    const option = (value, text) => html("option", { value, selected: value === current }, text);
    const choices = [
      option("", gettext("No result yet")),
      option("light", dotted([RESULTS.light, gettext("{name} won", { name: light })])),
      option("dark", dotted([RESULTS.dark, gettext("{name} won", { name: dark ?? "" })])),
      ...(this.tournament?.format === "knockout" && !game ? [] : [option("draw", RESULTS.draw)]),
      option(`light${FORFEIT}`, resultText("light", false)),
      option(`dark${FORFEIT}`, resultText("dark", false)),
      option("none", dotted([RESULTS.none, gettext("nobody came")])),
    ];
    the("result-choice").replaceChildren(...choices);
    // A first result needs no reason, a correction does.
    const isReplaced = result !== null || (!game && pairing.games.some((one) => one.result));
    set(the("result-reason"), { required: isReplaced });
  }

  /** @param {{round: number, board: number, game?: number, known: Pairing["result"]}} place */
  async enter(place) {
    const choice = field("result-choice").value;
    const played = !choice.endsWith(FORFEIT);
    const result = choice.replace(FORFEIT, "") || null;
    const body = { ...place, result, played, reason: field("result-reason").value };
    const answer = await change("POST", `${this.address}/results`, body);
    put(the("result-wrong"), answer.error);
    await this.update();
    if (answer.ok) this.dialog.close();
  }
}

/** @param {Logged} logged */
function loggedItem({ entered, user, round, board, game, removed, before, before_played, result, played, reason, pairings }) {
  const title = gettext("Round {number}", { number: round });
  const where = [title, `${gettext("Pairing")} ${board}`, ...(game ? [gettext("Game {number}", { number: game })] : [])];
  const label = pairings || removed ? title : where.join(", ");
  /** @param {string[][]} pairs */
  const listed = (pairs) => pairs.map(([light, dark]) => `${isolated(light ?? "")} – ${isolated(dark ?? gettext("bye"))}`).join(", ");
  const change = pairings?.map(listed) ?? [resultText(before, before_played), resultText(result, played)];
  const what = gettext("{label}: {text}", { label, text: removed ? gettext("removed") : change.join(" → ") });
  const who = user || gettext("Command line");
  const about = dotted([moment(entered), who, reason]);
  return html("li", {}, html("span", {}, what), html("small", {}, about));
}
