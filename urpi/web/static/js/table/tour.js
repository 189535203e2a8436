/**
 * The tour: an introduction of a minute. A step ends when the requested action has happened, or with
 * the button. The tour can be left at any time, and started again.
 */

import { html, put } from "../elements.js";
import { store, load } from "../storage.js";
import { gettext } from "../translation.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("./physical.js").Physical} Physical */

const NAME = "urpi-tour";
/** Delay before the next step, in which the result of the action can be seen. */
const SEEN_MS = 1200;

/**
 * @typedef {{
 *   text: () => string, at: string, done?: (tour: Tour) => boolean,
 *   does?: {text: (tour: Tour) => string, act: (tour: Tour) => unknown},
 * }} Step
 */

/** @type {Step[]} */
const STEPS = [
  {
    text: () => gettext("This is a real board's referee without the board. Under every square is a switch, in every die a radio; a small computer feels the pieces and hears the dice. You are the hands."),
    at: "#board",
  },
  {
    text: () => gettext("Throw the dice: press Throw, or drag a die away and let it go. Throw whenever it is light's turn, until there is a move to make."),
    at: ".felt",
    done: (tour) => tour.mayMove,
  },
  {
    text: () => gettext("The table's display tells both players what was thrown, whose turn it is, and what is wrong. This is its very picture."),
    at: ".oled",
  },
  {
    text: () => gettext("Now lift a light piece, and put it on purpose where it does not belong: on B8, for instance. Then wait a few seconds."),
    at: "#board",
    done: (tour) => Boolean(tour.state?.warning),
  },
  {
    text: () => gettext("The referee has felt it, and says what is wrong and how to put it right. Do so: take that piece back, or make a right move with it."),
    at: "#warning",
    done: (tour) => tour.warned && !tour.state?.warning,
  },
  {
    text: () => gettext("Cut the power in the middle of it all. Move a piece meanwhile, if you like. Then switch the power on again."),
    at: "#board",
    done: (tour) => tour.wasDark && Boolean(tour.table.physical?.power),
    does: {
      text: (tour) => tour.table.mishaps.powerLabel(),
      act: (tour) => tour.table.mishaps.switchPower(),
    },
  },
  {
    text: () => gettext("It goes on in the same turn, and says what to put right. Everything was on the disk before anybody saw it: here is the record, and under Games is every game, with all that the switches felt."),
    at: "#record-frame",
  },
  {
    text: () => gettext("That is all. Dark is played by a simulated player; under Mishaps waits the rest of what goes wrong at real tables."),
    at: ".table-cards",
  },
];

export class Tour {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.place = -1;
    /** @type {State | null} */
    this.state = null;
    this.wasDark = this.warned = false;
    this.count = html("p", { class: "tour-count" });
    this.text = html("p", { class: "tour-text", "aria-live": "polite" });
    this.does = html("button", { type: "button", class: "tour-does" });
    this.does.addEventListener("click", () => void this.step?.does?.act(this));
    this.next = button(() => gettext("Next"), () => this.advance(), { class: "main tour-next" });
    this.skip = button(() => gettext("Leave the tour"), () => this.end(), { class: "tour-skip" });
    const buttons = html("div", { class: "buttons" }, this.skip, this.does, this.next);
    const card = html("section", { class: "tour", hidden: true }, this.count, this.text, buttons);
    this.card = labelled(card, () => gettext("Tour"), "aria-label");
  }

  get step() {
    return STEPS[this.place];
  }

  /** Whether a person has a legal move. */
  get mayMove() {
    const { state, table } = this;
    return Boolean(state?.legal.length && state.side && table.physical?.players[state.side] === "hands");
  }

  /** Starts the tour if this browser has not shown it before. */
  offer() {
    if (this.offered) return;
    this.offered = true;
    const isSpectator = document.body.classList.contains("spectator");
    if (load(NAME) === null && !isSpectator) this.begin();
  }

  begin() {
    this.card.hidden = false;
    this.show(0);
  }

  end() {
    clearTimeout(this.timer);
    this.card.hidden = true;
    this.place = -1;
    this.highlight();
    store(NAME, "seen");
  }

  /** @param {boolean} [done] whether the requested action has happened */
  advance(done = false) {
    if (this.place + 1 < STEPS.length) this.show(this.place + 1, done);
    else this.end();
  }

  /**
   * @param {number} place
   * @param {boolean} [done] whether the action of the previous step has happened
   */
  show(place, done = false) {
    this.place = place;
    this.wasDark = this.table.physical?.power === false;
    // The player may have corrected the position before the step is shown.
    this.warned = done || Boolean(this.state?.warning);
    clearTimeout(this.timer);
    this.timer = undefined;
    this.update();
    this.highlight();
  }

  write() {
    const { step } = this;
    if (!step) return;
    put(this.count, gettext("Step {number} of {count}", { number: this.place + 1, count: STEPS.length }));
    put(this.text, step.text());
    this.does.hidden = !step.does;
    put(this.does, step.does?.text(this) ?? "");
    const last = this.place === STEPS.length - 1;
    put(this.next, last ? gettext("Done") : gettext("Next"));
    this.skip.hidden = last;
  }

  /** Highlights the element that the step describes. */
  highlight() {
    for (const old of document.querySelectorAll(".tour-here")) old.classList.remove("tour-here");
    const target = this.step && document.querySelector(this.step.at);
    target?.classList.add("tour-here");
    target?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  /** @param {State} state */
  onState(state) {
    this.state = state;
    this.warned = this.warned || Boolean(state.warning);
    this.update();
  }

  /** @param {Physical} physical */
  onTable(physical) {
    this.wasDark = this.wasDark || !physical.power;
    this.offer();
    this.update();
  }

  /** Shows the step, and advances if its action has happened. */
  update() {
    const { step } = this;
    if (!step) return;
    this.write();
    if (this.timer === undefined && step.done?.(this)) {
      this.timer = setTimeout(() => this.advance(true), SEEN_MS);
    }
  }
}
