/**
 * The probability to win, as a bar above the board. In games of two people it is hidden, unless this
 * browser's user has chosen otherwise.
 *
 * The choice is a cookie, so that the server reserves the bar's place in the page's first picture
 * (`urpi/page/first_view.py`).
 */

import { put, set, the } from "./elements.js";
import { gettext, percent, playerName } from "./translation.js";

/** @typedef {import("./state.js").State} State */

const NAME = "urpi-win";
const YEAR_S = 31_536_000;
/** The first one is the default. */
export const CHOICES = /** @type {const} */ (["engine", "always", "never"]);

/** @typedef {(typeof CHOICES)[number]} Choice */

/** Returns when the bar is shown in this browser. */
export function winChoice() {
  const found = document.cookie.match(/(?:^|; )urpi-win=(\w+)/)?.[1];
  return CHOICES.find((one) => one === found) ?? CHOICES[0];
}

/** @param {Choice} choice */
export function chooseWin(choice) {
  document.cookie = `${NAME}=${choice}; Max-Age=${YEAR_S}; Path=/; SameSite=Strict`;
  document.dispatchEvent(new Event("urpi-win"));
}

/**
 * @param {State} state
 * @param {Choice} choice
 */
function isShown({ explore, hints, position, seats }, choice) {
  if (!hints || !position || choice === "never") return false;
  return explore !== null || choice === "always" || seats.light !== "person" || seats.dark !== "person";
}

export class WinBar {
  /** @param {() => Choice} choice returns when the bar is shown */
  constructor(choice = winChoice) {
    this.choice = choice;
    /** @type {State | null} */
    this.state = null;
    /** What the shown values belong to, and those that were requested last. */
    this.key = "";
    document.addEventListener("urpi-win", () => this.state && this.show(this.state));
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const shown = isShown(state, this.choice());
    document.body.toggleAttribute("data-win", shown);
    const key = shown ? [document.documentElement.lang, state.game, state.phase, state.explore?.stage, state.position?.text, state.throw?.faces].join() : "";
    if (key === this.key) return;
    this.key = key;
    if (shown) void this.load(state, key);
  }

  /**
   * @param {State} state
   * @param {string} key
   */
  async load({ players }, key) {
    const value = await fetch("/api/value")
      .then(async (response) => (response.ok ? (await response.json()).value : null))
      .catch(() => null);
    if (key !== this.key) return;
    draw(value, players);
    document.dispatchEvent(new CustomEvent("urpi-value", { detail: value }));
  }
}

/**
 * @param {import("./state.js").Value | null} value
 * @param {import("./state.js").Names} players
 */
function draw(value, players) {
  const kind = value ? (value.kind === "exact" ? gettext("exact") : gettext("estimated")) : "";
  for (const side of /** @type {const} */ (["light", "dark"])) put(the(`win-${side}`), value ? chance(value[side]) : "–");
  put(the("win-kind"), kind);
  the("win-fill").style.width = `${100 * (value?.dark ?? 0.5)}%`;
  the("win").classList.toggle("win-none", !value);
  const label = value && {
    dark: playerName("dark", players),
    light: playerName("light", players),
    darkchance: chance(value.dark),
    lightchance: chance(value.light),
    kind,
  };
  set(the("win"), { "aria-label": label ? gettext("Chances of winning: {dark} {darkchance}, {light} {lightchance} ({kind})", label) : gettext("Chances of winning") });
}

/**
 * Returns a probability in whole percent. Only what is certain is 0 or 100.
 *
 * @param {number} value from 0 to 1
 */
export function chance(value) {
  if (value > 0 && value < 0.01) return `<${percent(0.01)}`;
  if (value < 1 && value > 0.99) return `>${percent(0.99)}`;
  return percent(Math.round(100 * value) / 100);
}
