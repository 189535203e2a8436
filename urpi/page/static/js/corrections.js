/** A warning and the squares that must be corrected, in words and as marks on the board. */

import { html, svg, the } from "./elements.js";
import { pileText } from "./board.js";
import { drawPiece } from "./pieces.js";
import { gettext, sideName } from "./translation.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Pile} Pile */

/** From this number of wrong squares on, the board is set up again rather than corrected. */
const MANY = 3;
const SIDES = /** @type {const} */ (["light", "dark"]);
/** The distance between the pieces of a drawn pile, whose upper ones cover the lower ones. */
const STEP = 12;

/**
 * @param {State} state
 * @param {import("./board.js").Board} board
 */
export function showCorrections(state, board) {
  const place = the("warning");
  const { fill, clear } = state.warning ?? state;
  const isRebuilt = fill.length + clear.length >= MANY;
  const key = JSON.stringify([state.warning?.text, fill, clear, state.position?.text, document.documentElement.lang]);
  if (place.dataset.key !== key) place.replaceChildren(...(isRebuilt ? rebuilding(state) : corrections(state)));
  place.dataset.key = key;
  place.hidden = place.childElementCount === 0;
  the("mend").hidden = place.hidden || state.table !== "virtual" || !state.may_act;
  place.classList.toggle("gentle", !state.warning);
  const left = [...state.fill, ...state.clear];
  for (const item of place.querySelectorAll("[data-wrong]")) {
    item.classList.toggle("done", !left.includes(item.getAttribute("data-wrong") ?? ""));
  }
  board.mark("warned", state.warning?.squares.filter((name) => ![...fill, ...clear].includes(name)) ?? []);
  board.mark("fill", state.fill);
  board.mark("clear", state.clear);
  board.mark("broken", state.faults.map((fault) => fault.device));
}

/**
 * Returns the warning's sentence, and the squares that it does not mention.
 *
 * @param {State} state
 */
function corrections(state) {
  const { fill, clear } = state.warning ?? state;
  const text = state.warning?.text ?? "";
  const parts = [];
  if (text) parts.push(html("p", { class: "warning-text" }, text));
  // Translators: The heading of a list of squares on which a piece must be put.
  if (isNew(fill, text)) parts.push(squares("fill", gettext("Put pieces on"), fill));
  // Translators: The heading of a list of squares from which a piece must be taken.
  if (isNew(clear, text)) parts.push(squares("clear", gettext("Empty"), clear));
  return parts;
}

/**
 * Returns the list of what must stand where, to be ticked off as the pieces return.
 *
 * @param {State} state
 */
function rebuilding(state) {
  const { fill, clear } = state.warning ?? state;
  const piles = state.position?.squares ?? {};
  const rows = SIDES.map((side) => {
    const own = fill.filter((name) => piles[name]?.side === side);
    return row(sideName(side), own.map((name) => pileItem(name, /** @type {Pile} */ (piles[name]))));
  });
  const cleared = clear.map((name) => html("li", { class: "chip chip-clear", "data-wrong": name }, name));
  const title = html("p", { class: "warning-text" }, gettext("Set up the board again."));
  return [title, ...[...rows, row(gettext("Empty"), cleared)].flat()];
}

/**
 * @param {string} label
 * @param {HTMLElement[]} items
 */
function row(label, items) {
  if (items.length === 0) return [];
  return [html("div", { class: "rebuild" }, html("span", {}, label), html("ul", { "aria-label": label }, ...items))];
}

/**
 * @param {string} name
 * @param {Pile} pile
 */
function pileItem(name, pile) {
  const width = 32 + STEP * (pile.count - 1);
  const picture = svg("svg", { viewBox: `-16 -16 ${width} 34`, role: "img", "aria-label": pileText(pile.pieces) });
  pile.pieces.forEach((piece, level) => {
    const drawn = drawPiece(piece.side);
    drawn.classList.toggle("ur-turned", piece.turned);
    drawn.setAttribute("transform", `translate(${STEP * level} 0)`);
    picture.append(drawn);
  });
  const height = pile.count > 1 ? `×${pile.count}` : "";
  return html("li", { class: "chip chip-fill", "data-wrong": name }, picture, `${name}${height}`);
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
  const chips = names.map((name) => html("b", { class: `chip chip-${kind}`, "data-wrong": name }, name));
  return html("p", { class: "correction" }, html("span", {}, label), " ", ...chips);
}
