/** The drawer of mishaps: buttons for what goes wrong at real tables. */

import { html, put, showError } from "../elements.js";
import { gettext } from "../translation.js";
import { post } from "../api.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("./physical.js").Physical} Physical */

const FAULTS = /** @type {Record<string, () => string>} */ ({
  "stuck-on": () => gettext("stays closed"),
  "stuck-off": () => gettext("stays open"),
  flicker: () => gettext("flickers"),
});

export class Mishaps {
  /**
   * @param {import("./table.js").Table} table
   */
  constructor(table) {
    this.table = table;
    this.drawn = "";
    this.power = button(() => this.powerLabel(), () => this.switchPower(), { "data-do": "power" });
    this.hub = button(() => this.hubLabel(), () => this.plugHub(), { "data-do": "hub" });
    this.broken = html("ul", { class: "broken" });
    const summary = labelled(html("summary"), () => gettext("Mishaps"));
    this.card = html("details", { class: "card mishaps" }, summary, ...this.groups());
  }

  *groups() {
    yield html(
      "div",
      { class: "buttons" },
      button(() => gettext("Bump the table"), () => this.send("bump"), { "data-do": "bump" }),
      button(() => gettext("Brush with a sleeve"), () => this.send("sweep"), { "data-do": "sweep" }),
      this.power,
      this.hub,
    );
    yield this.badThrows();
    yield this.switches();
    yield html(
      "div",
      { class: "buttons" },
      button(() => gettext("Put everything right"), () => this.send("restore"), { "data-do": "restore" }),
    );
  }

  badThrows() {
    const die = labelled(html("select", { "data-of": "die" }), () => gettext("Die"), "aria-label");
    this.dice = die;
    /** @param {"cocked" | "turned"} how */
    const bad = (how) => this.table.tray.throw([Number(die.value)], how);
    return html(
      "div",
      { class: "line" },
      labelled(html("span"), () => gettext("Die")),
      die,
      button(() => gettext("Let it lean"), () => bad("cocked"), { "data-do": "cocked" }),
      button(() => gettext("Turn it by hand"), () => bad("turned"), { "data-do": "turned" }),
    );
  }

  switches() {
    const square = labelled(html("select", { "data-of": "square" }), () => gettext("Square"), "aria-label");
    for (const name of [...this.table.board.squares.keys()].sort()) {
      square.append(html("option", { value: name }, name));
    }
    const fault = labelled(html("select", { "data-of": "fault" }), () => gettext("Fault"), "aria-label");
    for (const [value, text] of Object.entries(FAULTS)) {
      fault.append(labelled(html("option", { value }), text));
    }
    const stick = () => this.send("switch", { square: square.value, fault: fault.value });
    return html(
      "div",
      { class: "line" },
      labelled(html("span"), () => gettext("The switch under")),
      square,
      fault,
      button(() => gettext("Break it"), stick, { "data-do": "stick" }),
      this.broken,
    );
  }

  /** @param {Physical} table */
  show(table) {
    put(this.power, this.powerLabel());
    put(this.hub, this.hubLabel());
    this.hub.disabled = !table.power;
    const drawn = JSON.stringify([table.faults, table.dice.length, document.documentElement.lang]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.showDice(table);
    const repairs = Object.entries(table.faults).map(([square, fault]) => this.repair(square, fault));
    this.broken.replaceChildren(...repairs);
  }

  /**
   * Lists the dice; the selected one stays selected if it still exists.
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
    const repaired = () => this.send("switch", { square, fault: null });
    const label = gettext("Repair {square}, which {fault}", { square, fault: how });
    const made = html("button", { type: "button", "data-repair": square }, label);
    made.addEventListener("click", () => void repaired());
    return html("li", {}, made);
  }

  powerLabel() {
    return this.table.physical?.power === false ? gettext("Switch the power on") : gettext("Cut the power");
  }

  hubLabel() {
    return this.table.physical?.hub === false ? gettext("Plug the dice hub in") : gettext("Unplug the dice hub");
  }

  async switchPower() {
    await this.send("power", { on: this.table.physical?.power === false });
  }

  async plugHub() {
    await this.send("hub", { plugged: this.table.physical?.hub === false });
  }

  /**
   * @param {string} what
   * @param {object} [body]
   */
  async send(what, body = {}) {
    const answer = await post(`/api/table/${what}`, body);
    if (!answer.ok) showError(answer.error);
  }
}
