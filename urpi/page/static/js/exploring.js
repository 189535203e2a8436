/** An exploration: a line that is tried beside the game, its values, and the way back. */

import { html, put, showError, the } from "./elements.js";
import { post } from "./api.js";
import { drawDie, thrown } from "./dice.js";
import { gettext } from "./translation.js";
import { chance } from "./win_bar.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Value} Value */

export class Exploring {
  constructor() {
    /** @type {State | null} */
    this.state = null;
    /** What the shown throws belong to. */
    this.key = "";
    document.addEventListener("urpi-value", (event) => this.showValues(/** @type {CustomEvent<Value | null>} */ (event).detail));
    the("exploring-back").addEventListener("click", () => void send("/api/explore", { back: true }));
    the("exploring-end").addEventListener("click", () => void send("/api/explore", { end: true }));
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const { explore } = state;
    the("exploring").hidden = !explore;
    if (!explore) return this.showValues(null);
    const text = explore.game ? gettext("Exploring. The game waits.") : gettext("Exploring. Both sides are yours to move.");
    put(the("exploring-text"), explore.stage === "back" ? gettext("Back to the game: put the pieces where they were.") : text);
    the("exploring-back").hidden = explore.stage === "back" || !state.may_act;
    the("exploring-end").hidden = explore.game || !state.may_act;
    this.showThrows(state);
  }

  /**
   * Offers every throw while one is to be made, so that none has to be thrown.
   *
   * @param {State} state
   */
  showThrows({ chances, explore, may_act, phase, rules }) {
    const place = the("exploring-throws");
    place.hidden = phase !== "throw" || !may_act || explore?.stage !== "line";
    const key = JSON.stringify([chances, document.documentElement.lang]);
    if (key === this.key) return;
    this.key = key;
    const values = chances.map(({ value }) => value);
    const alike = new Set(values).size < values.length;
    const buttons = chances.map(({ faces, value }) => {
      const dice = alike ? thrown(faces, rules?.dice.body ?? "d4").map((die) => drawDie(die)) : [];
      const button = html("button", { type: "button", "aria-label": gettext("Throw {value}", { value }) }, ...dice, String(value));
      button.addEventListener("click", () => void send("/api/answer", { faces }));
      return button;
    });
    place.replaceChildren(...buttons);
  }

  /**
   * Lists the moves with the probability that their side wins after them.
   *
   * @param {Value | null} value
   */
  showValues(value) {
    const place = the("exploring-values");
    the("exploring-kind").hidden = !value;
    put(the("exploring-kind"), value?.kind === "exact" ? gettext("The values are exact.") : gettext("The values are estimated by the network."));
    const rows = (value?.moves ?? []).map((move) => html("li", {}, html("span", {}, move.text), html("b", {}, chance(move.value))));
    place.hidden = rows.length === 0;
    place.replaceChildren(...rows);
  }
}

/**
 * @param {string} address
 * @param {object} body
 */
async function send(address, body) {
  const answer = await post(address, body);
  if (!answer.ok) showError(answer.error);
}
