/** What happened: the newest decisions in words, newest first, and said aloud as they come. */

import { html, put, the } from "./elements.js";

const KEPT = 40;
/** Said by the warning's own place, or too fine to be read aloud. */
const QUIET = new Set(["warning", "cleared"]);

export class Happened {
  constructor() {
    this.list = the("happened-list");
    this.aloud = the("aloud");
    /** @type {number | null} */
    this.game = null;
    this.newest = 0;
  }

  /**
   * A journal that counts anew is another one.
   *
   * @param {number} seq the newest decision's that the table tells
   */
  follow(seq) {
    if (seq < this.newest) this.newest = 0;
  }

  /** All is to be told anew: in another language. */
  forget() {
    this.newest = 0;
    this.list.replaceChildren();
  }

  /** @param {import("./state.js").Decision} decision */
  add(decision) {
    if (decision.seq <= this.newest || !decision.said) return;
    if (decision.game !== this.game) this.list.replaceChildren();
    this.game = decision.game;
    this.newest = decision.seq;
    const item = html("li", { class: `told told-${decision.type}` }, decision.said);
    item.dataset.seq = String(decision.seq);
    this.list.prepend(item);
    while (this.list.children.length > KEPT) this.list.lastElementChild?.remove();
    if (!QUIET.has(decision.type)) put(this.aloud, decision.said);
  }
}
