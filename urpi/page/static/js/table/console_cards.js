/** What only the console has of a virtual table: the board's buttons, who plays, mishaps, the sensors' tour. */

import { html, showError } from "../elements.js";
import { gettext } from "../translation.js";
import { button, labelled } from "./labels.js";
import { Mishaps } from "./mishaps.js";
import { Seats } from "./seats.js";

export class ConsoleCards {
  /**
   * @param {import("./table.js").Table} table
   * @param {HTMLElement} dock
   */
  constructor(table, dock) {
    this.seats = new Seats(showError);
    this.mishaps = new Mishaps(table);
    document.querySelector(".oled")?.after(this.seats.panel);
    const keys = labelled(html("p", { class: "keys-hint" }), () =>
      gettext("Keys: Space throws, N selects the next move, Enter plays it; Tab and the arrow keys reach every square, Esc puts back, T turns over, M shows the moves, U takes back."),
    );
    const tours = html(
      "div",
      { class: "buttons tours" },
      button(() => gettext("Your first game"), () => table.tours.begin("first-game"), { class: "tour-begin" }),
      button(() => gettext("Sensors and mishaps"), () => table.tours.begin("sensors"), { class: "tour-sensors" }),
    );
    dock.append(html("div", { class: "about-table" }, html("div", { class: "hint" }, keys), tours));
    dock.append(html("div", { class: "table-cards" }, this.seats.card, this.mishaps.card));
  }

  /** @param {import("./physical.js").Physical} physical */
  show(physical) {
    this.seats.show(physical);
    this.mishaps.show(physical);
  }
}
