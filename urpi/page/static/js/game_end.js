/**
 * The end of a game: the result, its figures, and what to do next. It is beside the board, which
 * stays visible, until it is closed or another game begins.
 */

import { post } from "./api.js";
import { celebrate } from "./celebrate.js";
import { html, put, the } from "./elements.js";
import { sameGame, sameInvitation } from "./new_game.js";
import { counted } from "./plates.js";
import { gettext, playerName, sideName } from "./translation.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Side} Side */
/** @typedef {Record<Side, string>} Seats */

const SIDES = /** @type {const} */ (["light", "dark"]);

export class GameEnd {
  /**
   * @param {Seats | null} seats who plays the sides of a virtual table, null at a board
   * @param {State | null} before the last state that this page has shown of a running game
   */
  constructor(seats, before) {
    this.panel = the("game-end");
    this.state = before;
    this.seats = seats;
    /** The game whose end was closed. @type {number | null} */
    this.closed = null;
    the("end-close").addEventListener("click", () => this.close());
    the("end-open").addEventListener("click", () => this.open());
    the("end-rematch").addEventListener("click", () => this.rematch(false));
    the("end-swap").addEventListener("click", () => this.rematch(true));
    the("end-share").addEventListener("click", () => void this.share());
    this.panel.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    new ResizeObserver(() => this.makeRoom()).observe(the("board"));
    document.addEventListener("urpi-table", (event) => {
      this.seats = /** @type {CustomEvent} */ (event).detail.players;
    });
  }

  /** @param {State} state */
  show(state) {
    const before = this.state;
    this.state = state;
    const over = state.phase === "over" && state.outcome !== null && state.game !== null;
    if (!over) this.closed = null;
    // Not when a page is opened after the end: the focus moves only if the player saw it end.
    const ends = over && before !== null && before.game === state.game && before.phase !== "over";
    the("end-open").hidden = !over || this.closed !== state.game;
    this.panel.hidden = !over || this.closed === state.game;
    if (this.panel.hidden) return;
    this.write(state);
    this.makeRoom();
    if (!ends) return;
    this.focus();
    if (state.outcome?.side) celebrate();
  }

  /** Passes on where the board ends, below which the panel is on a phone. */
  makeRoom() {
    const board = document.querySelector(".ur-board")?.getBoundingClientRect();
    if (board) this.panel.style.setProperty("--board-end", `${Math.ceil(board.bottom + scrollY)}px`);
  }

  /** @param {State} state */
  write(state) {
    put(the("end-heading"), state.outcome?.text ?? "");
    the("end-rosette").hidden = !state.outcome?.side;
    the("end-review").replaceChildren(...state.review.map((sentence) => html("p", {}, sentence)));
    the("end-figures").replaceChildren(...figures(state));
    the("end-replay").setAttribute("href", `/games/${state.game}`);
    the("end-analyse").setAttribute("href", `/analysis?game=${state.game}`);
    the("end-rematch").hidden = !state.may_act;
    the("end-swap").hidden = !state.may_act || !this.differs(state);
    put(the("end-note"), "");
  }

  /**
   * Whether the sides differ in names or players.
   *
   * @param {State} state
   */
  differs({ players }) {
    return players.light !== players.dark || (this.seats !== null && this.seats.light !== this.seats.dark);
  }

  /** Moves the focus to the result, unless the player is using another part of the page. */
  focus() {
    const { activeElement } = document;
    const busy = activeElement?.closest("dialog, input, select, .beside, .tour");
    if (!busy) the("end-heading").focus({ preventScroll: true });
  }

  open() {
    this.closed = null;
    if (this.state) this.show(this.state);
    the("end-heading").focus({ preventScroll: true });
  }

  close() {
    this.closed = this.state?.game ?? null;
    if (this.state) this.show(this.state);
    the("end-open").focus({ preventScroll: true });
  }

  /**
   * Begins a game with the same rules and players.
   *
   * @param {boolean} swaps whether the players change sides
   */
  async rematch(swaps) {
    const { state, seats } = this;
    if (!state?.rules || this.sending) return;
    this.sending = true;
    const invitation = sameInvitation(state, state.rules, swaps);
    if (invitation) {
      const invited = await post("/api/tables/invite", invitation);
      this.sending = false;
      return put(the("end-note"), invited.error);
    }
    const same = sameGame(state, state.rules);
    const { light, dark } = same;
    const order = swaps ? { ...same, light: dark, dark: light, seats: swapped(same.seats), coach: swapped(same.coach) } : same;
    // The simulated players first: the new game begins with those who then sit there.
    let answer = swaps && seats ? await post("/api/table/players", swapped(seats)) : null;
    if (!answer || answer.ok) answer = await post("/api/new-game", order);
    this.sending = false;
    put(the("end-note"), answer.error);
  }

  /** Opens the dialog to share the game. */
  async share() {
    const { openShare } = await import("./share.js");
    if (this.state?.game) await openShare(this.state.game);
  }
}

/**
 * Returns the rows of the figures: names, pieces, throws and captures of both sides.
 *
 * @param {State} state
 */
function* figures(state) {
  const { position, players, totals } = state;
  /** @param {string} label @param {(side: Side) => string | number} text */
  const row = (label, text) => {
    const cells = SIDES.map((side) => html("td", {}, String(text(side))));
    return html("tr", {}, html("th", { scope: "row" }, label), ...cells);
  };
  const heads = SIDES.map((side) => {
    const dot = html("span", { class: `dot dot-${side}`, role: "img", "aria-label": sideName(side) });
    return html("th", { scope: "col" }, html("span", { class: "end-name" }, dot, " ", playerName(side, players)));
  });
  yield html("tr", {}, html("td"), ...heads);
  if (position) for (const [label, counts] of counted(state, position)) yield row(label, (side) => counts[side]);
  yield row(gettext("Throws"), (side) => totals[side].throws);
  yield row(gettext("Captures"), (side) => totals[side].captures);
}

/**
 * @template T
 * @param {Record<Side, T>} both
 */
const swapped = ({ light, dark }) => ({ light: dark, dark: light });
