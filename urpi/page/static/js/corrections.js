/** A warning and the squares that must be corrected, in words and as marks on the board. */

import { html, the } from "./elements.js";
import { gettext } from "./translation.js";
import { corrections } from "./headline.js";

/**
 * @param {import("./state.js").State} state
 * @param {import("./board.js").Board} board
 */
export function showCorrections(state, board) {
  const { fill, clear } = corrections(state);
  const place = the("warning");
  const text = state.warning?.text ?? "";
  const parts = [];
  if (text) parts.push(html("p", { class: "warning-text" }, text));
  if (isNew(fill, text)) parts.push(squares("fill", gettext("Fill"), fill));
  if (isNew(clear, text)) parts.push(squares("clear", gettext("Clear"), clear));
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
 * Whether the warning's text does not mention some of these squares.
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
  return html("p", { class: "correction" }, html("span", {}, label), " ", ...chips);
}
