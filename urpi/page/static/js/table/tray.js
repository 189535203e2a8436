/**
 * The dice on the table. The button or dragging the felt throws all of them; dragging or pressing a
 * single die throws that one.
 */

import { drawDie, faceName } from "../dice.js";
import { html } from "../elements.js";
import { waitsForThrow } from "../headline.js";
import { gettext, pgettext } from "../translation.js";
import { post } from "../api.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("./physical.js").TableDie} TableDie */
/** @typedef {import("../state.js").State} State */

/** Distance in pixels from which a touch counts as dragging. */
const DRAGGED = 14;
/** How long a throw that moves nothing is shown. */
const SHOWN_MS = 2500;

export class Tray {
  /** @param {(text: string) => void} showError */
  constructor(showError) {
    this.showError = showError;
    const felt = html("div", { class: "felt", role: "group" });
    this.felt = labelled(felt, () => gettext("Dice"), "aria-label");
    // Translators: The button that throws the dice.
    this.button = button(() => pgettext("button", "Throw"), () => this.may && this.throw([]), { class: "main throw-all no-act", "aria-keyshortcuts": "Space" });
    this.rolls = false;
    /** Whether the button is there. */
    this.may = false;
    this.drawn = "";
    /** Until when the dice that have come to rest are still shown as a throw. */
    this.shownUntil = 0;
    /** What was to be drawn last. @type {[TableDie[], State | null]} */
    this.newest = [[], null];
    /** The dice that rolled when they were last drawn. */
    /** @type {Set<number>} */
    this.rolling = new Set();
    /** @type {{x: number, y: number, dx: number, dy: number, numbers: number[], id: number} | null} */
    this.grasp = null;
    this.felt.addEventListener("pointerdown", (event) => this.press(event));
    this.felt.addEventListener("pointermove", (event) => this.move(event));
    this.felt.addEventListener("pointerup", (event) => this.release(event));
    this.felt.addEventListener("pointercancel", () => this.drop());
  }

  /**
   * Shows or hides the button, which keeps its place. Who has pressed it with the keyboard finds the
   * focus again where it was.
   *
   * @param {boolean} may
   * @param {boolean} stands whether it is highlighted
   */
  allow(may, stands) {
    this.button.classList.toggle("main", stands);
    if (may === this.may) return;
    this.may = may;
    const frame = this.button.parentElement;
    if (!may && document.activeElement === this.button) frame?.focus({ preventScroll: true });
    this.button.classList.toggle("no-act", !may);
    // Once the whole state is drawn: taking the focus computes the layout.
    if (may) setTimeout(() => this.may && document.activeElement === frame && this.button.focus({ preventScroll: true }));
  }

