/** The steps of a replay: going through them with buttons, keys, the wheel, the slider and the page's address, or by time. */

import { put, the } from "./elements.js";
import { letterOf } from "./keys.js";
import { gettext, pgettext } from "./translation.js";

/** @typedef {import("./replay.js").Frame} Frame */

const STEP_MS = 1100;
/** A notch of a mouse's wheel in pixels and, in browsers that count lines, the height of a line. */
const NOTCH_PX = 100;
const LINE_PX = 34;
/** In a window of this size the wheel over the board goes through the steps. */
const BESIDE = matchMedia("(min-width: 1000px)");

export class Steps {
  /**
   * @param {Frame[]} frames
   * @param {() => void} draw shows the current step
   */
  constructor(frames, draw) {
    this.frames = frames;
    this.draw = draw;
    this.at = 0;
    /** How far the wheel has turned since the last step, in pixels. */
    this.turned = 0;
    this.slider = /** @type {HTMLInputElement} */ (the("slider"));
    this.slider.max = String(this.last);
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
    this.listen();
  }

  get last() {
    return this.frames.length - 1;
  }

  get frame() {
    return /** @type {Frame} */ (this.frames[this.at]);
  }

  /** Shows the step that the page's address names, else the first one. */
  begin() {
    this.go(stepOf(location.hash) ?? linkedStep() ?? 0);
  }

  listen() {
    const steps = /** @type {Record<string, () => number>} */ ({
      first: () => 0,
      back: () => this.at - 1,
      on: () => this.at + 1,
      end: () => this.last,
    });
    for (const [id, to] of Object.entries(steps)) {
      the(id).addEventListener("click", () => this.choose(to()));
    }
    the("play").addEventListener("click", () => this.play());
    this.slider.addEventListener("input", () => this.choose(Number(this.slider.value)));
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
    this.choose(this.at + steps);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (isBusy(event)) return;
    const to = this.target(event.key);
    if (to !== undefined) this.choose(to);
    else if (letterOf(event) === "p") this.play();
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
      End: () => this.last,
    });
    return keys[key]?.();
  }

  /** @param {number} turn */
  beginning(turn) {
    const found = this.frames.findIndex((frame) => frame.turn === turn);
    return found < 0 ? (turn < 1 ? 0 : this.last) : found;
  }

  play() {
    if (this.playing) return this.stop();
    if (this.at === this.last) this.go(0);
    this.playing = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.last) this.stop();
    }, STEP_MS);
    this.showPlaying();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.showPlaying();
  }

  showPlaying() {
    // Translators: The button that runs the replay of a game, as in a media player.
    put(the("play"), this.playing ? gettext("Pause") : pgettext("replay", "Play"));
    the("play").setAttribute("aria-pressed", String(Boolean(this.playing)));
  }

  /**
   * Goes to a step that a person has chosen.
   *
   * @param {number} to
   */
  choose(to) {
    this.stop();
    this.go(to);
  }

  /** @param {number} to */
  go(to) {
    this.at = Math.min(Math.max(to, 0), this.last);
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
}

/**
 * Whether a key belongs to what has the focus, or to the browser.
 *
 * @param {KeyboardEvent} event
 */
export function isBusy({ target, ctrlKey, metaKey, altKey }) {
  const busy = target instanceof Element && target.closest("input, select, [role=grid]");
  return Boolean(busy) || ctrlKey || metaKey || altKey;
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
