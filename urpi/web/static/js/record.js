/** The record as it grows: a line for every throw that was played. */

import { html, the } from "./elements.js";
import { say, sideOf } from "./say.js";
import { drawDie, thrown } from "./dice.js";

/** @typedef {import("./state.js").RecordLine} Line */

export class GameRecord {
  constructor() {
    this.body = the("record-body");
    this.frame = the("record-frame");
    this.drawn = "";
    /** @type {number | null} */
    this.game = null;
    /** @type {Line[]} */
    this.lines = [];
  }

  /**
   * Takes the last lines of a game; earlier ones are known from before.
   *
   * @param {{game: number | null, record: Line[], record_from: number}} told
   */
  take({ game, record, record_from: from }) {
    const known = game === this.game ? this.lines.filter(({ n }) => n < from) : [];
    this.game = game;
    this.lines = [...known, ...record];
  }

  /** @param {"d4" | "d6"} dice */
  show(dice) {
    const { lines } = this;
    const now = JSON.stringify([lines, document.documentElement.lang]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.body.replaceChildren(...lines.map((line) => row(line, dice)));
    this.frame.scrollTop = this.frame.scrollHeight;
  }
}

/**
 * @param {Line} line
 * @param {"d4" | "d6"} dice
 */
export function row(line, dice) {
  const faces = thrown(line.throw, dice).map((die) => drawDie(die));
  const played = html("td", { class: line.taken_back ? "taken-back" : null }, line.said);
  const notes = [];
  if (line.taken_back) notes.push(say("taken back"));
  if (line.confidence === "inferred") notes.push(say("inferred"));
  if (line.confidence === "answered") notes.push(say("a player confirmed it"));
  if (notes.length) played.append(html("small", {}, notes.join(", ")));
  return html(
    "tr",
    { "data-n": line.n, class: `by-${line.side}` },
    html("th", { scope: "row" }, String(line.turn)),
    html("td", {}, html("span", { class: `dot dot-${line.side}`, role: "img", "aria-label": sideOf(line.side) })),
    html("td", { class: "faces" }, html("span", { class: "value" }, String(line.value)), ...faces),
    played,
  );
}
