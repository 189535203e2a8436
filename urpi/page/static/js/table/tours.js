/** The lesson and the tour of a virtual table, which are loaded when they begin, and their offer. */

import { chooseFace } from "../view.js";
import { html, showError } from "../elements.js";
import { load, store } from "../storage.js";
import { gettext } from "../translation.js";
import { button, labelled } from "./labels.js";

/** @typedef {import("./physical.js").Physical} Physical */

const OFFERED = "urpi-tour";

export class Tours {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {import("./tour.js").Tour | null} */
    this.tour = null;
    this.offer = new TourOffer(() => this.begin("first-game"));
    document.body.append(this.offer.card);
    document.addEventListener("urpi-lesson", () => void this.begin("first-game"));
  }

  /** Loads the tour's card. */
  async load() {
    const { Tour } = await import("./tour.js");
    if (this.tour) return this.tour;
    this.tour = new Tour(this.table);
    document.body.append(this.tour.card);
    if (this.table.state) this.tour.onState(this.table.state);
    return this.tour;
  }

  /** @param {"first-game" | "sensors"} name */
  async begin(name) {
    this.offer.choose();
    try {
      const [tour, plan] = await Promise.all([this.load(), planOf(name)]);
      await tour.begin(plan);
      if (!tour.plan) return;
      // What the sensors' tour explains is on the console, and a first game needs only the board.
      chooseFace(name === "sensors" ? "console" : "play");
      tour.highlight();
    } catch {
      showError(gettext("The table does not respond."));
    }
  }

  /**
   * Continues a lesson that is in progress, else offers one to those who may act.
   *
   * @param {Physical} physical
   */
  async show(physical) {
    this.tour?.onTable(physical);
    if (!this.table.state?.may_act || this.offered) return;
    this.offered = true;
    if (!physical.lesson) return this.offer.show();
    const [tour, plan] = await Promise.all([this.load(), planOf("first-game")]);
    tour.resume(plan);
  }
}

/** @param {"first-game" | "sensors"} name */
async function planOf(name) {
  if (name === "sensors") return (await import("./sensor_tour.js")).SENSOR_TOUR;
  return (await import("./first_game.js")).FIRST_GAME;
}

/** The offer of the lesson at the first visit, in a strip at the bottom of the window as a tour is; the answer is stored. */
class TourOffer {
  /** @param {() => unknown} firstGame begins the lesson for people who never played */
  constructor(firstGame) {
    this.made = false;
    const text = labelled(html("p"), () => gettext("New to the game? Play the end of a game: it takes two minutes."));
    const buttons = html(
      "div",
      { class: "buttons" },
      button(() => gettext("Your first game"), () => this.choose(firstGame), { class: "main offer-game" }),
      button(() => gettext("No, thanks"), () => this.choose(), { class: "offer-no" }),
    );
    const card = html("section", { class: "tour-offer", hidden: true }, text, buttons);
    this.card = labelled(card, () => gettext("Tours"), "aria-label");
    new ResizeObserver(makeRoom).observe(this.card);
  }

  /** Shows the offer if this browser has not answered it before. */
  show() {
    if (this.made) return;
    this.made = true;
    this.card.hidden = load(OFFERED) !== null;
  }

  /** @param {() => unknown} [begin] */
  choose(begin) {
    this.made = true;
    this.card.hidden = true;
    makeRoom();
    store(OFFERED, "seen");
    void begin?.();
  }
}

/** Reserves the height of the strip with a tour or its offer at the bottom of the page if the usual height is too small. */
export function makeRoom() {
  const { style } = document.documentElement;
  style.removeProperty("--tour");
  const strip = document.querySelector(":is(.tour, .tour-offer):not([hidden])");
  if (!strip) return;
  const reserved = parseFloat(getComputedStyle(strip).minHeight) || 0;
  const { height } = strip.getBoundingClientRect();
  if (height > reserved + 1) style.setProperty("--tour", `${Math.ceil(height)}px`);
}
