/** A table on the wall: its board, players, throw, and what the game waits for. */

import { Board } from "../board.js";
import { drawDie, thrown } from "../dice.js";
import { showTime } from "../clocks.js";
import { put } from "../elements.js";
import { headline } from "../headline.js";
import { piecesOf } from "../pieces.js";
import { score } from "../plates.js";
import { resultText } from "../results.js";
import { dotted, gettext, isolated, language, playerName } from "../translation.js";
import { namesAt } from "./names.js";

/**
 * @typedef {import("../state.js").State & {result: string | null, last: string}} TableState
 * @typedef {{table: string, online: boolean, seen: number | null, state: TableState | null}} Table
 */

/**
 * @typedef {{
 *   light: string, dark: string, games: number, game: number, light_points: number, dark_points: number,
 * }} Next a pairing that plays at a table
 */

/** A name with more characters is written on two lines. */
const LONG_NAME = 20;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

export class Card {
  /** @param {HTMLTemplateElement} template */
  constructor(template) {
    const made = /** @type {DocumentFragment} */ (document.importNode(template.content, true));
    this.element = /** @type {HTMLElement} */ (made.querySelector(".live"));
    this.board = new Board(/** @type {any} */ (made.querySelector(".ur-table")));
    /** @type {Table | null} */
    this.table = null;
    this.dice = "";
    /** @type {Next | null} */
    this.next = null;
    /** The number of the match's game that is running, or has just been played. */
    this.playing = 0;
    this.rules = "";
  }

  /** @param {string} selector */
  part(selector) {
    return /** @type {HTMLElement} */ (this.element.querySelector(selector));
  }

  /**
   * @param {Table} table
   * @param {Record<string, string>} ruleNames
   */
  show(table, ruleNames) {
    this.table = table;
    const state = shownState(table);
    const link = this.part(".live-table");
    link.setAttribute("href", `/tables/${table.table}`);
    put(link, table.table);
    this.rules = state?.rules ? (ruleNames[state.rules.id] ?? state.rules.name) : "";
    this.element.classList.toggle("live-offline", !table.online);
    this.element.classList.toggle("live-warned", Boolean(table.online && state?.warning));
    this.showPlates(state);
    this.showThrow(state);
    this.board.paths = state?.rules?.paths ?? null;
    this.board.show(state?.position ? piecesOf(state.position, state.rules?.pieces ?? 7) : []);
    this.board.mark("last", state?.last.match(/[ABC]\d/g) ?? []);
  }

  /** @param {TableState | null} state */
  showPlates(state) {
    for (const side of /** @type {const} */ (["light", "dark"])) {
      const plate = this.part(`.plate-${side}`);
      plate.classList.toggle("plate-turn", state?.side === side && state.phase !== "over");
      plate.classList.toggle("plate-won", state?.result === side);
      const name = playerName(side, state?.players ?? { light: "", dark: "" });
      put(this.part(`.plate-${side} .name`), name);
      plate.style.setProperty("--letters", String(name.length));
      plate.classList.toggle("plate-long", name.length > LONG_NAME);
      put(this.part(`.plate-${side} .score`), state?.position ? score(state, state.position, side) : "");
    }
  }

  /** @param {TableState | null} state */
  showThrow(state) {
    const dice = state?.throw && state.rules ? thrown(state.throw.faces, state.rules.dice.body) : [];
    const key = JSON.stringify([dice, language()]);
    if (key !== this.dice) this.part(".dice").replaceChildren(...dice.map((die) => drawDie(die)));
    this.dice = key;
    put(this.part(".throw-value"), state?.throw ? String(state.throw.value) : "");
  }

  /**
   * Shows what the game waits for, and the time since the table published something. An offline table
   * has the time in place of the headline, where there is room for both words and time in every language.
   *
   * @param {number} now milliseconds, by the server's clock
   */
  tick(now) {
    if (!this.table) return;
    const { online } = this.table;
    const since = this.silence(now);
    const offline = dotted([gettext("Offline"), agoText(since)]);
    const state = shownState(this.table);
    const isOfPairing = state !== null && this.next !== null && isSamePair(state.players, this.next);
    const isRunning = state !== null && state.phase !== "over" && (isOfPairing || hasBegun(state));
    if (isRunning) this.playing = isOfPairing ? (this.next?.game ?? 0) : 0;
    // Those who have just played are not the next ones until their result is stored.
    const isStored = !isOfPairing || (this.next !== null && this.next.games > 1 && this.next.game !== this.playing);
    const next = this.next && !isRunning && isStored ? nextText(this.next) : "";
    const match = isRunning && isOfPairing && this.next ? matchText(this.next) : "";
    put(this.part(".live-rules"), match || this.rules);
    const waits = next || (state ? headline(state) : gettext("No game is running"));
    put(this.part(".live-headline"), online ? waits : offline);
    put(this.part(".live-since"), online && since >= MINUTE_S ? agoText(since) : "");
    this.showClocks(state?.clock, since);
  }

