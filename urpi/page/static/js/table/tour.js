/**
 * A tour: steps that explain a part of the page each. A step ends when the requested action has
 * happened, or with the button. A tour can be left at any time, and started again.
 *
 * Its card is at the bottom of the window, where the page leaves room for it, below what the step explains, which
 * is scrolled into view above it, and to which it points. A hand shows what to do, and if the page's sound is on,
 * the text is read aloud.
 */

import { html, put, svg } from "../elements.js";
import { sameGame } from "../new_game.js";
import { load, store } from "../storage.js";
import { maySpeak, onVoices, speak, stopSpeaking } from "../speech.js";
import { gettext } from "../translation.js";
import { button, labelled } from "./labels.js";
import { Gesture } from "./gesture.js";
import { makeRoom } from "./tours.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("./physical.js").Physical} Physical */
/** @typedef {{from: string[], to: string[]}} Arrows */

/** The name under which the order of the game before a tour is stored: a lesson is another game. */
export const BEFORE = "urpi-before-tour";
/** Delay before the next step, in which the result of the action can be seen. */
const SEEN_MS = 1200;
const RESTS_MS = 600;
/** The name under which the page's sound is stored (sound.js). */
const SOUND = "urpi-sound";

/**
 * `at` selects the element that the step explains. `waits`: only the action ends the step, there is
 * no button. `does` is an additional button, which acts only if it `may`. `arrows` are drawn on the
 * board. `gesture` is where the hand begins and ends.
 *
 * @typedef {{
 *   text: () => string, at: string, done?: (tour: Tour) => boolean, waits?: boolean,
 *   does?: {text: (tour: Tour) => string, act: (tour: Tour) => unknown, may?: (tour: Tour) => boolean},
 *   arrows?: (tour: Tour) => Arrows[], gesture?: (tour: Tour) => import("./gesture.js").Target[],
 * }} Step
 *
 * `done` is the text of the last step's button. `begins` prepares the table, and returns whether the
 * tour begins; `ends` is called when it is left or finished. `isOver`: the table has ended it.
 *
 * @typedef {{
 *   steps: Step[], done?: () => string, begins?: (tour: Tour) => Promise<boolean>,
 *   ends?: (tour: Tour) => unknown, isOver?: (tour: Tour) => boolean,
 * }} Plan
 */

