/**
 * The dice on the table. The button or dragging the felt throws all of them; dragging or pressing a
 * single die throws that one.
 */

import { drawDie, faceName } from "../dice.js";
import { html } from "../elements.js";
import { gettext } from "../translation.js";
import { post } from "../api.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("./physical.js").TableDie} TableDie */

/** Distance in pixels from which a touch counts as dragging. */
const DRAGGED = 14;

export class Tray {
  /** @param {(text: string) => void} showError */
  constructor(showError) {
    this.showError = showError;
    const felt = html("div", { class: "felt", role: "group" });
    this.felt = labelled(felt, () => gettext("Dice"), "aria-label");
    this.button = button(() => gettext("Throw"), () => this.rolls || this.throw([]), { class: "main throw-all" });
    this.rolls = false;
    this.drawn = "";
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
   * @param {TableDie[]} dice
   */
  show(dice) {
    const drawn = JSON.stringify([dice, document.documentElement.lang]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = document.activeElement?.getAttribute("data-die");
    this.felt.replaceChildren(...dice.map((die) => this.die(die)));
    this.hold();
    this.rolling = new Set(dice.filter(({ state }) => state === "rolls").map(({ die }) => die));
    this.rolls = this.rolling.size > 0;
    // A disabled button would lose the keyboard focus at every throw.
    this.button.setAttribute("aria-disabled", String(this.rolls));
    const again = focused && this.felt.querySelector(`[data-die="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {TableDie} die */
  die({ die: number, state, face }) {
    const rolls = state === "rolls";
    const body = "123456".includes(face) ? "d6" : "d4";
    const drawn = drawDie({ number, body, face, state: rolls ? "rolling" : "settled" });
    drawn.setAttribute("aria-hidden", "true");
    if (!rolls && this.rolling.has(number)) drawn.classList.add("die-landed");
    const shows = shownFace(face, state);
    const label = gettext("Die {number}: {shows}", { number, shows });
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
 * @param {string} face
 * @param {string} state
 */
function shownFace(face, state) {
  if (state === "rolls") return gettext("rolls");
  return state === "leans" ? gettext("leans on something") : faceName(face);
}
