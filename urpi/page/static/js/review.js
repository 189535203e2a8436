/** The review of a game in its replay: the curve, what each step was worth, and both sides' totals. */

import { get } from "./api.js";
import { html, put, svg, the } from "./elements.js";
import { dotted, gettext, percentOf, playerName } from "./translation.js";

/** @typedef {import("./state.js").Side} Side */
/**
 * @typedef {{
 *   side: Side, before: number, best: string, best_value: number, move: string | null, after: number,
 *   luck: number, loss: number, legal: number, luck_mark: string | null, mistake_mark: string | null,
 *   marks: string[], about: string, steps: {throw: number, move: number | null},
 * }} Thrown
 * @typedef {{
 *   start: number, result: number | null, sentence: string, source: string,
 *   tables: {totals: string[][], mistakes: string[][], note: string}, throws: Thrown[],
 * }} Review
 */

const POLL_MS = 400;
const HEIGHT = 100;

/**
 * Requests a review until it is computed; null if that fails. The progress is shown meanwhile.
 *
 * @param {number} game
 * @returns {Promise<Review | null>}
 */
export async function requestReview(game) {
  const progress = html("p", { role: "status" });
  the("worth").replaceChildren(progress);
  for (;;) {
    const answer = await get(`/api/games/${game}/review`);
    if (!answer.ok && answer.status !== 503) {
      progress.textContent = answer.error || gettext("The table does not respond.");
      return null;
    }
    if (answer.ok && answer.data.review) return answer.data.review;
    const { done = 0, throws = 0 } = answer.data ?? {};
    put(progress, gettext("Reviewing the game: {percent}", { percent: percent(throws ? done / throws : 0, 0) }));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export class ReviewView {
  /**
   * @param {import("./replay.js").ReplayPage} page
   * @param {Review} review
   */
  constructor(page, review) {
    this.page = page;
    this.review = review;
    /** The throw that each step belongs to, by step. */
    this.throws = stepsOf(review, page.replay.frames.length);
    /** Light's probability to win by step. */
    this.values = valuesOf(review, page.replay.frames.length);
    this.cursor = svg("line", { y1: "0", y2: "100%", class: "cursor" });
    document.body.classList.add("reviewed");
    this.drawCurve();
    this.showTotals();
    this.markTurns();
  }

  get names() {
    return this.page.replay.game;
  }

  /** Shows the current step: its values, the played and the best move, and its place on the curve. */
  show() {
    const { at } = this.page.steps;
    const x = `${this.x(at)}%`;
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    the("worth").replaceChildren(...this.worth(at));
    const text = `${the("step").textContent}, ${this.chances(at)}`;
    this.page.steps.slider.setAttribute("aria-valuetext", text);
    if (!this.page.moves.visible) this.showArrows(at);
  }

  /** @param {number} at */
  chances(at) {
    const light = this.values[at] ?? 0.5;
    const sides = /** @type {[Side, number][]} */ ([["light", light], ["dark", 1 - light]]);
    return dotted(sides.map(([side, value]) => `${playerName(side, this.names)} ${percent(value)}`));
  }

  /** @param {number} at */
  worth(at) {
    const lines = [html("p", { class: "odds" }, this.chances(at))];
    const thrown = this.throws[at];
    if (!thrown) return lines;
    const isThrow = at < (thrown.steps.move ?? Infinity);
    const luck = gettext("Luck {luck}", { luck: percent(thrown.luck, 1, true) });
    const loss = gettext("Given away {loss}", { loss: percent(thrown.loss) });
    const marks = isThrow ? thrown.luck_mark && thrown.marks[0] : thrown.mistake_mark && thrown.marks.at(-1);
    const text = [isThrow ? luck : thrown.legal > 1 ? loss : "", marks ?? "", isThrow ? "" : thrown.about];
    const shown = text.filter(Boolean).join(", ");
    const kind = isThrow ? thrown.luck_mark : thrown.mistake_mark;
    if (shown) lines.push(html("p", { class: kind ? `mark-${kind}` : null }, shown));
    const best = this.legal(thrown, thrown.best);
    if (best && thrown.legal > 1 && thrown.best !== thrown.move) {
      lines.push(html("p", { class: "better" }, gettext("Best move: {move}", { move: best.text })));
    }
    return lines;
  }

  /** @param {number} at */
  showArrows(at) {
    const thrown = this.throws[at];
    const side = thrown?.side ?? "light";
    if (!thrown || thrown.legal < 2) return this.page.board.arrows([], side);
    const best = this.legal(thrown, thrown.best);
    const played = thrown.move === thrown.best ? null : this.legal(thrown, thrown.move);
    const arrows = [...(played ? [{ ...played, worse: true }] : []), ...(best ? [best] : [])];
    this.page.board.arrows(arrows, side);
  }

  /**
   * Returns a legal move of a throw.
   *
   * @param {Thrown} thrown
   * @param {string | null} move
   */
  legal(thrown, move) {
    return this.page.replay.frames[thrown.steps.throw]?.legal.find((one) => one.move === move);
  }

  /** @param {number} at */
  x(at) {
    return (100 * at) / Math.max(this.values.length - 1, 1);
  }

  drawCurve() {
    const points = this.values.map((value, at) => `${this.x(at)},${HEIGHT * (1 - value)}`).join(" ");
    const line = svg("polyline", { points, class: "values", "vector-effect": "non-scaling-stroke" });
    const stretched = { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", width: "100%", height: "100%" };
    const even = svg("line", { x1: 0, x2: "100%", y1: "50%", y2: "50%", class: "even" });
    const name = playerName("light", this.names);
    const label = gettext("{name}'s chance of winning, throw by throw", { name });
    const picture = svg("svg", { role: "img", "aria-label": label }, svg("title", {}, label), even);
    picture.append(svg("svg", stretched, line), ...this.review.throws.flatMap((thrown) => this.marks(thrown)));
    picture.append(this.cursor);
    picture.addEventListener("click", (event) => this.goTo(event, picture));
    the("curve").replaceChildren(picture);
    the("curve").hidden = false;
  }

  /**
   * Draws the mistake of a throw as a dot, and great luck as a diamond.
   *
   * @param {Thrown} thrown
   */
  marks({ steps, luck_mark: luck, mistake_mark: mistake }) {
    const found = [];
    if (luck) found.push(this.mark(steps.throw, "◆", "mark-luck"));
    if (mistake && steps.move !== null) found.push(this.mark(steps.move, "●", `mark-${mistake}`));
    return found;
  }

  /**
   * @param {number} at
   * @param {string} sign
   * @param {string} kind
   */
  mark(at, sign, kind) {
    const y = 100 * (1 - (this.values[at] ?? 0.5));
    const place = { x: `${this.x(at)}%`, y: `${y}%`, dy: "0.35em", "text-anchor": "middle", "aria-hidden": "true" };
    return svg("text", { ...place, class: kind }, sign);
  }

  /**
   * @param {MouseEvent} event
   * @param {SVGSVGElement} picture
   */
  goTo(event, picture) {
    const { left, width } = picture.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    this.page.steps.choose(Math.round(share * (this.values.length - 1)));
  }

  showTotals() {
    const { sentence, source, tables } = this.review;
    put(the("review-sentence"), sentence);
    put(the("review-source"), source);
    put(the("review-note"), tables.note);
    const names = /** @type {Side[]} */ (["light", "dark"]).map((side) => playerName(side, this.names));
    const shown = [
      table(gettext("Totals"), names, tables.totals),
      ...(tables.mistakes.length ? [table(gettext("Kinds of mistakes"), names, tables.mistakes)] : []),
    ];
    the("review-tables").replaceChildren(...shown);
    the("review").hidden = false;
    the("mistakes").hidden = false;
    the("mistake-back").addEventListener("click", () => this.goToMistake(-1));
    the("mistake-on").addEventListener("click", () => this.goToMistake(1));
  }

  /**
   * Shows the nearest mistake in a direction, if there is one.
   *
   * @param {-1 | 1} direction
   */
  goToMistake(direction) {
    const steps = this.review.throws.flatMap((one) => (one.mistake_mark && one.steps.move !== null ? [one.steps.move] : []));
    const { at } = this.page.steps;
    const to = direction > 0 ? steps.find((step) => step > at) : steps.findLast((step) => step < at);
    this.page.steps.stop();
    if (to !== undefined) this.page.steps.go(to);
  }

  /** Adds the marks to the list of turns. */
  markTurns() {
    for (const { steps, marks, luck_mark: luck, mistake_mark: mistake } of this.review.throws) {
      const item = the("turns").querySelector(`[data-at="${steps.move}"]`);
      if (item && marks.length) item.append(html("span", { class: `marks mark-${mistake ?? luck}` }, marks.join(", ")));
    }
  }
}

/**
 * @param {Review} review
 * @param {number} length
 * @returns {(Thrown | undefined)[]}
 */
function stepsOf({ throws }, length) {
  /** @type {(Thrown | undefined)[]} */
  const found = Array.from({ length });
  for (const thrown of throws) {
    const { throw: first, move } = thrown.steps;
    for (let at = first; at <= (move ?? first); at++) found[at] = thrown;
  }
  return found;
}

/**
 * @param {Review} review
 * @param {number} length
 * @returns {number[]}
 */
function valuesOf({ start, result, throws }, length) {
  const values = Array.from({ length }, () => start);
  for (const { side, best_value: best, after, steps } of throws) {
    const [thrown, moved] = side === "light" ? [best, after] : [1 - best, 1 - after];
    values.fill(thrown, steps.throw);
    if (steps.move !== null) values.fill(moved, steps.move);
  }
  if (length > 1 && result !== null) values[length - 1] = result;
  return values;
}

/**
 * @param {string} heading
 * @param {string[]} names
 * @param {string[][]} rows
 */
function table(heading, names, rows) {
  const head = [heading, ...names].map((text, at) => html("th", { scope: "col", class: at ? "right" : null }, text));
  const body = rows.map(([label = "", ...cells]) => {
    return html("tr", {}, html("th", { scope: "row" }, label), ...cells.map((cell) => html("td", { class: "right" }, cell)));
  });
  return html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...body));
}

/**
 * Formats a probability or a difference of probabilities.
 *
 * @param {number} value
 * @param {number} [digits]
 * @param {boolean} [signed]
 */
function percent(value, digits = 1, signed = false) {
  return percentOf(value, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: signed ? "exceptZero" : "negative",
  });
}
