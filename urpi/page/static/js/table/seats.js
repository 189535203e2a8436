/** Who plays each side, and the two buttons of the board. */

import { html } from "../elements.js";
import { gettext, sideName } from "../translation.js";
import { post } from "../api.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("../state.js").Side} Side */

const SIDES = /** @type {const} */ (["light", "dark"]);
/** Duration from which a press counts as long. */
const LONG_MS = 600;

export class Seats {
  /** @param {(text: string) => void} showError */
  constructor(showError) {
    this.showError = showError;
    /** @type {Map<Side, HTMLSelectElement>} */
    this.choices = new Map();
    /** @type {Map<Side, HTMLButtonElement>} */
    this.buttons = new Map();
    /** Choices that the table has not confirmed yet. */
    this.chosen = /** @type {Partial<Record<Side, string>>} */ ({});
    this.players = /** @type {Record<Side, string>} */ ({ light: "hands", dark: "hands" });
    this.queue = Promise.resolve();
    const heading = labelled(html("h2"), () => gettext("Who plays"));
    const sides = SIDES.map((side) => this.seat(side));
    this.card = html("section", { class: "card seats" }, heading, ...sides);
    this.panel = this.buttonsOfTheBoard();
  }

  /** @param {Side} side */
  seat(side) {
    const choice = html("select", { "data-player": side });
    choice.append(labelled(html("option", { value: "hands" }), () => gettext("by hand")));
    choice.append(labelled(html("option", { value: "simulated" }), () => gettext("by a simulated player")));
    choice.addEventListener("change", () => this.sit(side, choice));
    this.choices.set(side, choice);
    return html("label", {}, labelled(html("span"), () => sideName(side)), choice);
  }

  /** Creates the buttons, which are below the display as on a board. */
  buttonsOfTheBoard() {
    const both = button(() => gettext("Menu"), () => this.press("light", "both"), { class: "board-menu" });
    labelled(both, () => gettext("The table's menu, on the display: hold both buttons"), "title");
    const hint = labelled(html("small"), () => gettext("The board's buttons. For a long press, hold the button down or use Shift."));
    const [light, dark] = SIDES.map((side) => this.push(side));
    return html("div", { class: "board-buttons" }, light ?? "", both, dark ?? "", hint);
  }

  /** @param {Side} side */
  push(side) {
    const pressed = labelled(
      html("button", { type: "button", class: `push push-${side}`, "data-button": side }),
      () => gettext("{side}'s button", { side: sideName(side) }),
      "aria-label",
    );
    this.listen(pressed, side);
    this.buttons.set(side, pressed);
    return pressed;
  }

  /**
   * Sends a short press on release, or a long one as soon as the button was down for `LONG_MS`.
   *
   * @param {HTMLButtonElement} pressed
   * @param {Side} side
   */
  listen(pressed, side) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    pressed.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      // The release is received even if the pointer has left the button by then.
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
   * Sends choices one after the other, so that the last one wins.
   *
   * @param {Side} side
   * @param {HTMLSelectElement} choice
   */
  sit(side, choice) {
    const { value } = choice;
    this.chosen[side] = value;
    this.queue = this.queue.then(async () => {
      const ok = await this.send("/api/table/players", { ...this.players, ...this.chosen });
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
    await this.send("/api/table/button", { side, press });
  }

  /**
   * @param {string} address
   * @param {object} body
   * @returns {Promise<boolean>} whether it succeeded
   */
  async send(address, body) {
    const answer = await post(address, body);
    if (!answer.ok) this.showError(answer.error);
    return answer.ok;
  }
}