  /**
   * Shows the clocks, by the whole second as the wall is drawn.
   *
   * @param {import("../state.js").GameClock | undefined} clock
   * @param {number} since seconds since the table sent it
   */
  showClocks(clock, since) {
    for (const side of /** @type {const} */ (["light", "dark"])) {
      const left = clock?.left_ms[side] ?? null;
      const shown = this.part(`.plate-${side} .clock`);
      showTime(shown, { left, runs: clock?.running === side, passed: 1000 * since, tenths: false });
    }
  }

  /**
   * Returns the seconds since the table published something.
   *
   * @param {number} now
   */
  silence(now) {
    const seen = this.table?.seen ?? null;
    return seen === null ? Infinity : Math.max(now - seen, 0) / 1000;
  }
}

/**
 * Returns a table's state with what `headline` needs.
 *
 * @param {Table} table
 * @returns {TableState | null}
 */
function shownState({ table, state: shown }) {
  if (!shown) return null;
  const state = /** @type {any} */ (shown);
  const players = namesAt(table, state);
  const text = state.result ? resultText({ ...state, ...players }) : "";
  const outcome = state.result ? /** @type {any} */ ({ text }) : null;
  const dice = { rolling: [], waiting: [], settled: {} };
  const elsewhere = state.seats.light === "remote" ? "light" : "dark";
  // A name that says the table already is not followed by it.
  const isNamed = players[elsewhere] === state.players[elsewhere];
  const opponent = isNamed && state.opponent ? { table: state.opponent, place: state.opponent } : null;
  return { ...state, players, outcome, dice, opponent, planned: null, thinking: false, seems: null, seems_ms: null };
}

/**
 * Returns whether two pairs are of the same players, on whichever sides.
 *
 * @param {{light: string, dark: string}} one
 * @param {{light: string, dark: string}} other
 */
function isSamePair(one, other) {
  /** @param {{light: string, dark: string}} pair */
  const key = ({ light, dark }) => [light, dark].map((name) => name.toLowerCase()).sort().join("\n");
  return key(one) === key(other);
}

/**
 * Returns who plays next at a table.
 *
 * @param {Next} next
 */
function nextText(next) {
  // Translators: The two players who play next at a table.
  return matchText(next) || gettext("Next: {light} – {dark}", { light: isolated(next.light), dark: isolated(next.dark) });
}

/**
 * Returns the state of a match of several games; empty for a single game.
 *
 * @param {Next} next
 */
function matchText({ light, dark, games, game, light_points, dark_points }) {
  if (games === 1) return "";
  const format = new Intl.NumberFormat(language());
  const score = `${format.format(light_points)} – ${format.format(dark_points)}`;
  const names = { light: isolated(light), dark: isolated(dark) };
  // Translators: A match of several games at a table: the players with their points, and the game that is next or running.
  return gettext("{light} {score} {dark}, game {number} of {all}", { ...names, score: isolated(score), number: game, all: games });
}

/**
 * Returns whether anything was thrown or moved in a game. A table begins one by itself, which waits for players.
 *
 * @param {TableState} state
 */
function hasBegun({ throw: thrown, last, opponent, position }) {
  if (!position) return false;
  const { squares, off } = position;
  return Boolean(thrown || last || opponent || Object.keys(squares).length || off.light || off.dark);
}

/** @param {number} seconds */
function agoText(seconds) {
  if (!Number.isFinite(seconds)) return "";
  const format = new Intl.RelativeTimeFormat(language(), { style: "short" });
  if (seconds < MINUTE_S) return format.format(-Math.round(seconds), "second");
  if (seconds < HOUR_S) return format.format(-Math.floor(seconds / MINUTE_S), "minute");
  if (seconds < DAY_S) return format.format(-Math.floor(seconds / HOUR_S), "hour");
  return format.format(-Math.floor(seconds / DAY_S), "day");
}
