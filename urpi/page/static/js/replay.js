/** The page of a stored game: each step on the board, with the legal moves and what the board saw. */

import { Board } from "./board.js";
import { drawDie, thrown } from "./dice.js";
import { html, put, the } from "./elements.js";
import { resultText, startText } from "./results.js";
import { offerLarger, offerView } from "./view.js";
import { Moves } from "./moves.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { decisionAt, offerPlay, positionOf } from "./positions.js";
import { TurnEvents } from "./turn_events.js";
import { dotted, gettext, isolated, moment, playerName } from "./translation.js";
import { get, post } from "./api.js";
import { letterOf } from "./keys.js";
import { Steps, isBusy } from "./replay_steps.js";
import { frameText, listTurns, markTurn } from "./replay_turns.js";

/** @typedef {import("./state.js").Side} Side */
/** @typedef {import("./state.js").Move} Move */
/**
 * @typedef {{
 *   kind: "start" | "roll" | "move" | "back" | "end", t: number, turn: number, position: string,
 *   side: Side | null, throw: import("./state.js").Throw | null, legal: Move[],
 *   move: Move | null, confidence: string, texts: string[],
 * }} Frame
 * @typedef {{
 *   game: import("./results.js").Game, rules: import("./state.js").Rules, facts: number,
 *   frames: Frame[], corrections: {at: string, text: string, reason: string}[], files?: string[],
 * }} Replay
 */

/** The files that the page names in words, with their links. */
const NAMED_FILES = new Map([["replay.html", "replay"], ["record.txt", "record"], ["turns.csv", "turns"], ["archive.jsonl", "archive"]]);

export class ReplayPage {
  /**
   * @param {Board} board
   * @param {Replay} replay
   */
  constructor(board, replay) {
    this.board = board;
    this.replay = replay;
    this.steps = new Steps(replay.frames, () => this.draw());
    board.paths = replay.rules.paths;
    this.moves = new Moves(board);
    /** What the board saw; a club's page does not show it. */
    this.events = document.getElementById("events-button") && new TurnEvents(board, replay.game.id, () => this.draw());
    /** @type {import("./review.js").ReviewView | null} */
    this.review = null;
    this.listen();
    this.title();
    listTurns(replay, (at) => this.steps.choose(at));
    this.steps.begin();
  }

  listen() {
    document.getElementById("share-button")?.addEventListener("click", () => void this.share());
    document.getElementById("explore-here")?.addEventListener("click", () => void this.explore());
    document.getElementById("correct-button")?.addEventListener("click", () => void this.correct());
    the("moves-button").addEventListener("click", () => this.review?.show());
    // Until now a click would have had no effect.
    for (const part of document.querySelectorAll("main [inert]")) part.removeAttribute("inert");
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (isBusy(event)) return;
    if (letterOf(event) === "m") (this.moves.toggle(), this.review?.show());
    else if (this.review && letterOf(event) === "b") this.review.goToMistake(-1);
    else if (this.review && letterOf(event) === "n") this.review.goToMistake(1);
    else return;
    event.preventDefault();
  }

  /** Opens the dialog to share the current step. */
  async share() {
    const { openShare } = await import("./share.js").catch(() => ({ openShare: null }));
    if (!openShare) return notify(gettext("The table does not respond."));
    await openShare(this.replay.game.id, this.steps.at);
  }

  /** Opens the dialog to correct the game. */
  async correct() {
    const { openCorrections } = await import("./game_corrections.js").catch(() => ({ openCorrections: null }));
    if (!openCorrections) return notify(gettext("The table does not respond."));
    openCorrections(this.replay.game);
  }

  /** Lets the table explore from the position of the current step, and goes to its page. */
  async explore() {
    const answer = await post("/api/explore", { position: this.steps.frame.position });
    if (answer.ok) location.assign("/");
    else notify(answer.error);
  }

  /** Requests the review of the game, which takes some seconds, and shows it. */
  async startReview() {
    const script = await import("./review.js").catch(() => null);
    if (!script) return notify(gettext("The table does not respond."));
    const review = await script.requestReview(this.replay.game.id);
    if (!review) return;
    this.review = new script.ReviewView(this, review);
    this.draw();
  }

