/**
 * The reader's own language by the browser, offered where the table speaks another one: one press
 * and the whole table speaks it. Only to who may change it, and not again in this browser once it
 * was taken: somebody may have chosen otherwise since.
 */

import { the } from "./elements.js";
import { keep, kept } from "./kept.js";
import { languageSaid } from "./say.js";
import { ask, order } from "./send.js";
import { tell } from "./tell.js";

const NAME = "urpi-own-language";

export class OwnLanguage {
  constructor() {
    this.button = /** @type {HTMLButtonElement} */ (the("own-language"));
    /** @type {string | null} */
    this.wanted = null;
    /** @type {import("./state.js").State | null} */
    this.state = null;
    this.button.addEventListener("click", () => this.take());
  }

  /** Asks which one it is. */
  async learn() {
    if (kept(NAME) !== null) return;
    const { ok, data } = await ask("/api/languages");
    if (!ok || !data.wanted) return;
    this.wanted = data.wanted;
    this.button.lang = data.wanted;
    this.button.textContent = languageSaid(data.wanted);
    if (this.state) this.show(this.state);
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    this.state = state;
    this.button.hidden = !this.wanted || !state.may_act || this.wanted === state.language;
  }

  async take() {
    const answer = await order("/api/settings", { language: this.wanted });
    if (!answer.ok) return tell(answer.error);
    keep(NAME, "taken");
    this.wanted = null;
    this.button.hidden = true;
  }
}
