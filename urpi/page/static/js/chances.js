/** The probability of each throw, as bars; the current throw is marked. */

import { html, set, svg, the } from "./elements.js";
import { drawDie, thrown } from "./dice.js";
import { percent, gettext } from "./translation.js";

/** @param {import("./state.js").State} state */
export function showChances(state) {
  const body = state.rules?.dice.body ?? "d4";
  const most = Math.max(...state.chances.map((one) => one.chance), 0.01);
  const values = state.chances.map((one) => one.value);
  const alike = new Set(values).size < values.length;
  const rows = state.chances.map((one) => {
    const now = state.throw?.value === one.value && (!alike || same(state.throw.faces, one.faces));
    return row(one, body, one.chance / most, alike, now);
  });
  the("chances-list").replaceChildren(...rows);
}

/**
 * @param {string} one
 * @param {string} other
 */
const same = (one, other) => [...one].sort().join("") === [...other].sort().join("");

/**
 * @param {import("./state.js").Chance} one
 * @param {"d4" | "d6"} body
 * @param {number} length from 0 to 1
 * @param {boolean} alike whether throws share a value, so that the faces must be shown too
 * @param {boolean} now
 */
function row(one, body, length, alike, now) {
  const bar = svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none" });
  set(bar, { "aria-hidden": "true" });
  bar.append(svg("rect", { width: Math.max(100 * length, 1), height: 10, rx: 1.5 }));
  const value = html("span", { class: "value" }, String(one.value));
  const faces = alike ? thrown(one.faces, body).map((die) => drawDie(die)) : [];
  const chance = html("span", { class: "chance" }, percent(one.chance));
  const label = now ? html("span", { class: "unseen" }, gettext("this throw")) : "";
  return html("li", { class: now ? "this-throw" : null }, value, ...faces, bar, chance, label);
}
