/**
 * Sounds of the game, synthesised with Web Audio. They are off until the button is pressed; the
 * choice is stored in this browser.
 */

import { load, store } from "./storage.js";

const NAME = "urpi-sound";
/** Decisions that arrive together, as after a reconnect, make one sound. */
const GATHER_MS = 40;
const VOLUME = 0.25;

/** @typedef {"throw" | "move" | "capture" | "warning" | "won"} Sound */
/** @typedef {{context: AudioContext, out: AudioNode, at: number}} Desk */

/** @type {Record<Sound, (desk: Desk) => void>} */
const SCORES = {
  throw: (desk) => [0, 0.06, 0.1, 0.17, 0.26].forEach((at, n) => knock(desk, at, 2600 - 280 * n, 0.5)),
  move: (desk) => knock(desk, 0, 620, 1),
  capture: (desk) => [0, 0.1].forEach((at) => knock(desk, at, 420 - 1400 * at, 1)),
  warning: (desk) => [0, 0.18].forEach((at) => tone(desk, at, 330, 0.14)),
  won: (desk) => [523, 659, 784, 1047].forEach((pitch, n) => tone(desk, 0.14 * n, pitch, n < 3 ? 0.14 : 0.5)),
};
/** Of several sounds, the last one in this order is played. */
const ORDER = /** @type {Sound[]} */ (Object.keys(SCORES));

/**
 * Returns the sound of a decision, null if it has none.
 *
 * @param {{type: string, move?: string}} decision
 * @returns {Sound | null}
 */
export function soundOf({ type, move = "" }) {
  if (type === "move") return move.includes("x") ? "capture" : "move";
  const sounds = /** @type {Record<string, Sound>} */ ({
    roll: "throw",
    takeback: "move",
    warning: "warning",
    question: "warning",
    "roll-refused": "warning",
    fault: "warning",
    won: "won",
    drawn: "won",
  });
  return sounds[type] ?? null;
}

export class Sounds {
  /** @param {HTMLElement} button switches them on and off */
  constructor(button) {
    this.button = button;
    this.on = load(NAME) === "on";
    /** The last decision that happened before the page was opened. */
    // Until the first state has arrived, every decision counts as an old one.
    this.before = Infinity;
    /** @type {Set<Sound>} */
    this.waiting = new Set();
    /** @type {AudioContext | null} */
    this.context = null;
    button.addEventListener("click", () => this.toggle());
    // Browsers play nothing before the first gesture on a page.
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => this.unlock(), true);
    this.show();
  }

  toggle() {
    this.on = !this.on;
    store(NAME, this.on ? "on" : "off");
    this.show();
    this.unlock();
    if (this.on) this.play("move");
  }

  show() {
    this.button.setAttribute("aria-pressed", String(this.on));
  }

  unlock() {
    if (!this.on) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") void this.context.resume();
  }

  /**
   * Plays the sound of a decision, unless it was taken before the page was opened.
   *
   * @param {{type: string, seq: number, move?: string}} decision
   */
  decided(decision) {
    const sound = soundOf(decision);
    if (!sound || decision.seq <= this.before) return;
    if (!this.waiting.size) setTimeout(() => this.playWaiting(), GATHER_MS);
    this.waiting.add(sound);
  }

  playWaiting() {
    const sound = ORDER.findLast((one) => this.waiting.has(one));
    this.waiting.clear();
    if (sound) this.play(sound);
  }

  /** @param {Sound} sound */
  play(sound) {
    if (!this.on || this.context?.state === "closed") return;
    document.dispatchEvent(new CustomEvent("urpi-sound", { detail: sound }));
    const { context } = this;
    if (!context) return;
    const out = new GainNode(context, { gain: VOLUME });
    out.connect(context.destination);
    // A little later than now: a start in the past would cut the attack off.
    SCORES[sound]({ context, out, at: context.currentTime + 0.01 });
  }
}

/**
 * A short tone that fades out.
 *
 * @param {Desk} desk
 * @param {number} after seconds from now
 * @param {number} pitch hertz
 * @param {number} length seconds
 */
function tone({ context, out, at }, after, pitch, length) {
  const voice = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  fade(context, voice, out, at + after, length, 0.8);
  voice.start(at + after);
  voice.stop(at + after + length);
}

/**
 * A knock of wood: filtered noise of 60 ms.
 *
 * @param {Desk} desk
 * @param {number} after seconds from now
 * @param {number} pitch hertz, the filter's centre
 * @param {number} level from 0 to 1
 */
function knock({ context, out, at }, after, pitch, level) {
  const length = 0.06;
  const buffer = new AudioBuffer({ length: Math.ceil(length * context.sampleRate), sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = 2 * Math.random() - 1;
  const noise = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 4 });
  noise.connect(filter);
  fade(context, filter, out, at + after, length, 3 * level);
  noise.start(at + after);
}

/**
 * @param {AudioContext} context
 * @param {AudioNode} source
 * @param {AudioNode} out
 * @param {number} at
 * @param {number} length
 * @param {number} level
 */
function fade(context, source, out, at, length, level) {
  const envelope = new GainNode(context, { gain: 0 });
  envelope.gain.setValueAtTime(level, at);
  // An exponential ramp cannot reach 0.
  envelope.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(envelope).connect(out);
}
