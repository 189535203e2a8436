/** The lesson and the tour of a virtual table, which are loaded when they begin, and their offer. */

import { chooseFace } from "../faces.js";
import { showError } from "../errors.js";
import { gettext } from "../translation.js";
import { TourOffer } from "./tour_offer.js";

/** @typedef {import("./physical.js").Physical} Physical */

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
