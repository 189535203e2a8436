/** The drawer of mishaps: what goes wrong at real tables, to be had by a button. */

import { html, put } from "../elements.js";
import { say } from "../say.js";
import { order } from "../send.js";
import { tell } from "../tell.js";
import { button, saying } from "./labels.js";

/** @typedef {import("./physical.js").Physical} Physical */

const FAULTS = /** @type {Record<string, () => string>} */ ({
  "stuck-on": () => say("stays closed"),
  "stuck-off": () => say("stays open"),
  flicker: () => say("flickers"),
});

export class Mishaps {
  /**
   * @param {import("./table.js").Table} table
   */
  constructor(table) {
    this.table = table;
    this.drawn = "";
    this.power = button(() => this.powerSaid(), () => this.switchPower(), { "data-do": "power" });
    this.hub = button(() => this.hubSaid(), () => this.plugHub(), { "data-do": "hub" });
    this.broken = html("ul", { class: "broken" });
    const summary = saying(html("summary"), () => say("Mishaps"));
    this.card = html("details", { class: "card mishaps" }, summary, ...this.groups());
  }

  *groups() {
    yield html(
      "div",
      { class: "buttons" },
      button(() => say("Bump the table"), () => this.ask("bump"), { "data-do": "bump" }),
      button(() => say("Brush with a sleeve"), () => this.ask("sweep"), { "data-do": "sweep" }),
      this.power,
      this.hub,
    );
    yield this.badThrows();
    yield this.switches();
    yield html(
      "div",
      { class: "buttons" },
      button(() => say("Put everything right"), () => this.ask("mend"), { "data-do": "mend" }),
    );
  }

  badThrows() {
    const die = saying(html("select", { "data-of": "die" }), () => say("Die"), "aria-label");
    this.dice = die;
    /** @param {"cocked" | "turned"} how */
    const bad = (how) => this.table.tray.throw([Number(die.value)], how);
    return html(
      "div",
      { class: "line" },
      saying(html("span"), () => say("Die")),
      die,
      button(() => say("Let it lean"), () => bad("cocked"), { "data-do": "cocked" }),
      button(() => say("Turn it by hand"), () => bad("turned"), { "data-do": "turned" }),
    );
  }

  switches() {
    const square = saying(html("select", { "data-of": "square" }), () => say("Square"), "aria-label");
    for (const name of [...this.table.board.squares.keys()].sort()) {
      square.append(html("option", { value: name }, name));
    }
    const fault = saying(html("select", { "data-of": "fault" }), () => say("Fault"), "aria-label");
    for (const [value, text] of Object.entries(FAULTS)) {
      fault.append(saying(html("option", { value }), text));
    }
    const stick = () => this.ask("switch", { square: square.value, fault: fault.value });
    return html(
      "div",
      { class: "line" },
      saying(html("span"), () => say("The switch under")),
      square,
      fault,
      button(() => say("Break it"), stick, { "data-do": "stick" }),
      this.broken,
    );
  }

  /** @param {Physical} table */
  show(table) {
    put(this.power, this.powerSaid());
    put(this.hub, this.hubSaid());
    this.hub.disabled = !table.power;
    const drawn = JSON.stringify([table.faults, table.dice.length, document.documentElement.lang]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.showDice(table);
    const repairs = Object.entries(table.faults).map(([square, fault]) => this.repair(square, fault));
    this.broken.replaceChildren(...repairs);
  }

  /**
   * The die that was chosen stays so, if it is still there.
   *
   * @param {Physical} table
   */
  showDice(table) {
    const chosen = this.dice?.value;
    const dice = table.dice.map(({ die }) =>
      html("option", { value: die, selected: String(die) === chosen }, String(die)),
    );
    this.dice?.replaceChildren(...dice);
  }

  /**
   * @param {string} square
   * @param {string} fault
   */
  repair(square, fault) {
    const how = FAULTS[fault]?.() ?? fault;
    const repaired = () => this.ask("switch", { square, fault: null });
    const label = say("Repair {square}, which {fault}", { square, fault: how });
    const made = html("button", { type: "button", "data-repair": square }, label);
    made.addEventListener("click", () => void repaired());
    return html("li", {}, made);
  }

  powerSaid() {
    return this.table.physical?.power === false ? say("Switch the power on") : say("Cut the power");
  }

  hubSaid() {
    return this.table.physical?.hub === false ? say("Plug the dice hub in") : say("Unplug the dice hub");
  }

  async switchPower() {
    await this.ask("power", { on: this.table.physical?.power === false });
  }

  async plugHub() {
    await this.ask("hub", { plugged: this.table.physical?.hub === false });
  }

  /**
   * @param {string} what
   * @param {object} [body]
   */
  async ask(what, body = {}) {
    const answer = await order(`/api/table/${what}`, body);
    if (!answer.ok) tell(answer.error);
  }
}
