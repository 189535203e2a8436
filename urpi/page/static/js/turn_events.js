/** What the board saw in a turn: reports of dice, changed squares, and decisions. */

import { html, the } from "./elements.js";
import { list, gettext, pgettext, seconds } from "./translation.js";
import { get } from "./api.js";

/**
 * @typedef {{t: number, what: string, text: string, picture?: string[]}} Event
 * @typedef {{to: string[], reached: boolean, text: string}} Refused
 * @typedef {{piece: string, legal: string[], refused: Refused[]}} Choice
 * @typedef {{
 *   t: number | null, faces: string | null, value: number | null, events: Event[],
 *   choices?: Choice[],
 * }} Throw
 */

export class TurnEvents {
  /**
   * @param {import("./board.js").Board} board
   * @param {number} game
   * @param {() => void} redraw draws the replay's own position again
   */
  constructor(board, game, redraw) {
    this.board = board;
    this.game = game;
    this.redraw = redraw;
    this.visible = false;
    this.shown = -1;
    this.now = 0;
    this.button = the("events-button");
    this.button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    this.visible = !this.visible;
    this.button.textContent = this.visible ? gettext("Hide it") : gettext("Show it");
    this.shown = -1;
    void this.turn(this.now);
  }

  /** @param {number} number */
  async turn(number) {
    this.now = number;
    if (!this.visible) return the("turn-events").replaceChildren();
    if (number === this.shown) return;
    this.shown = number;
    const answer = await get(`/api/games/${this.game}/turns/${number}`);
    if (number !== this.now || !this.visible) return;
    if (!answer.ok) return the("turn-events").replaceChildren(html("p", {}, answer.error));
    const throws = answer.data.turns.flatMap((/** @type {{throws: Throw[]}} */ turn) => turn.throws);
    const begin = throws[0]?.events[0]?.t ?? 0;
    the("turn-events").replaceChildren(...throws.map((/** @type {Throw} */ one) => this.throw(one, begin)));
  }

  /**
   * @param {Throw} one
   * @param {number} begin
   */
  throw(one, begin) {
    const part = html("section", { class: "events-throw" });
    if (one.faces) {
      part.append(html("h3", {}, gettext("Throw: {value}", { value: `${one.value} (${one.faces})` })));
    }
    part.append(html("ol", { class: "events" }, ...one.events.map((event) => this.event(event, begin))));
    if (one.choices?.length) part.append(reasons(one.choices));
    return part;
  }

  /**
   * @param {Event} event
   * @param {number} begin
   */
  event(event, begin) {
    const item = html("li", { class: `event-${event.what}` });
    item.append(html("time", {}, seconds((event.t - begin) / 1000)));
    if (!event.picture) return item.append(html("span", {}, event.text)), item;
    const { picture } = event;
    const button = html("button", { type: "button" }, event.text);
    const show = () => this.board.mark("target", picture);
    for (const name of ["focus", "pointerenter", "click"]) button.addEventListener(name, show);
    for (const name of ["blur", "pointerleave"]) button.addEventListener(name, this.redraw);
    item.append(button);
    return item;
  }
}

/** @param {Choice[]} choices */
function reasons(choices) {
  const summary = html("summary", {}, gettext("Legal moves, and why the others are illegal"));
  const rows = choices.map(({ piece, legal, refused }) => {
    const why = refused.map(({ to, text }) => html("li", {}, gettext("{label}: {text}", { label: list(to.map(place)), text })));
    const moves = html("span", { class: "legal" }, legal.length ? legal.join(", ") : gettext("no move"));
    return html("div", { class: "choice" }, html("h4", {}, place(piece), " ", moves), html("ul", {}, ...why));
  });
  return html("details", {}, summary, ...rows);
}

/** @param {string} name */
function place(name) {
  // Translators: Where a piece is, in a list of squares: not yet on the board.
  if (name === "hand") return gettext("waiting");
  // Translators: Where a piece goes, in a list of squares: home.
  return name === "off" ? pgettext("place", "home") : name;
}
