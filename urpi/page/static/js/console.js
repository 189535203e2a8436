/** What only the console shows of a state: record, copy of the display, lights, chances of the throws, devices. */

import { showChances } from "./chances.js";
import { showDevices } from "./devices.js";
import { the } from "./elements.js";
import { GameRecord } from "./record.js";
import { fitToPixels, showOled } from "./oled.js";

export class Console {
  /** @param {import("./table_page.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.record = new GameRecord();
    this.oled = /** @type {HTMLImageElement} */ (the("oled"));
    fitToPixels(this.oled);
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    this.record.show(this.page.record.lines, state.rules?.dice.body ?? "d4");
    showChances(state);
    showDevices(state);
    showOled(this.oled, state.oled);
    this.page.board.light(state.lit);
  }
}
