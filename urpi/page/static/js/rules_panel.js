/** The rules of the current game: a panel beside the board, on a phone a dialog over it. */

import { put, the } from "./elements.js";
import { rulesPage, sectionElements, sheetAddress } from "./rules.js";
import { gettext } from "./translation.js";

/** A window of this size has room for a panel beside the board. */
const BESIDE = matchMedia("(min-width: 1000px)");

export class RulesPanel {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (the("rules"));
    this.button = the("rules-button");
    this.rules = "finkel";
    this.drawn = "";
    this.urgent = false;
    this.dialog.addEventListener("close", () => this.mark(false));
    this.dialog.addEventListener("keydown", ({ key }) => key === "Escape" && this.dialog.close());
    BESIDE.addEventListener("change", () => this.dialog.close());
  }

  /** Opens the panel, or closes it if it is open. */
  open() {
    if (this.dialog.open) return this.dialog.close();
    if (BESIDE.matches) this.dialog.show();
    else this.dialog.showModal();
    this.mark(true);
    void this.draw();
  }

  /** @param {boolean} open */
  mark(open) {
    this.button.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("rules-open", open);
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    this.rules = state.rules?.text ?? this.rules;
    const urgent = Boolean(state.warning || state.question || state.outcome);
    // The panel leaves its room to what players must see now.
    if (urgent && !this.urgent) this.dialog.close();
    this.urgent = urgent;
    if (this.dialog.open) void this.draw();
  }

  async draw() {
    const { rules } = this;
    const page = await rulesPage(rules);
    if (rules !== this.rules) return;
    if (!page) return put(the("rules-text"), gettext("The table does not respond."));
    const drawn = JSON.stringify(page);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    put(the("rules-name"), page.name);
    the("rules-print").setAttribute("href", sheetAddress(rules));
    the("rules-text").replaceChildren(...sectionElements(page));
    the("rules-text").scrollTop = 0;
  }
}
