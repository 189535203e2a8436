/** The state of the devices: the dice hub and its dice, the switches, the display, the journal. */

import { html, the } from "./elements.js";
import { list, gettext } from "./translation.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{name: string, ok: boolean, text: string}} Line */

const NAMES = /** @type {Record<string, () => string>} */ ({
  hub: () => gettext("Dice hub"),
  contacts: () => gettext("Board switches"),
  oled: () => gettext("Display"),
  journal: () => gettext("Journal"),
  club: () => gettext("Club"),
  program: () => gettext("Program"),
});

/** @param {State} state */
export function showDevices(state) {
  const lines = [...deviceLines(state), ...state.faults.map(faultLine)];
  the("devices-list").replaceChildren(...lines.map(item));
  const faulty = lines.filter((line) => !line.ok).length;
  the("devices").classList.toggle("faulty", faulty > 0);
}

/**
 * @param {State} state
 * @returns {Line[]}
 */
function deviceLines({ devices }) {
  return Object.entries(devices).map(([key, device]) => {
    const text = device.text || receptionText(device) || gettext("OK");
    return { name: NAMES[key]?.() ?? key, ok: device.alive && !device.low.length, text };
  });
}

/** @param {import("./state.js").Device} device */
function receptionText({ dice, low }) {
  if (low.length) return gettext("Low battery: dice {dice}", { dice: list(low.map(String)) });
  return dice.length ? gettext("receives dice {dice}", { dice: list(dice.map(String)) }) : "";
}

/**
 * @param {import("./state.js").Fault} fault
 * @returns {Line}
 */
const faultLine = ({ device, text }) => ({ name: device, ok: false, text });

/** @param {Line} line */
function item({ name, ok, text }) {
  const sign = html("span", { class: "sign", "aria-hidden": "true" }, ok ? "✓" : "!");
  const label = html("span", {}, html("strong", {}, name), " ", text);
  return html("li", { class: ok ? "ok" : "faulty" }, sign, label);
}
