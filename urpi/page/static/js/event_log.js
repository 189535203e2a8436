/** The log of decisions in words, newest first, which screen readers announce as they arrive. */

import { html, put, the } from "./elements.js";

const MAX_ENTRIES = 40;
/** Types that are not announced: the warning's own element is, and a cleared board is minor. */
const QUIET = new Set(["warning", "cleared"]);

export class EventLog {
  constructor() {
    this.list = the("log-list");
    this.announcer = the("announcer");
    /** @type {number | null} */
    this.game = null;
    this.newest = 0;
    this.outdated = false;
  }

  /**
   * Starts again if the numbers start again, because the journal is a new file then.
   *
   * @param {number} seq the number of the newest decision
   */
  follow(seq) {
    if (seq < this.newest) this.newest = 0;
  }

  /** Receives all entries again in another language, and replaces the list with the first of them. */
  translate() {
    this.newest = 0;
    this.outdated = true;
  }

  /** @param {import("./state.js").Decision} decision */
  add(decision) {
    if (decision.seq <= this.newest || !decision.text) return;
    if (this.outdated || decision.game !== this.game) this.list.replaceChildren();
    this.outdated = false;
    this.game = decision.game;
    this.newest = decision.seq;
    const item = html("li", { class: `entry entry-${decision.type}` }, decision.text);
    item.dataset.seq = String(decision.seq);
    this.list.prepend(item);
    while (this.list.children.length > MAX_ENTRIES) this.list.lastElementChild?.remove();
    if (!QUIET.has(decision.type)) put(this.announcer, decision.text);
  }
}
