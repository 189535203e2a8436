/** What players may do in the current game besides throwing and moving: beside the board, and in a dialog. */

import { faceName } from "./dice.js";
import { html, showError, the } from "./elements.js";
import { post } from "./api.js";
import { letterOf } from "./keys.js";
import { mayTakeBack, mend, takeBack } from "./take_back.js";
import { gettext, playerName } from "./translation.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Side} Side */

const FACES = { d4: ["g", "s", "-"], d6: ["1", "2", "3", "4", "5", "6"] };
const SIDES = /** @type {const} */ (["light", "dark"]);

export class Acts {
  constructor() {
    /** @type {State | null} */
    this.state = null;
    /** The requests that have no response yet. */
    this.sending = new Set();
    this.dialog = /** @type {HTMLDialogElement} */ (the("acts-dialog"));
    the("take-back").addEventListener("click", () => void this.takeBack());
    the("coach-take-back").addEventListener("click", () => void this.takeBack());
    the("mend").addEventListener("click", () => void mend());
    the("more-acts").addEventListener("click", () => this.dialog.showModal());
    the("resign").addEventListener("click", () => void this.resign(this.loser));
    for (const side of SIDES) the(`resign-${side}`).addEventListener("click", () => void this.resign(side));
    this.button("decline", "/api/decline", () => ({ side: this.side }));
    this.button("draw", "/api/draw", () => ({ side: this.side }));
    this.button("offer-draw", "/api/draw", () => ({ side: this.side, agreed: true }));
    this.button("agree", "/api/draw", () => ({ side: this.side, agreed: true }));
    this.button("abandon", "/api/abandon", () => ({}), () => gettext("Abandon the game?"));
    this.button("explore", "/api/explore", () => ({ line: true }), () => gettext("Explore a line together? The game waits."));
    this.button("enter-send", "/api/answer", () => ({ faces: this.faces() }));
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** @returns {Side} */
  get side() {
    return this.state?.side ?? "light";
  }

  /** The side that gives up: the only person, else the one whose turn it is. @returns {Side} */
  get loser() {
    const persons = SIDES.filter((side) => this.state?.seats[side] === "person");
    return persons.length === 1 ? (persons[0] ?? this.side) : this.side;
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const on = (state.game !== null || state.explore !== null) && state.phase !== "over" && state.phase !== "no-game";
    // What ends a game is not part of an exploration beside it.
    const plays = on && state.explore === null;
    if (!on && this.dialog.open) this.dialog.close();
    const persons = state.seats.light === "person" && state.seats.dark === "person";
    // Nobody claims, offers or accepts a draw for the engine.
    const asks = plays && state.may_act && SIDES.some((side) => state.seats[side] === "person");
    const draws = asks && !state.draw && Boolean(state.rules?.draws);
    const shown = /** @type {Record<string, boolean>} */ ({
      "take-back": on && state.may_act,
      resign: plays && state.may_act && state.seats[this.loser] === "person",
      // Nobody gives up for the engine or for the player at another table.
      "resign-light": plays && state.seats.light === "person",
      "resign-dark": plays && state.seats.dark === "person",
      abandon: plays,
      explore: state.may_explore,
      "more-acts": on && state.may_act,
      draw: asks && Boolean(state.draw),
      agree: draws && persons,
      // The engine is offered a draw, and may decline it.
      "offer-draw": draws && !persons,
      decline: state.may_decline,
      "enter-throw": state.phase === "throw" || state.phase === "start-throw" || state.question?.ask === "faces",
    });
    for (const [id, show] of Object.entries(shown)) the(id).hidden = !show;
    // It stays in its place, so that no other button comes under a finger.
    the("take-back").setAttribute("aria-disabled", String(!mayTakeBack(state)));
    this.fillThrow(state.rules?.dice);
  }

  async takeBack() {
    if (this.state && mayTakeBack(this.state)) await takeBack(this.state);
  }

  /** @param {Side} side */
  async resign(side) {
    const name = playerName(side, this.state?.players ?? { light: "", dark: "" });
    await this.send("/api/resign", { side }, gettext("{name}: give the game up?", { name }));
  }

  /**
   * @param {string} id
   * @param {string} address
   * @param {() => object} body
   * @param {() => string} [question]
   */
  button(id, address, body, question) {
    the(id).addEventListener("click", () => void this.send(address, body(), question?.()));
  }

  /**
   * Sends a request, after a question if one is given. Pressing a button twice sends one request.
   *
   * @param {string} address
   * @param {object} body
   * @param {string} [question]
   */
  async send(address, body, question) {
    const key = JSON.stringify([address, body]);
    if (this.sending.has(key)) return;
    this.sending.add(key);
    try {
      if (question && !(await asked(question))) return;
      const answer = await post(address, body);
      if (answer.ok) this.dialog.close();
      // An error message on the page would be below the dialog.
      else if (this.dialog.open) the("acts-error").textContent = answer.error;
      else showError(answer.error);
    } finally {
      this.sending.delete(key);
    }
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const typing = event.target instanceof Element && event.target.closest("input, select, dialog");
    if (!typing && letterOf(event) === "u" && !the("take-back").hidden) void this.takeBack();
  }

  /**
   * Creates a field for each die; existing selections are kept.
   *
   * @param {{count: number, body: "d4" | "d6"}} [dice]
   */
  fillThrow(dice) {
    const place = the("enter-dice");
    const key = JSON.stringify([dice, document.documentElement.lang]);
    if (place.dataset.key === key || !dice) return;
    place.dataset.key = key;
    const before = [...place.querySelectorAll("select")].map((one) => one.value);
    const selects = Array.from({ length: dice.count }, (_, number) => {
      const label = gettext("Die {number}", { number: number + 1 });
      const faces = FACES[dice.body].map((face) => html("option", { value: face }, faceName(face)));
      const select = html("select", { "aria-label": label }, ...faces);
      if (FACES[dice.body].includes(before[number] ?? "")) select.value = before[number] ?? "";
      return select;
    });
    place.replaceChildren(...selects);
  }

  faces() {
    return [...the("enter-dice").querySelectorAll("select")].map((one) => one.value).join("");
  }
}

/**
 * Asks a question with yes and no, and returns whether the answer is yes; without the dialog's script it is no.
 *
 * @param {string} question
 */
async function asked(question) {
  const { confirmed } = await import("./confirm.js").catch(() => ({ confirmed: null }));
  if (!confirmed) showError(gettext("The table does not respond."));
  return Boolean(await confirmed?.(question));
}
