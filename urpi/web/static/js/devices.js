/** How the devices are: the dice hub and its dice, the switches, the display, the journal. */

import { html, the } from "./elements.js";
import { list, say } from "./say.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{name: string, well: boolean, said: string}} Line */

const NAMES = /** @type {Record<string, () => string>} */ ({
  hub: () => say("Dice hub"),
  contacts: () => say("Board switches"),
  oled: () => say("Display"),
  journal: () => say("Journal"),
});

/** @param {State} state */
export function showDevices(state) {
  const lines = [...deviceLines(state), ...state.faults.map(faultLine)];
  the("devices-list").replaceChildren(...lines.map(item));
  const ill = lines.filter((line) => !line.well).length;
  the("devices").classList.toggle("ill", ill > 0);
}

/**
 * @param {State} state
 * @returns {Line[]}
 */
function deviceLines({ devices }) {
  return Object.entries(devices).map(([key, device]) => {
    const said = device.said || heard(device) || say("OK");
    return { name: NAMES[key]?.() ?? key, well: device.alive && !device.low.length, said };
  });
}

/** @param {import("./state.js").Device} device */
function heard({ dice, low }) {
  if (low.length) return say("Low battery: dice {dice}", { dice: list(low.map(String)) });
  return dice.length ? say("receives dice {dice}", { dice: list(dice.map(String)) }) : "";
}

/**
 * @param {import("./state.js").Fault} fault
 * @returns {Line}
 */
const faultLine = ({ device, said }) => ({ name: device, well: false, said });

/** @param {Line} line */
function item({ name, well, said }) {
  const sign = html("span", { class: "sign", "aria-hidden": "true" }, well ? "✓" : "!");
  const text = html("span", {}, html("strong", {}, name), " ", said);
  return html("li", { class: well ? "well" : "ill" }, sign, text);
}
