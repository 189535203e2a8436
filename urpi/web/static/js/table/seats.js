/** Who plays each side; and the two buttons that the board has. */

import { html } from "../elements.js";
import { say, sideOf } from "../say.js";
import { order } from "../send.js";
import { button, saying } from "./labels.js";

/** @typedef {import("../state.js").Side} Side */

const SIDES = /** @type {const} */ (["light", "dark"]);
/** A button that is held so long is pressed long. */
const LONG_MS = 600;

export class Seats {
  /** @param {(text: string) => void} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {Map<Side, HTMLSelectElement>} */
    this.choices = new Map();
    /** @type {Map<Side, HTMLButtonElement>} */
    this.buttons = new Map();
    /** What was chosen and the table has not answered yet. */
    this.chosen = /** @type {Partial<Record<Side, string>>} */ ({});
    this.players = /** @type {Record<Side, string>} */ ({ light: "hands", dark: "hands" });
    this.line = Promise.resolve();
    const heading = saying(html("h2"), () => say("Who plays"));
    const sides = SIDES.map((side) => this.seat(side));
    this.card = html("section", { class: "card seats" }, heading, ...sides);
    this.panel = this.buttonsOfTheBoard();
  }

  /** @param {Side} side */
  seat(side) {
    const choice = html("select", { "data-player": side });
    choice.append(saying(html("option", { value: "hands" }), () => say("by hands")));
    choice.append(saying(html("option", { value: "simulated" }), () => say("by a simulated player")));
    choice.addEventListener("change", () => this.sit(side, choice));
    this.choices.set(side, choice);
    return html("label", {}, saying(html("span"), () => sideOf(side)), choice);
  }

  /** They stand below the display, as at a board. */
  buttonsOfTheBoard() {
    const both = button(() => say("Both, long"), () => this.press("light", "both"));
    const hint = saying(html("small"), () => say("The board's buttons. Long: hold it down, or Shift."));
    const [light, dark] = SIDES.map((side) => this.push(side));
    return html("div", { class: "board-buttons" }, light ?? "", both, dark ?? "", hint);
  }

  /** @param {Side} side */
  push(side) {
    const pressed = saying(
      html("button", { type: "button", class: `push push-${side}`, "data-button": side }),
      () => say("{side}'s button", { side: sideOf(side) }),
      "aria-label",
    );
    this.listen(pressed, side);
    this.buttons.set(side, pressed);
    return pressed;
  }

  /**
   * Short when it is let go soon, long as soon as it was down for so long.
   *
   * @param {HTMLButtonElement} pressed
   * @param {Side} side
   */
  listen(pressed, side) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    pressed.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      // It comes up when the finger does, wherever that is by then.
      pressed.setPointerCapture(event.pointerId);
      clearTimeout(timer);
      timer = setTimeout(() => ((timer = undefined), this.press(side, "long")), LONG_MS);
    });
    const up = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      void this.press(side, "short");
    };
    pressed.addEventListener("pointerup", up);
    pressed.addEventListener("pointercancel", () => (clearTimeout(timer), (timer = undefined)));
    pressed.addEventListener("click", (event) => {
      if (event.detail === 0) void this.press(side, event.shiftKey ? "long" : "short");
    });
  }

  /** @param {import("./physical.js").Physical} table */
  show(table) {
    this.players = table.players;
    for (const side of SIDES) {
      const choice = this.choices.get(side);
      const waits = this.chosen[side] !== undefined || document.activeElement === choice;
      if (choice && !waits) choice.value = table.players[side];
      this.buttons.get(side)?.classList.toggle("is-down", table.buttons.includes(side));
    }
  }

  /**
   * One order after the other, so that the last one chosen holds.
   *
   * @param {Side} side
   * @param {HTMLSelectElement} choice
   */
  sit(side, choice) {
    const { value } = choice;
    this.chosen[side] = value;
    this.line = this.line.then(async () => {
      const ok = await this.ask("/api/table/players", { ...this.players, ...this.chosen });
      if (ok) this.players = { ...this.players, [side]: value };
      if (this.chosen[side] !== value) return;
      delete this.chosen[side];
      choice.value = this.players[side];
    });
  }

  /**
   * @param {Side} side
   * @param {"short" | "long" | "both"} press
   */
  async press(side, press) {
    await this.ask("/api/table/button", { side, press });
  }

  /**
   * @param {string} address
   * @param {object} body
   * @returns {Promise<boolean>} whether it was done
   */
  async ask(address, body) {
    const answer = await order(address, body);
    if (!answer.ok) this.tell(answer.error);
    return answer.ok;
  }
}
