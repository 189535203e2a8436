/** A warning, and what to put right: in words, and marked on the board. */

import { html, the } from "./elements.js";
import { say } from "./say.js";
import { toMend } from "./now.js";

/**
 * @param {import("./state.js").State} state
 * @param {import("./board.js").Board} board
 */
export function showMending(state, board) {
  const { fill, clear } = toMend(state);
  const place = the("warning");
  const text = state.warning?.text ?? "";
  const parts = [];
  if (text) parts.push(html("p", { class: "warning-text" }, text));
  if (isNew(fill, text)) parts.push(squares("fill", say("Fill"), fill));
  if (isNew(clear, text)) parts.push(squares("clear", say("Clear"), clear));
  place.hidden = parts.length === 0;
  place.classList.toggle("gentle", !state.warning);
  const key = JSON.stringify([text, fill, clear, document.documentElement.lang]);
  if (place.dataset.key !== key) place.replaceChildren(...parts);
  place.dataset.key = key;
  const marked = [...fill, ...clear];
  board.mark("warned", state.warning?.squares.filter((name) => !marked.includes(name)) ?? []);
  board.mark("fill", fill);
  board.mark("clear", clear);
  board.mark("broken", state.faults.map((fault) => fault.device));
}

/**
 * Whether the warning's own words leave some of these squares out.
 *
 * @param {string[]} names
 * @param {string} text
 */
function isNew(names, text) {
  return names.some((name) => !text.includes(name));
}

/**
 * @param {string} kind
 * @param {string} label
 * @param {string[]} names
 */
function squares(kind, label, names) {
  const chips = names.map((name) => html("b", { class: `chip chip-${kind}` }, name));
  return html("p", { class: "mend" }, html("span", {}, label), " ", ...chips);
}
