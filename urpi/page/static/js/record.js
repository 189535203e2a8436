/** The record of the game: a line for every throw that was played. */

import { html, the } from "./elements.js";
import { gettext, sideName } from "./translation.js";
import { drawDie, thrown } from "./dice.js";

/** @typedef {import("./state.js").RecordLine} Line */

export class GameRecord {
  constructor() {
    this.body = the("record-body");
    this.frame = the("record-frame");
    /** @type {string[]} */
    this.drawn = [];
  }

  /**
   * Draws the lines from the first one that has changed on.
   *
   * @param {Line[]} lines
   * @param {"d4" | "d6"} dice
   */
  show(lines, dice) {
    const { drawn } = this;
    const now = lines.map((line) => JSON.stringify([line, dice, document.documentElement.lang]));
    const changed = now.findIndex((line, at) => line !== drawn[at]);
    const same = changed < 0 ? now.length : changed;
    if (same === now.length && same === drawn.length) return;
    this.drawn = now;
    while (this.body.children.length > same) this.body.lastElementChild?.remove();
    this.body.append(...lines.slice(same).map((line) => row(line, dice)));
    // The height is known when the frame is drawn; reading it now would compute the layout twice.
    requestAnimationFrame(() => (this.frame.scrollTop = this.frame.scrollHeight));
  }
}

/**
 * @param {Line} line
 * @param {"d4" | "d6"} dice
 */
function row(line, dice) {
  const faces = thrown(line.throw, dice).map((die) => drawDie(die));
  const played = html("td", { class: line.taken_back ? "taken-back" : null }, line.text);
  const notes = [];
  if (line.taken_back) notes.push(gettext("taken back"));
  if (line.confidence === "inferred") notes.push(gettext("deduced"));
  if (line.confidence === "answered") notes.push(gettext("a player confirmed it"));
  if (notes.length) played.append(html("small", {}, notes.join(", ")));
  return html(
    "tr",
    { "data-n": line.n, class: `by-${line.side}` },
    html("th", { scope: "row" }, String(line.turn)),
    html("td", {}, html("span", { class: `dot dot-${line.side}`, role: "img", "aria-label": sideName(line.side) })),
    html("td", { class: "faces" }, html("span", { class: "value" }, String(line.value)), ...faces),
    played,
  );
}