  /**
   * Draws the dice. A throw that counts is shown until it is played, whatever the dice that were
   * thrown again show; before a throw the dice rest, without faces.
   *
   * @param {TableDie[]} dice
   * @param {State | null} state
   */
  show(dice, state) {
    this.newest = [dice, state];
    const rolling = new Set(dice.filter(({ state: now }) => now === "rolls").map(({ die }) => die));
    if (this.rolling.size && !rolling.size) this.keep();
    this.rolls = rolling.size > 0;
    const faces = dice.map((die, place) => this.shown(die, place, dice, state));
    const drawn = JSON.stringify([dice, faces, document.documentElement.lang]);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      const focused = document.activeElement?.getAttribute("data-die");
      this.felt.replaceChildren(...dice.map((die, place) => this.die(die, faces[place] ?? null)));
      this.felt.classList.toggle("resting", faces.every((face) => face === null) && !this.rolls);
      this.hold();
      const again = focused && this.felt.querySelector(`[data-die="${focused}"]`);
      if (again instanceof HTMLElement) again.focus();
    }
    this.rolling = rolling;
  }

  /** Shows a throw that moves nothing for some seconds: the next one is due already. */
  keep() {
    this.shownUntil = performance.now() + SHOWN_MS;
    setTimeout(() => this.show(...this.newest), SHOWN_MS + 10);
  }

  /**
   * Returns the face that a die shows, null if it rests until it is thrown.
   *
   * @param {TableDie} die
   * @param {number} place
   * @param {TableDie[]} dice
   * @param {State | null} state
   */
  shown({ die, state: now, face }, place, dice, state) {
    if (now !== "lies") return face;
    if (state?.throw?.faces.length === dice.length && !this.rolls) return state.throw.faces[place] ?? face;
    const counts = state?.dice.settled[die] !== undefined || this.rolls || performance.now() < this.shownUntil;
    return counts ? face : null;
  }

  /**
   * @param {TableDie} die
   * @param {string | null} face
   */
  die({ die: number, state, face: lies }, face) {
    const rolls = state === "rolls";
    const body = "123456".includes(lies) ? "d6" : "d4";
    const shown = rolls ? "rolling" : face === null ? "waiting" : "settled";
    const drawn = drawDie({ number, body, face, state: shown });
    drawn.setAttribute("aria-hidden", "true");
    if (!rolls && this.rolling.has(number)) drawn.classList.add("die-landed");
    const label = gettext("Die {number}: {shows}", { number, shows: shownFace(face, state) });
    const made = html("button", { type: "button", "data-die": number, "aria-label": label });
    made.className = `table-die table-die-${state}`;
    made.append(drawn);
    // Only for the keyboard: the pointer throws on release.
    made.addEventListener("click", (event) => event.detail === 0 && this.throw([number]));
    return made;
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (this.grasp || event.button !== 0) return;
    const one = event.target instanceof Element ? event.target.closest("[data-die]") : null;
    const dice = /** @type {HTMLElement[]} */ (one ? [one] : [...this.felt.children]);
    const numbers = dice.map((die) => Number(die.dataset.die));
    this.grasp = { x: event.clientX, y: event.clientY, dx: 0, dy: 0, numbers, id: event.pointerId };
    this.felt.setPointerCapture(event.pointerId);
    this.hold();
  }

  /** Draws the grasped dice at the pointer; they may be new elements since the last call. */
  hold() {
    const { grasp } = this;
    for (const die of /** @type {HTMLElement[]} */ ([...this.felt.children])) {
      const held = grasp?.numbers.includes(Number(die.dataset.die));
      die.classList.toggle("in-hand", Boolean(held));
      die.style.translate = grasp && held ? `${grasp.dx}px ${grasp.dy}px` : "";
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { grasp } = this;
    if (!grasp || event.pointerId !== grasp.id) return;
    [grasp.dx, grasp.dy] = [event.clientX - grasp.x, event.clientY - grasp.y];
    this.hold();
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { grasp } = this;
    if (!grasp || event.pointerId !== grasp.id) return;
    const far = Math.hypot(event.clientX - grasp.x, event.clientY - grasp.y) > DRAGGED;
    this.drop();
    if (far || grasp.numbers.length === 1) void this.throw(grasp.numbers);
  }

  drop() {
    this.grasp = null;
    this.hold();
  }

  /**
   * Throws dice, all of them if the list is empty.
   *
   * @param {number[]} dice
   * @param {"thrown" | "cocked" | "turned"} [how]
   */
  async throw(dice, how = "thrown") {
    const answer = await post("/api/table/throw", dice.length ? { dice, how } : { how });
    if (!answer.ok) this.showError(answer.error);
  }
}

/**
 * @param {string | null} face
 * @param {string} state
 */
function shownFace(face, state) {
  if (state === "rolls") return gettext("rolls");
  if (face === null) return gettext("to be thrown");
  return state === "leans" ? gettext("leans on something") : faceName(face);
}

/**
 * Whether a throw of this table's people is what the game waits for: not without power, during a
 * warning or a question, while dice roll, where the program or a simulated player throws, or while
 * the board is set up: a throw would then declare the switches of the wrong squares broken.
 *
 * @param {State} state
 * @param {import("./physical.js").Physical} physical
 */
export function mayThrow(state, { power, dice, players, faults }) {
  const isWrong = state.phase === "set-up" && state.fill.length + state.clear.length > 0;
  if (isWrong && Object.keys(faults).length === 0) return false;
  if (!power || state.warning || state.question || !waitsForThrow(state)) return false;
  if (dice.some(({ state: now }) => now === "rolls")) return false;
  const side = state.seems && state.side ? (state.side === "light" ? "dark" : "light") : state.side;
  if (side === null) return true;
  const isEngine = state.seats[side] !== "person";
  return state.seats[side] !== "remote" && players[side] === "hands" && !(isEngine && state.engine_throws === "program");
}
