/** The page of an analysis: a position, its throws and moves with their values, and playing on from there. */

import { get } from "./api.js";
import { Board } from "./board.js";
import { put, the } from "./elements.js";
import { showMoves, showThrows } from "./analysis_tables.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { decisionAt, offerPlay } from "./positions.js";
import { isBusy } from "./replay_steps.js";
import { chooseLanguage, dotted, gettext, percentOf, sideName } from "./translation.js";
import { offerLarger, offerView } from "./view.js";

/** @typedef {import("./state.js").Side} Side */
/** @typedef {import("./state.js").Move & {value: number, loss: number, position: string, declined: string | null}} ValuedMove */
/**
 * @typedef {{
 *   faces: string, value: number, chance: number, best: import("./state.js").Move, after: number, luck: number,
 * }} ValuedThrow
 * @typedef {{
 *   position: import("./state.js").Position, rules: import("./state.js").Rules, side: Side | null,
 *   winner: Side | null, throw: import("./state.js").Throw | null, luck: number | null, by: string | null,
 *   source: string, value: number | null, throws: ValuedThrow[], moves: ValuedMove[],
 * }} Analysis
 * @typedef {{position?: string, faces?: string, move?: string}} Query a move is one that was played
 */

/** Pause before a request that the table was too busy for is repeated. */
const BUSY_MS = 1000;
const NAMES = { light: "", dark: "" };

class AnalysisPage {
  constructor() {
    this.board = Board.drawn();
    /** The steps of this visit, which the browser's history stores: the number of this one and of the last. */
    this.at = Number(history.state?.at ?? 0);
    this.last = this.at;
    /** @type {Query} */
    this.query = {};
    /** @type {Analysis | null} */
    this.shown = null;
    /** The analyses of this visit by their addresses, for steps back. @type {Map<string, Analysis>} */
    this.known = new Map();
    this.listen();
  }

  listen() {
    the("back").addEventListener("click", () => history.back());
    the("on").addEventListener("click", () => history.forward());
    the("throw").addEventListener("click", () => this.throw());
    the("share-button").addEventListener("click", () => void this.share());
    the("position-form").addEventListener("submit", (event) => this.enter(event));
    this.board.svg.addEventListener("click", (event) => this.choose(this.board.placeAt(this.board.point(event))));
    this.board.svg.addEventListener("board-choose", (event) => this.choose(/** @type {CustomEvent} */ (event).detail.place));
    document.addEventListener("keydown", (event) => this.press(event));
    addEventListener("popstate", (event) => {
      this.at = Number(event.state?.at ?? 0);
      void this.show(queryOf(location.search));
    });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (isBusy(event)) return;
    if (event.key === "ArrowLeft") this.at > 0 && history.back();
    else if (event.key === "ArrowRight") this.at < this.last && history.forward();
    else if (event.key === " " && !isButton(event.target)) this.throw();
    else return;
    event.preventDefault();
  }

  /** Shows what the page's address names: a position, or a decision of a stored game. */
  async begin() {
    const game = new URLSearchParams(location.search).get("game");
    const query = game ? await decisionOf(game) : queryOf(location.search);
    if (!query) return this.fail(gettext("There is no such game."));
    if (!(await this.show(query))) return;
    history.replaceState({ at: this.at }, "", addressOf(this.query));
  }

  /**
   * Goes a step on, to another position or throw.
   *
   * @param {Query} query
   */
  async go(query) {
    if (!(await this.show(query))) return false;
    this.last = ++this.at;
    history.pushState({ at: this.at }, "", addressOf(this.query));
    this.showSteps();
    return true;
  }

  /**
   * Requests a position and shows it.
   *
   * @param {Query} query
   * @returns {Promise<boolean>} whether it is shown: not if it does not exist, or another one was requested since
   */
  async show(query) {
    const asked = (this.asked = {});
    const found = await this.request(query, () => asked === this.asked);
    if (!found || asked !== this.asked) return false;
    this.shown = found;
    const move = query.move ? { move: query.move } : {};
    this.query = { position: found.position.text, ...(found.throw ? { faces: found.throw.faces, ...move } : {}) };
    this.draw(found);
    return true;
  }

