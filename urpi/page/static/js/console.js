/** What only the console shows of a state: the display's copy, the chances of the throws, the devices. */

import { showChances } from "./chances.js";
import { showDevices } from "./devices.js";
import { the } from "./elements.js";
import { fitToPixels, showOled } from "./oled.js";

export class Console {
  constructor() {
    this.oled = /** @type {HTMLImageElement} */ (the("oled"));
    fitToPixels(this.oled);
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    showChances(state);
    showDevices(state);
    showOled(this.oled, state.oled);
  }
}
