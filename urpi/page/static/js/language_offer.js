/**
 * Offers to switch the table to the browser's preferred language if it uses a different one.
 *
 * Only users who may act see the offer, and a browser in which it was accepted does not repeat it,
 * because another person may have chosen a different language since.
 */

import { the } from "./elements.js";
import { store, load } from "./storage.js";
import { languageName } from "./translation.js";
import { get, post } from "./api.js";
import { showError } from "./errors.js";

const NAME = "urpi-own-language";

export class LanguageOffer {
  constructor() {
    this.button = /** @type {HTMLButtonElement} */ (the("language-offer"));
    /** @type {string | null} */
    this.preferred = null;
    /** @type {import("./state.js").State | null} */
    this.state = null;
    this.button.addEventListener("click", () => this.accept());
  }

  /** Loads the browser's preferred language, unless the offer was accepted before. */
  async load() {
    if (load(NAME) !== null) return;
    const { ok, data } = await get("/api/languages");
    if (!ok || !data.wanted) return;
    this.preferred = data.wanted;
    this.button.lang = data.wanted;
    this.button.textContent = languageName(data.wanted);
    if (this.state) this.show(this.state);
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    this.state = state;
    this.button.hidden = !this.preferred || !state.may_act || this.preferred === state.language;
  }

  async accept() {
    const answer = await post("/api/settings", { language: this.preferred });
    if (!answer.ok) return showError(answer.error);
    store(NAME, "taken");
    this.preferred = null;
    this.button.hidden = true;
  }
}
