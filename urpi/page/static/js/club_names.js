/** Whose names the club may show: a choice for each player of a new game. */

import { the } from "./elements.js";

/** @typedef {import("./state.js").Side} Side */

const SIDES = /** @type {const} */ (["light", "dark"]);

export class ClubNames {
  constructor() {
    /** @type {string[] | null} the names that may be shown, null without a club */
    this.names = null;
    for (const side of SIDES) {
      field(`new-${side}`).addEventListener("input", () => this.showSide(side));
      field(`new-${side}-seat`).addEventListener("change", () => this.showSide(side));
    }
  }

  /** @param {string[] | null} names */
  fill(names) {
    this.names = names;
    for (const side of SIDES) this.showSide(side);
  }

  /**
   * Shows the choice of a person with a name, as it was made before.
   *
   * @param {Side} side
   */
  showSide(side) {
    const name = field(`new-${side}`).value.normalize("NFC").replace(/\s+/g, " ").trim();
    the(`new-${side}-club`).hidden = !this.names || !name || field(`new-${side}-seat`).value !== "person";
    field(`new-${side}-publish`).value = this.names?.includes(name) ? "yes" : "no";
  }

  /** Returns the choices that are shown, for the request of a new game. */
  body() {
    const shown = SIDES.filter((side) => !the(`new-${side}-club`).hidden);
    if (!shown.length) return {};
    return { publish: Object.fromEntries(shown.map((side) => [side, field(`new-${side}-publish`).value === "yes"])) };
  }
}

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));
