/**
 * The offer of the lesson at the first visit, in a strip at the bottom of the window as a tour is; the
 * answer is stored.
 */

import { html } from "../elements.js";
import { load, store } from "../storage.js";
import { gettext } from "../translation.js";
import { button, labelled } from "./labels.js";
import { makeRoom } from "./strip.js";

const NAME = "urpi-tour";

export class TourOffer {
  /** @param {() => unknown} firstGame begins the lesson for people who never played */
  constructor(firstGame) {
    this.made = false;
    const text = labelled(html("p"), () => gettext("New to the game? Play the end of a game: it takes two minutes."));
    const buttons = html(
      "div",
      { class: "buttons" },
      button(() => gettext("Your first game"), () => this.choose(firstGame), { class: "main offer-game" }),
      button(() => gettext("No, thanks"), () => this.choose(), { class: "offer-no" }),
    );
    const card = html("section", { class: "tour-offer", hidden: true }, text, buttons);
    this.card = labelled(card, () => gettext("Tours"), "aria-label");
    new ResizeObserver(makeRoom).observe(this.card);
  }

  /** Shows the offer if this browser has not answered it before. */
  show() {
    if (this.made) return;
    this.made = true;
    this.card.hidden = load(NAME) !== null;
  }

  /** @param {() => unknown} [begin] */
  choose(begin) {
    this.made = true;
    this.card.hidden = true;
    makeRoom();
    store(NAME, "seen");
    void begin?.();
  }
}