  /**
   * @param {Query} query
   * @param {() => boolean} isWanted
   */
  async request(query, isWanted) {
    const address = addressOf(query);
    const known = this.known.get(address);
    if (known) return known;
    let answer = await get(`/api/analysis${address}`);
    while (answer.status === 429 && isWanted()) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      answer = await get(`/api/analysis${address}`);
    }
    if (answer.ok) this.known.set(address, answer.data);
    else if (isWanted()) this.fail([400, 404].includes(answer.status) ? unreadable(answer.error) : answer.error);
    return /** @type {Analysis | null} */ (answer.ok ? answer.data : null);
  }

  /** @param {string} error */
  fail(error) {
    the("notice").hidden = false;
    put(the("notice"), error);
    ready();
  }

  /** @param {Analysis} found */
  draw(found) {
    const { position, rules, side, winner } = found;
    the("notice").hidden = true;
    this.board.paths = rules.paths;
    this.board.show(piecesOf(position, rules.pieces));
    const phase = side === null ? "over" : found.throw ? "move" : "throw";
    showPlates({ players: NAMES, rules, phase, position, side, legal: found.moves, outcome: winner ? { side: winner } : null });
    put(the("about"), dotted([gettext("Analysis"), rules.name]));
    put(the("now"), headline(found));
    put(the("odds"), odds(found));
    put(the("source"), found.source);
    document.title = `${headline(found)} – urpi`;
    showThrows(found, (faces) => this.chooseThrow(faces), (move) => this.only(move));
    showMoves(found, this.query.move ?? null, (to) => void this.go({ position: to }), (move) => this.only(move));
    this.only(null);
    offerPlay(the("play-here"), position.text);
    const field = /** @type {HTMLInputElement} */ (the("position-text"));
    if (document.activeElement !== field) field.value = position.text;
    this.showSteps();
    ready();
  }

  showSteps() {
    /** @type {HTMLButtonElement} */ (the("back")).disabled = this.at === 0;
    /** @type {HTMLButtonElement} */ (the("on")).disabled = this.at >= this.last;
    /** @type {HTMLButtonElement} */ (the("throw")).disabled = !this.shown?.side || this.shown.throw !== null;
  }

  /**
   * Draws a move as an arrow; without one the best move, and the one that was played as a dashed arrow.
   *
   * @param {import("./state.js").Move | null} move
   */
  only(move) {
    const { moves, side } = this.shown ?? { moves: [], side: null };
    const played = moves.find((one) => one.move === this.query.move && one !== moves[0]);
    const usual = [...(played ? [{ ...played, worse: true }] : []), ...moves.slice(0, 1)];
    this.board.arrows(move ? [move] : usual, side ?? "light");
  }

  /**
   * Chooses a throw, or none if it is chosen already.
   *
   * @param {string | null} faces
   */
  chooseThrow(faces) {
    const { position } = this.query;
    return this.go(faces === null ? { position } : { position, faces });
  }

  /** Throws the dice at random. */
  throw() {
    if (/** @type {HTMLButtonElement} */ (the("throw")).disabled || !this.shown) return;
    let chance = Math.random();
    const thrown = this.shown.throws.find((one) => (chance -= one.chance) < 0) ?? this.shown.throws.at(-1);
    if (thrown) void this.chooseThrow(thrown.faces);
  }

  /**
   * Plays the move of the piece on a place, or the one that ends there; several are shown.
   *
   * @param {string | null} place
   */
  choose(place) {
    const { moves, side } = this.shown ?? { moves: [], side: null };
    /** @param {string | undefined} end */
    const placeOf = (end) => (end === "hand" ? `hand:${side}` : end === "off" ? `home:${side}` : end);
    const begins = moves.filter((move) => placeOf(move.from[0]) === place);
    const found = begins.length ? begins : moves.filter((move) => placeOf(move.to.at(-1)) === place);
    if (found.length > 1) this.board.arrows(found, side ?? "light");
    else if (found[0]) void this.go({ position: found[0].position });
  }

  /** @param {Event} event */
  async enter(event) {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (the("position-text"));
    const entered = await this.go({ position: field.value.trim() });
    if (entered) field.value = this.query.position ?? "";
  }

  async share() {
    const { openAnalysisShare } = await import("./share.js").catch(() => ({ openAnalysisShare: null }));
    if (!openAnalysisShare) return this.fail(gettext("The table does not respond."));
    await openAnalysisShare(addressOf(this.query), this.shown?.moves[0]?.move);
  }
}

/**
 * Returns that a text is no position, with the details, which name its words and are in English.
 *
 * @param {string} details
 */
const unreadable = (details) => `${gettext("This position does not exist in this game.")} (${details})`;

/** @param {Analysis} found */
function headline({ side, winner, throw: thrown }) {
  if (!side) return winner ? gettext("{name} wins!", { name: sideName(winner) }) : gettext("No winner");
  if (!thrown) return gettext("Next to throw: {side}.", { side: sideName(side) });
  return dotted([sideName(side), gettext("Throw: {value}", { value: thrown.value })]);
}

/** @param {Analysis} found */
function odds({ side, value, luck }) {
  if (!side || value === null) return "";
  const light = side === "light" ? value : 1 - value;
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const both = [["light", light], ["dark", 1 - light]].map(
    ([one, share]) => `${sideName(/** @type {Side} */ (one))} ${percentOf(Number(share), digits)}`,
  );
  const signed = luck === null ? [] : [gettext("Luck {luck}", { luck: percentOf(luck, { ...digits, signDisplay: "exceptZero" }) })];
  // A line ends between them only.
  return dotted([...both, ...signed].map((part) => part.replaceAll(" ", "\u00a0")));
}

/** Until the first position is shown, a click would have no effect. */
const ready = () => document.querySelector(".panel")?.removeAttribute("inert");

/** @param {EventTarget | null} target */
const isButton = (target) => target instanceof Element && Boolean(target.closest("button, a"));

/**
 * Returns the address of a position, which is also the query of its request.
 *
 * @param {Query} query
 */
const addressOf = (query) => (query.position ? `?${new URLSearchParams(query)}` : "");

/**
 * @param {string} search
 * @returns {Query}
 */
function queryOf(search) {
  const found = new URLSearchParams(search);
  const named = ["position", "faces", "move"].flatMap((name) => (found.get(name) ? [[name, found.get(name)]] : []));
  return Object.fromEntries(named);
}

/**
 * Returns the last decision of a stored game, null if there is no such game.
 *
 * @param {string} game
 * @returns {Promise<Query | null>}
 */
async function decisionOf(game) {
  const answer = await get(`/api/games/${encodeURIComponent(game)}`);
  return answer.ok ? decisionAt(answer.data.frames, answer.data.frames.length - 1) : null;
}

offerLarger();
offerView();
await chooseLanguage();
await new AnalysisPage().begin();
