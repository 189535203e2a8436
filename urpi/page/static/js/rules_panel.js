/** The rules of the current game: a panel beside the board, on a phone a dialog over it. */

import { put, the } from "./elements.js";
import { rulesPage, sectionElements, sheetAddress } from "./rules.js";
import { gettext } from "./translation.js";

/** A window of this size has room for a panel beside the board. */
const BESIDE = matchMedia("(min-width: 1000px)");
/** The least height of the panel in pixels. */
const LEAST = 200;

export class RulesPanel {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (the("rules"));
    this.button = the("rules-button");
    this.rules = "finkel";
    this.drawn = "";
    this.urgent = false;
    this.dialog.addEventListener("close", () => this.mark(false));
    this.dialog.addEventListener("keydown", ({ key }) => key === "Escape" && this.dialog.close());
    new ResizeObserver(() => this.place()).observe(the("moves"));
    addEventListener("resize", () => this.place());
    addEventListener("scroll", () => this.place(), { passive: true });
  }

  /** Opens the panel, or closes it if it is open. */
  open() {
    if (this.dialog.open) return this.dialog.close();
    if (BESIDE.matches) this.dialog.show();
    else this.dialog.showModal();
    this.mark(true);
    this.place();
    void this.draw();
  }

  /** @param {boolean} open */
  mark(open) {
    this.button.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("rules-open", open);
  }

  /** Puts the panel below the headline, the dice and the listed moves, which one needs to play, in their column. */
  place() {
    if (!this.dialog.open || !BESIDE.matches) return;
    const parts = [...document.querySelectorAll(".panel > :is(.status, .throw, .moves:not([hidden]))")];
    const bottom = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
    const { left, right } = the("side").getBoundingClientRect();
    const { style } = this.dialog;
    style.setProperty("--rules-top", `${Math.min(bottom + 6, innerHeight - LEAST)}px`);
    style.setProperty("--rules-left", `${left}px`);
    style.setProperty("--rules-right", `${document.documentElement.clientWidth - right}px`);
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    this.rules = state.rules?.text ?? this.rules;
    const urgent = Boolean(state.warning || state.question);
    // The panel lies over what players must see now.
    if (urgent && !this.urgent) this.dialog.close();
    this.urgent = urgent;
    if (this.dialog.open) void this.draw();
    this.place();
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