export class Tour {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Plan | null} */
    this.plan = null;
    this.place = -1;
    /** @type {State | null} */
    this.state = null;
    /** The number of the game in which the tour began. */
    this.gameBefore = /** @type {number | null} */ (null);
    this.wasDark = this.warned = this.seenOnTable = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.resting = undefined;
    this.count = html("p", { class: "tour-count" });
    this.text = html("p", { class: "tour-text", "aria-live": "polite" });
    this.does = html("button", { type: "button", class: "tour-does" });
    this.does.addEventListener("click", () => void this.step?.does?.act(this));
    this.next = button(() => gettext("Next"), () => this.advance(), { class: "main tour-next" });
    this.skip = button(() => gettext("Leave the tour"), () => this.end(), { class: "tour-skip" });
    this.gesture = new Gesture();
    const aloud = html("button", { type: "button", class: "quiet tour-aloud", hidden: true }, speaker());
    this.aloud = labelled(aloud, () => gettext("Read aloud"), "aria-label");
    this.aloud.addEventListener("click", () => speak(this.text.textContent ?? ""));
    onVoices(() => this.write());
    const buttons = html("div", { class: "buttons" }, this.aloud, this.skip, this.does, this.next);
    const card = html("section", { class: "tour", hidden: true, tabindex: -1 }, this.count, this.text, buttons);
    this.card = labelled(card, () => gettext("Tour"), "aria-label");
    new ResizeObserver(() => this.makeRoom()).observe(this.card);
    this.scrolled = false;
    // A browser cancels a touch when it begins to scroll with it; a drag of a piece is not cancelled.
    for (const kind of ["wheel", "pointercancel"]) addEventListener(kind, () => (this.scrolled = true), { passive: true });
    new ResizeObserver(() => this.follow()).observe(document.body);
  }

  get step() {
    return this.plan?.steps[this.place];
  }

  get isLast() {
    return this.place + 1 === this.plan?.steps.length;
  }

  /** Whether a person has a legal move. */
  get mayMove() {
    const { state, table } = this;
    return Boolean(state?.legal.length && state.side && table.physical?.players[state.side] === "hands");
  }

  /**
   * Begins a tour, if the table can be prepared for it.
   *
   * @param {Plan} plan
   */
  async begin(plan) {
    this.close();
    this.gameBefore = this.state?.game ?? null;
    const { state } = this;
    if (state?.rules && !this.table.physical?.lesson) store(BEFORE, JSON.stringify(sameGame(state, state.rules)));
    if (plan.begins && !(await plan.begins(this))) return;
    this.start(plan, 0);
    this.card.focus({ preventScroll: true });
  }

  /**
   * Continues a tour for which the table is prepared already, as after the page was loaded again.
   * Steps whose action has happened are passed over.
   *
   * @param {Plan} plan
   */
  resume(plan) {
    this.gameBefore = null;
    this.start(plan, plan.steps.findIndex((step) => !step.done?.(this)));
    this.seenOnTable = true;
  }

  /**
   * @param {Plan} plan
   * @param {number} place
   */
  start(plan, place) {
    this.plan = plan;
    this.seenOnTable = false;
    this.card.hidden = false;
    this.makeRoom();
    this.show(place);
  }

  /** Leaves the tour. */
  end() {
    const { plan } = this;
    this.close();
    void plan?.ends?.(this);
  }

  close() {
    clearTimeout(this.timer);
    this.card.hidden = true;
    stopSpeaking();
    this.gesture.show([]);
    this.plan = null;
    this.place = -1;
    this.table.board.arrows([]);
    this.highlight();
    this.makeRoom();
  }

  /** @param {boolean} [done] whether the requested action has happened */
  advance(done = false) {
    if (this.isLast) this.end();
    else this.show(this.place + 1, done);
  }

  /**
   * @param {number} place
   * @param {boolean} [done] whether the action of the previous step has happened
   */
  show(place, done = false) {
    this.place = place;
    this.wasDark = this.table.physical?.power === false;
    // The player may have corrected the position before the step is shown.
    this.warned = done || Boolean(this.state?.warning);
    clearTimeout(this.timer);
    this.timer = undefined;
    this.table.board.arrows([]);
    this.update();
    this.highlight();
    if (load(SOUND) === "on") speak(this.text.textContent ?? "");
  }

  write() {
    const { step, plan } = this;
    if (!step || !plan) return;
    put(this.count, gettext("Step {number} of {count}", { number: this.place + 1, count: plan.steps.length }));
    put(this.text, step.text());
    this.does.hidden = !step.does;
    // A disabled button would lose the keyboard focus.
    this.does.setAttribute("aria-disabled", String(step.does?.may?.(this) === false));
    put(this.does, step.does?.text(this) ?? "");
    put(this.next, this.isLast ? (plan.done?.() ?? gettext("Done")) : gettext("Next"));
    this.next.hidden = Boolean(step.waits);
    this.skip.hidden = this.isLast;
    this.aloud.hidden = !maySpeak();
  }

  /**
   * Highlights the element that the step describes, and scrolls it into view.
   *
   * @param {ScrollBehavior} [behavior]
   */
  highlight(behavior = "smooth") {
    this.scrolled = false;
    for (const old of document.querySelectorAll(".tour-here")) old.classList.remove("tour-here");
    const target = this.step && document.querySelector(this.step.at);
    target?.classList.add("tour-here");
    target?.scrollIntoView({ block: "nearest", behavior });
    this.point(target);
  }

  /**
   * Places the card below what it explains, to which its tip points, and shows the gesture.
   *
   * @param {Element | null | undefined} target
   */
  point(target) {
    const box = target?.getBoundingClientRect();
    if (box) this.card.style.setProperty("--middle", `${Math.round(box.left + box.width / 2)}px`);
    this.gesture.show(this.step?.gesture?.(this) ?? []);
  }

  /** Scrolls again after the page's content has moved, unless the player has scrolled elsewhere. */
  follow() {
    this.gesture.show(this.step?.gesture?.(this) ?? []);
    if (!this.step || this.scrolled) return;
    // A smooth scroll that has not ended would end at the old place.
    scrollTo({ top: scrollY, behavior: "instant" });
    this.highlight("instant");
  }

  /** Reserves the height of the card, above which what the step explains is scrolled into view. */
  makeRoom() {
    makeRoom();
    if (!this.card.hidden) this.highlight();
  }

  /** @param {State} state */
  onState(state) {
    this.state = state;
    this.warned = this.warned || Boolean(state.warning);
    this.update();
  }

  /** @param {Physical} physical */
  onTable(physical) {
    this.wasDark = this.wasDark || !physical.power;
    const isOver = this.plan?.isOver?.(this) ?? false;
    // The table's state may be older than the request that began the tour.
    if (isOver && this.seenOnTable) return this.close();
    this.seenOnTable = this.seenOnTable || !isOver;
    this.update();
  }

  /** Shows the step, and advances if its action has happened. */
  update() {
    const { step } = this;
    if (!step) return;
    this.write();
    if (step.arrows) this.table.board.arrows(step.arrows(this));
    // A piece that slides has its place when it rests.
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.gesture.show(this.step?.gesture?.(this) ?? []), RESTS_MS);
    if (this.timer === undefined && step.done?.(this)) {
      this.timer = setTimeout(() => this.advance(true), SEEN_MS);
    }
  }
}

/** The picture of a loudspeaker. */
function speaker() {
  const lines = svg("path", { d: "M4 9.500v5h3.500L12 19V5L7.500 9.500zM16 9a4 4 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11" });
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, lines);
}