  draw() {
    const { replay, steps: { frame } } = this;
    const position = positionOf(frame.position);
    this.board.show(piecesOf(position, replay.rules.pieces));
    this.board.mark("last", frame.kind === "move" ? squaresOf(frame.move) : []);
    this.board.mark("target", []);
    const outcome = frame.kind === "end" ? { side: winner(replay.game) } : null;
    const isThrow = frame.kind === "roll";
    /** @type {import("./state.js").StepState} */
    const state = {
      players: replay.game, rules: replay.rules, phase: isThrow ? "move" : "throw", position, side: frame.side,
      legal: frame.legal, outcome,
    };
    showPlates({ ...state, side: isThrow ? frame.side : null });
    this.moves.show(state);
    this.showThrow(frame);
    put(the("now"), frameText(frame, replay.game));
    put(the("also"), frame.texts.slice(frame.kind === "start" ? 0 : 1).join(" "));
    this.showStep(frame);
    this.events?.turn(frame.turn);
    this.review?.show();
  }

  /** @param {Frame} frame */
  showThrow({ throw: current }) {
    const dice = current ? thrown(current.faces, this.replay.rules.dice.body) : [];
    the("dice").replaceChildren(...dice.map((die) => drawDie(die)));
    put(the("value"), current ? String(current.value) : "");
  }

  /** @param {Frame} frame */
  showStep(frame) {
    const { at, last, slider } = this.steps;
    const step = { step: at, all: last, turn: frame.turn };
    const text = gettext("Step {step} of {all}, turn {turn}", step);
    put(the("step"), text);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", text);
    const { id } = this.replay.game;
    document.getElementById("export-dispute")?.setAttribute("href", `/api/games/${id}/dispute.html?turn=${frame.turn}`);
    // A club's page has no analysis.
    const decision = decisionAt(this.replay.frames, at);
    document.getElementById("analyse")?.setAttribute("href", `/analysis?${new URLSearchParams(decision)}`);
    offerPlay(document.getElementById("play-here"), frame.position);
    markTurn(at);
  }

  title() {
    const { game } = this.replay;
    const players = `${isolated(playerName("light", game))} – ${isolated(playerName("dark", game))}`;
    document.title = `${players} – urpi`;
    put(the("players"), players);
    const number = gettext("Game {number}", { number: game.id });
    put(the("about"), dotted([game.name, number, startText(game), resultText(game)]));
    const items = this.replay.corrections.map(({ at, text, reason }) => {
      const parts = [html("time", { datetime: at, class: "dim" }, moment(at)), " ", text];
      return html("li", {}, ...parts, reason ? html("span", { class: "dim" }, ` (${reason})`) : "");
    });
    document.getElementById("corrections")?.replaceChildren(...items);
    const address = `/api/games/${game.id}`;
    for (const [file, id] of NAMED_FILES) document.getElementById(`export-${id}`)?.setAttribute("href", `${address}/${file}`);
    const others = (this.replay.files ?? []).filter((file) => !NAMED_FILES.has(file));
    document.getElementById("export-others")?.append(
      ...others.map((file) => html("a", { href: `${address}/${file}`, download: "", dir: "ltr" }, file)),
    );
  }
}

/** @param {Move | null} move */
function squaresOf(move) {
  return move ? [...move.from, ...move.to].filter((place) => place !== "hand" && place !== "off") : [];
}

/**
 * @param {import("./results.js").Game} game
 * @returns {Side | null}
 */
function winner({ result }) {
  return result === "light" || result === "dark" ? result : null;
}

/**
 * Shows the game that the page's address names.
 *
 * @param {() => Promise<unknown>} chooseLanguage loads the page's language
 * @returns {Promise<ReplayPage | null>} null if it cannot be shown; the page then shows why
 */
export async function openReplay(chooseLanguage) {
  const page = loadReplay(chooseLanguage);
  const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("review-button"));
  button?.closest("[inert]")?.removeAttribute("inert");
  button?.addEventListener("click", async () => {
    button.disabled = true;
    // The game may still be on its way.
    await (await page)?.startReview();
    button.disabled = false;
  });
  return page;
}

/** @param {() => Promise<unknown>} chooseLanguage */
async function loadReplay(chooseLanguage) {
  offerLarger();
  offerView();
  await chooseLanguage();
  const replay = await get(`/api${location.pathname}`);
  if (replay.ok) return new ReplayPage(Board.drawn(), replay.data);
  showError(replay.error || gettext("The table does not respond."));
  return null;
}

/**
 * Shows why there is no replay, without a board and controls, and a link to the games.
 *
 * @param {string} error
 */
function showError(error) {
  document.body.classList.add("empty");
  const title = gettext("Game {number}", { number: location.pathname.split("/").at(-1) ?? "" });
  document.title = `${title} – urpi`;
  put(the("players"), title);
  notify(error);
  the("notice").after(html("p", {}, html("a", { class: "button", href: "/games" }, gettext("To the games"))));
}

/** @param {string} text */
function notify(text) {
  the("notice").hidden = false;
  put(the("notice"), text);
}
