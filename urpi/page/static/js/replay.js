/** The replay of a stored game, step by step, with the legal moves and what the board saw. */

import { Board } from "./board.js";
import { drawDie, thrown } from "./dice.js";
import { html, put, the } from "./elements.js";
import { resultText } from "./results.js";
import { offerLarger, offerView } from "./view.js";
import { Moves } from "./moves.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { positionOf } from "./positions.js";
import { TurnEvents } from "./turn_events.js";
import { moment, playerName, gettext } from "./translation.js";
import { get } from "./api.js";
import { letterOf } from "./keys.js";

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
 *   frames: Frame[],
 * }} Replay
 */

const STEP_MS = 1100;
/** A notch of a mouse's wheel in pixels and, in browsers that count lines, the height of a line. */
const NOTCH_PX = 100;
const LINE_PX = 34;
/** In a window of this size the wheel over the board goes through the steps. */
const BESIDE = matchMedia("(min-width: 1000px)");

export class ReplayPage {
  /**
   * @param {Board} board
   * @param {Replay} replay
   */
  constructor(board, replay) {
    this.board = board;
    this.replay = replay;
    this.at = 0;
    /** How far the wheel has turned since the last step, in pixels. */
    this.turned = 0;
    board.paths = replay.rules.paths;
    this.moves = new Moves(board);
    /** What the board saw; a club's page does not show it. */
    this.events = document.getElementById("events-button") && new TurnEvents(board, replay.game.id, () => this.draw());
    this.slider = /** @type {HTMLInputElement} */ (the("slider"));
    this.slider.max = String(replay.frames.length - 1);
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
    /** @type {import("./review.js").ReviewView | null} */
    this.review = null;
    this.listen();
    this.title();
    this.listTurns();
    this.go(stepOf(location.hash) ?? linkedStep() ?? 0);
  }

  listen() {
    const steps = /** @type {Record<string, () => number>} */ ({
      first: () => 0,
      back: () => this.at - 1,
      on: () => this.at + 1,
      end: () => this.replay.frames.length - 1,
    });
    for (const [id, to] of Object.entries(steps)) {
      the(id).addEventListener("click", () => (this.stop(), this.go(to())));
    }
    the("play").addEventListener("click", () => this.play());
    document.getElementById("share-button")?.addEventListener("click", () => void this.share());
    document.getElementById("review-button")?.addEventListener("click", () => void this.startReview());
    the("moves-button").addEventListener("click", () => this.review?.show());
    this.slider.addEventListener("input", () => (this.stop(), this.go(Number(this.slider.value))));
    // Until now a click would have had no effect.
    for (const part of document.querySelectorAll("main [inert]")) part.removeAttribute("inert");
    the("board").addEventListener("wheel", (event) => this.turnWheel(event), { passive: false });
    document.addEventListener("keydown", (event) => this.press(event));
    addEventListener("hashchange", () => {
      const step = stepOf(location.hash);
      if (step !== null) this.go(step);
    });
  }

