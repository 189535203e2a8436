/** Offers the browser's preferred language, until its user has chosen one. */

import { the } from "./elements.js";
import { chooseOwnLanguage, languageName, ownLanguage } from "./translation.js";
import { get } from "./api.js";

export class LanguageOffer {
  constructor() {
    this.button = /** @type {HTMLButtonElement} */ (the("language-offer"));
    /** @type {string | null} */
    this.preferred = null;
    /** @type {import("./state.js").State | null} */
    this.state = null;
    this.button.addEventListener("click", () => this.preferred && chooseOwnLanguage(this.preferred));
  }

  /** Loads the browser's preferred language, unless its user has chosen one. */
  async load() {
    if (ownLanguage()) return;
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
    this.button.hidden = !this.preferred || this.preferred === state.language;
  }
}
