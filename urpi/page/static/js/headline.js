/** The headline: what the game waits for, in one line that can be read across a room, and the line below it. */

import { put, the } from "./elements.js";
import { gettext, nameAndPlace } from "./translation.js";

/** @typedef {import("./state.js").State} State */

/** Why a draw may be claimed. @type {Record<string, () => string>} */
const DRAWS = {
  "repeated-action": () => gettext("The same move was played five times."),
  "repeated-position": () => gettext("The same position came up five times."),
};
/** A move that counts sooner by itself needs no explanation. */
const SHORT_MS = 2000;
/** Delay at a virtual table, where the page presses the button after a move of its own player. */
const PRESSES_MS = 1500;

/**
 * @param {State} state
 * @returns {string}
 */
export function headline(state) {
  if (state.outcome) return state.outcome.text;
  if (state.warning) return gettext("Please correct the board");
  const name = state.side ? nameAndPlace(state.side, state) : "";
  switch (state.phase) {
    case "set-up":
      return gettext("Set up the board");
    case "choose-first":
      return gettext("Who begins?");
    case "start-throw":
      return gettext("{name} throws to decide who begins", { name });
    case "throw":
      if (state.side && state.seats[state.side] === "remote") return gettext("Waiting for {name}", { name });
      if (state.engine_throws === "program" && state.side && state.seats[state.side] !== "person") return gettext("The program throws");
      return state.dice.rolling.length ? gettext("The dice roll") : gettext("{name}, throw the dice", { name });
    case "move":
      return moveText(state, name);
    default:
      return gettext("No game is running");
  }
}

/**
 * @param {State} state
 * @param {string} name
 */
function moveText(state, name) {
  const value = state.throw?.value ?? 0;
  const remote = state.side && state.seats[state.side] === "remote";
  if (remote && state.planned && !state.seems) return gettext("{name}: {move}", { name, move: state.planned.text });
  if (remote && !state.seems) return gettext("Waiting for {name}", { name });
  if (state.thinking) return gettext("The engine is still thinking.");
  if (state.planned && !state.seems) {
    const plays = gettext("Engine plays: {move}", { move: state.planned.text });
    return state.program_threw ? `${gettext("Threw {value}.", { value })} ${plays}` : plays;
  }
  if (state.seems) return gettext("It looks as if {name} has moved", { name });
  if (state.side && state.seats[state.side] !== "person") return gettext("The engine failed. Choose its move.");
  return gettext("{name} threw {value}: move a piece", { name, value });
}

/**
 * Returns what settles a move that seems made, empty if nothing has to.
 *
 * @param {State} state
 * @param {number} seconds until it counts by itself
 */
function nextStep(state, seconds) {
  if (!state.seems) return "";
  const counts = gettext("The move counts in {seconds} s.", { seconds });
  const mayThrow = waitsForThrow(state) && !programThrows(state);
  if (state.table === "virtual") return mayThrow ? `${gettext("If so, just throw.")} ${counts}` : counts;
  const press = mayThrow ? gettext("If so, just throw, or press the button beside the board.") : gettext("If so, press the button beside the board.");
  return `${press} ${counts}`;
}

/**
 * Whether the program throws next, also after a move that seems made.
 *
 * @param {State} state
 */
export function programThrows({ side, seems, seats, engine_throws }) {
  const next = seems && side ? (side === "light" ? "dark" : "light") : side;
  return next !== null && seats[next] !== "person" && engine_throws === "program";
}

/**
 * Whether a throw is next: also after a move that seems made, such as one that bears a piece off,
 * which counts when the dice roll; unless it wins.
 *
 * @param {State} state
 */
export function waitsForThrow({ phase, seems, side, position, rules }) {
  if (["set-up", "start-throw", "throw"].includes(phase)) return true;
  return seems !== null && side !== null && position !== null && position.off[side] + 1 < (rules?.pieces ?? 0);
}

/**
 * The line below the headline: the latest decision; or why a draw may be claimed; or what settles a move that only
 * seems made, and the seconds until it counts by itself.
 */
export class LastLine {
  constructor() {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    /** The move that seems made. @type {string | null} */
    this.seems = null;
    this.from = this.until = 0;
  }

  /** @param {State} state */
  show(state) {
    clearInterval(this.timer);
    const left = state.seems_ms ?? 0;
    const now = performance.now();
    if (state.seems !== this.seems) this.from = left < SHORT_MS ? Infinity : now + (state.table === "virtual" ? PRESSES_MS : 0);
    this.seems = state.seems;
    this.until = now + left;
    this.write(state);
    if (state.seems) this.timer = setInterval(() => this.write(state), 250);
  }

  /** @param {State} state */
  write(state) {
    const now = performance.now();
    const step = now < this.from ? "" : nextStep(state, Math.ceil(Math.max(this.until - now, 0) / 1000));
    put(the("last"), state.outcome ? "" : step || (DRAWS[state.draw ?? ""]?.() ?? state.last?.text ?? ""));
  }
}