  /**
   * Goes a step for each notch of the wheel over the board, unless the page itself scrolls there: on a
   * phone, and while the browser zooms.
   *
   * @param {WheelEvent} event
   */
  turnWheel(event) {
    if (event.ctrlKey || !BESIDE.matches || Math.abs(event.deltaY) < Math.abs(event.deltaX)) return;
    event.preventDefault();
    this.turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX);
    const steps = Math.trunc(this.turned / NOTCH_PX);
    if (!steps) return;
    this.turned -= steps * NOTCH_PX;
    this.stop();
    this.go(this.at + steps);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const busy = event.target instanceof Element && event.target.closest("input, select, [role=grid]");
    if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = this.target(event.key);
    if (to !== undefined) (this.stop(), this.go(to));
    else if (letterOf(event) === "m") (this.moves.toggle(), this.review?.show());
    else if (letterOf(event) === "p") this.play();
    else if (this.review && letterOf(event) === "b") this.review.goToMistake(-1);
    else if (this.review && letterOf(event) === "n") this.review.goToMistake(1);
    else return;
    event.preventDefault();
  }

  /** @param {string} key */
  target(key) {
    const keys = /** @type {Record<string, () => number>} */ ({
      ArrowLeft: () => this.at - 1,
      ArrowRight: () => this.at + 1,
      PageUp: () => this.beginning(this.frame.turn - 1),
      PageDown: () => this.beginning(this.frame.turn + 1),
      Home: () => 0,
      End: () => this.replay.frames.length - 1,
    });
    return keys[key]?.();
  }

  /** @param {number} turn */
  beginning(turn) {
    const found = this.replay.frames.findIndex((frame) => frame.turn === turn);
    return found < 0 ? (turn < 1 ? 0 : this.replay.frames.length - 1) : found;
  }

  get frame() {
    return /** @type {Frame} */ (this.replay.frames[this.at]);
  }

  play() {
    if (this.playing) return this.stop();
    if (this.at === this.replay.frames.length - 1) this.go(0);
    this.playing = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.replay.frames.length - 1) this.stop();
    }, STEP_MS);
    this.showPlaying();
  }

  /** Opens the dialog to share the current step. */
  async share() {
    const { openShare } = await import("./share.js");
    await openShare(this.replay.game.id, this.at);
  }

  /** Requests the review of the game, which takes some seconds, and shows it. */
  async startReview() {
    const { requestReview, ReviewView } = await import("./review.js");
    const review = await requestReview(this.replay.game.id);
    if (!review) return;
    this.review = new ReviewView(this, review);
    this.draw();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.showPlaying();
  }

  showPlaying() {
    put(the("play"), this.playing ? gettext("Pause") : gettext("Play"));
    the("play").setAttribute("aria-pressed", String(Boolean(this.playing)));
  }

  /** @param {number} to */
  go(to) {
    this.at = Math.min(Math.max(to, 0), this.replay.frames.length - 1);
    this.draw();
    this.updateUrl();
  }

  /** Stores the step in the URL. Safari limits how often, so a fast sequence skips some. */
  updateUrl() {
    try {
      history.replaceState(null, "", `#${this.at}`);
    } catch {
      // A later step updates the URL.
    }
  }

  draw() {
    const { frame, replay } = this;
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
    const step = { step: this.at, all: this.replay.frames.length - 1, turn: frame.turn };
    const text = gettext("Step {step} of {all}, turn {turn}", step);
    put(the("step"), text);
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", text);
    const { id } = this.replay.game;
    document.getElementById("export-dispute")?.setAttribute("href", `/api/games/${id}/dispute.html?turn=${frame.turn}`);
    for (const item of the("turns").querySelectorAll("[aria-current]")) {
      item.removeAttribute("aria-current");
    }
    const items = [...the("turns").querySelectorAll("[data-at]")];
    const item = items.findLast((one) => Number(one.getAttribute("data-at")) <= this.at);
    item?.setAttribute("aria-current", "step");
    if (item) show(item, the("turns-frame"));
  }

  title() {
    const { game } = this.replay;
    const players = `${playerName("light", game)} – ${playerName("dark", game)}`;
    document.title = `${players} – urpi`;
    put(the("players"), players);
    const number = gettext("Game {number}", { number: game.id });
    put(the("about"), [game.name, number, moment(game.started), resultText(game)].join(" · "));
    for (const [id, file] of [["replay", "replay.html"], ["record", "record.txt"], ["archive", "archive.jsonl"]]) {
      document.getElementById(`export-${id}`)?.setAttribute("href", `/api/games/${game.id}/${file}`);
    }
  }

  listTurns() {
    const items = this.replay.frames.map((frame, at) => ({ frame, at }));
    const played = items.filter(({ frame }) => frame.kind !== "roll");
    the("turns").replaceChildren(...played.map(({ frame, at }) => this.item(frame, at)));
  }

  /**
   * @param {Frame} frame
   * @param {number} at
   */
  item(frame, at) {
    const button = html("button", { type: "button", "data-at": at, class: `by-${frame.side}` });
    button.append(html("span", { class: "number" }, frame.turn ? String(frame.turn) : ""));
    if (frame.side && frame.turn) {
      const name = playerName(frame.side, this.replay.game);
      button.append(html("span", { class: `dot dot-${frame.side}`, role: "img", "aria-label": name }));
    }
    const value = frame.kind === "move" && frame.throw ? `${frame.throw.value}: ` : "";
    const text = frame.kind === "move" && frame.move ? frame.move.text : frameText(frame, this.replay.game);
    button.append(html("span", {}, value + text));
    button.addEventListener("click", () => (this.stop(), this.go(at)));
    return html("li", {}, button);
  }
}

/**
 * Returns the step in the fragment of a URL, null if it has none, as the link to the board.
 *
 * @param {string} hash
 * @returns {number | null}
 */
function stepOf(hash) {
  return /^#\d+$/.test(hash) ? Number(hash.slice(1)) : null;
}

/** Returns the step that a shared link names, null if it names none. */
function linkedStep() {
  const step = new URLSearchParams(location.search).get("step") ?? "";
  return /^\d+$/.test(step) ? Number(step) : null;
}

/**
 * Scrolls an item of a list into view, without scrolling the page.
 *
 * @param {Element} item
 * @param {HTMLElement} frame
 */
function show(item, frame) {
  const [inner, outer] = [item.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top + 40;
  else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + 40;
}

/**
 * Describes a frame in words.
 *
 * @param {Frame} frame
 * @param {import("./state.js").Names} names
 */
function frameText(frame, names) {
  if (frame.kind === "start") return gettext("The beginning");
  if (!frame.move) return frame.texts[0] ?? "";
  const name = frame.side ? playerName(frame.side, names) : "";
  const details = { name, move: frame.move.text };
  return frame.kind === "back" ? gettext("{name} takes back: {move}", details) : gettext("{name}: {move}", details);
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
  the("notice").hidden = false;
  put(the("notice"), error);
  the("notice").after(html("p", {}, html("a", { class: "button", href: "/games" }, gettext("To the games"))));
}
