/** Whose names the club may show: a choice for each player of a new game, and its withdrawal. */

import { html, the } from "./elements.js";
import { gettext } from "./translation.js";

/** @typedef {import("./state.js").Side} Side */

const SIDES = /** @type {const} */ (["light", "dark"]);

export class ClubNames {
  /** @param {(name: string) => void} withdraw called when a name must no longer be shown */
  constructor(withdraw) {
    this.withdraw = withdraw;
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
    this.fillList();
  }

  /** Creates a button for each name that may be shown, in the current language. */
  fillList() {
    const names = this.names;
    the("club-names").hidden = !names?.length;
    const buttons = (names ?? []).map((name) => {
      const label = gettext("Hide {name}", { name });
      const button = html("button", { type: "button" }, label);
      button.addEventListener("click", () => this.withdraw(name));
      return button;
    });
    the("club-names-list").replaceChildren(...buttons);
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
