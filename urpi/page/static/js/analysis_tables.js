/** The tables of an analysis: what each throw is worth with its best move, and what each move is worth. */

import { drawDie, thrown } from "./dice.js";
import { html, the } from "./elements.js";
import { gettext, percentOf, pgettext } from "./translation.js";

/** @typedef {import("./analysis.js").Analysis} Analysis */
/** @typedef {(move: import("./state.js").Move | null) => void} Point draws a move as an arrow, and null the usual ones */

const DIGITS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/**
 * Shows every throw; a row chooses it, and the chosen one chooses none.
 *
 * @param {Analysis} found
 * @param {(faces: string | null) => void} choose
 * @param {Point} point
 */
export function showThrows(found, choose, point) {
  const { throws, rules } = found;
  const alike = new Set(throws.map((one) => one.value)).size < throws.length;
  const rows = throws.map((one) => {
    const now = found.throw !== null && meansSame(found, one);
    const dice = alike ? thrown(one.faces, rules.dice.body).map((die) => drawDie(die)) : [];
    const button = html("button", { "aria-pressed": String(now) }, String(one.value), ...dice);
    const luck = percentOf(one.luck, { ...DIGITS, signDisplay: "exceptZero" });
    const luckClass = one.luck > 0.0005 ? " lucky" : one.luck < -0.0005 ? " unlucky" : "";
    const row = html(
      "tr",
      { class: now ? "chosen" : null },
      html("td", { class: "throw-cell" }, button),
      html("td", {}, one.best.text),
      html("td", { class: "number" }, percentOf(one.chance, DIGITS)),
      html("td", { class: "number" }, percentOf(one.after, DIGITS)),
      html("td", { class: `number${luckClass}` }, luck),
    );
    row.addEventListener("click", () => choose(now ? null : one.faces));
    pointAt(row, () => point(one.best), () => point(null));
    return row;
  });
  const heads = [pgettext("column", "Throw"), gettext("Best move"), gettext("Chance"), gettext("Wins"), gettext("Luck")];
  the("throws").replaceChildren(...(rows.length ? [table(heads, 2, rows)] : []));
}

/**
 * Whether a throw means the same as the current one: their faces may come in another order or, where
 * only their number counts, in other colours.
 *
 * @param {Analysis} found
 * @param {import("./analysis.js").ValuedThrow} one
 */
function meansSame({ throw: current, rules }, one) {
  if (current?.value !== one.value) return false;
  const sorted = [current.faces, one.faces].map((faces) => [...faces].sort().join(""));
  return rules.dice.binary || sorted[0] === sorted[1];
}

/**
 * Shows the legal moves, the best first; a row plays its move.
 *
 * @param {Analysis} found
 * @param {string | null} played
 * @param {(position: string) => void} play goes on from a position
 * @param {Point} point
 */
export function showMoves({ moves }, played, play, point) {
  const rows = moves.map((move, at) => {
    const button = html("button", {}, move.text);
    const cell = html("td", {}, button);
    if (move.declined) cell.append(declining(move.declined, play));
    const row = html(
      "tr",
      { class: [at === 0 ? "best" : "", move.move === played ? "chosen" : ""].join(" ").trim() || null, "data-move": move.move },
      cell,
      html("td", { class: "number" }, percentOf(move.value, DIGITS)),
      html("td", { class: "number" }, percentOf(move.loss, DIGITS)),
    );
    row.addEventListener("click", () => play(move.position));
    pointAt(row, () => point(move), () => point(null));
    return row;
  });
  const heads = [gettext("Moves"), gettext("Wins"), gettext("Given away")];
  the("moves").replaceChildren(...(rows.length ? [table(heads, 1, rows)] : []));
}

/**
 * Creates the button that plays a move and declines its extra throw.
 *
 * @param {string} position
 * @param {(position: string) => void} play
 */
function declining(position, play) {
  const button = html("button", { class: "declines" }, gettext("Decline the extra throw"));
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    play(position);
  });
  return button;
}

/**
 * @param {HTMLElement} row
 * @param {() => void} begin
 * @param {() => void} end
 */
function pointAt(row, begin, end) {
  for (const name of ["pointerenter", "focusin"]) row.addEventListener(name, begin);
  for (const name of ["pointerleave", "focusout"]) row.addEventListener(name, end);
}

/**
 * @param {string[]} heads
 * @param {number} texts the number of columns with texts; the others have numbers
 * @param {HTMLElement[]} rows
 */
function table(heads, texts, rows) {
  const cells = heads.map((text, at) => html("th", { scope: "col", class: at < texts ? null : "number" }, text));
  return html("table", {}, html("thead", {}, html("tr", {}, ...cells)), html("tbody", {}, ...rows));
}
