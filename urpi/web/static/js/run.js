/** Running the table: this game's ends, taking back, a throw that is entered, the settings. */

import { html, the } from "./elements.js";
import { faceSaid } from "./dice.js";
import { NewGame } from "./new_game.js";
import { languageSaid, say } from "./say.js";
import { ask, order } from "./send.js";
import { tell } from "./tell.js";

/** @typedef {import("./state.js").State} State */

const SOUNDS = /** @type {Record<string, () => string>} */ ({
  off: () => say("Off"),
  tones: () => say("Tones"),
  speech: () => say("Speech"),
  both: () => say("Tones and speech"),
});
const FACES = { d4: ["g", "s", "-"], d6: ["1", "2", "3", "4", "5", "6"] };

export class Run {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (the("run"));
    /** @type {State | null} */
    this.state = null;
    /** Answers that come after the dialog was opened anew are not shown. */
    this.asked = 0;
    /** The orders that are on their way. */
    this.sending = new Set();
    this.language = "";
    /** The settings' orders, one after the other: the last one chosen holds. */
    this.line = Promise.resolve();
    this.settings = { languages: [""], language: "", sounds: [""], sound: "" };
    this.newGame = new NewGame((address, body, sure) => this.send(address, body, sure));
    the("run-button").addEventListener("click", () => this.open());
    this.button("take-back", "/api/answer", () => ({ takeback: true }));
    this.button("draw", "/api/draw", () => ({ side: this.state?.side ?? "light" }));
    this.button("agree", "/api/draw", () => ({ side: this.state?.side ?? "light", agreed: true }));
    for (const side of ["light", "dark"]) {
      this.button(`resign-${side}`, "/api/resign", () => ({ side }), () => say("Give the game up?"));
    }
    this.button("abandon", "/api/abandon", () => ({}), () => say("Break the game off?"));
    this.button("enter-send", "/api/answer", () => ({ faces: this.faces() }));
    this.setting("language");
    this.setting("sound");
    the("pin-cancel").addEventListener("click", () => {
      /** @type {HTMLDialogElement} */ (the("pin")).close("no");
    });
  }

  /** What is still asked for can't be filled in yet, so nothing that was entered is written over. */
  async open() {
    const asked = ++this.asked;
    const parts = this.dialog.querySelectorAll("fieldset.asked");
    for (const part of parts) part.toggleAttribute("disabled", true);
    the("run-wrong").textContent = "";
    this.dialog.showModal();
    const [rules, settings] = await Promise.all([ask("/api/rulesets"), ask("/api/settings")]);
    if (asked !== this.asked) return;
    if (!rules.ok || !settings.ok) {
      the("run-wrong").textContent = rules.error || settings.error;
      return;
    }
    this.settings = settings.data;
    this.newGame.fill(rules.data, this.state);
    this.fillSettings();
    for (const part of parts) part.toggleAttribute("disabled", false);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const on = state.game !== null && state.phase !== "over" && state.phase !== "no-game";
    this.newGame.running = on;
    the("this-game").hidden = !on;
    the("enter-throw").hidden = state.phase !== "throw" && state.phase !== "start-throw" && state.question?.ask !== "faces";
    this.fillThrow(state.rules?.dice);
    if (state.language !== this.language) void this.sayAgain(state.language);
  }

  /**
   * Says what was asked for in the language before; what was entered stays.
   *
   * @param {string} language
   */
  async sayAgain(language) {
    this.language = language;
    if (!this.dialog.open) return;
    const { asked } = this;
    const rules = await ask("/api/rulesets");
    if (!rules.ok || asked !== this.asked || language !== this.language) return;
    this.newGame.name(rules.data);
    this.fillSounds();
  }

  /**
   * @param {string} id
   * @param {string} address
   * @param {() => object} body
   * @param {() => string} [sure]
   */
  button(id, address, body, sure) {
    the(id).addEventListener("click", () => this.send(address, body(), sure?.()));
  }

  /**
   * Sends an order, after a question where one is wanted; closes when it was taken. Whoever presses
   * twice has ordered once.
   *
   * @param {string} address
   * @param {object} body
   * @param {string} [sure]
   */
  async send(address, body, sure) {
    const key = JSON.stringify([address, body]);
    if (this.sending.has(key)) return;
    this.sending.add(key);
    try {
      if (sure && !(await areYouSure(sure))) return;
      await this.sendSurely(address, body);
    } finally {
      this.sending.delete(key);
    }
  }

  /**
   * An answer is the dialog's only while that has not been closed or opened anew.
   *
   * @param {string} address
   * @param {object} body
   */
  async sendSurely(address, body) {
    const { asked } = this;
    const answer = await order(address, body);
    if (!this.dialog.open || asked !== this.asked) return answer.ok || tell(answer.error);
    the("run-wrong").textContent = answer.error;
    if (answer.ok) this.dialog.close();
  }

  /**
   * A field for each die; those that are there stay as they were chosen.
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
      const label = say("Die {number}", { number: number + 1 });
      const faces = FACES[dice.body].map((face) => html("option", { value: face }, faceSaid(face)));
      const select = html("select", { "aria-label": label }, ...faces);
      if (FACES[dice.body].includes(before[number] ?? "")) select.value = before[number] ?? "";
      return select;
    });
    place.replaceChildren(...selects);
  }

  faces() {
    return [...the("enter-dice").querySelectorAll("select")].map((one) => one.value).join("");
  }

  fillSettings() {
    const { languages, language } = this.settings;
    choose("set-language", languages, languageSaid, language);
    this.fillSounds();
  }

  fillSounds() {
    const { sounds, sound } = this.settings;
    choose("set-sound", sounds, (one) => SOUNDS[one]?.() ?? one, sound);
  }

  /** @param {"language" | "sound"} name */
  setting(name) {
    const field = /** @type {HTMLSelectElement} */ (the(`set-${name}`));
    field.addEventListener("change", () => {
      const { value } = field;
      this.line = this.line.then(() => this.set(name, value, field));
    });
  }

  /**
   * @param {"language" | "sound"} name
   * @param {string} value
   * @param {HTMLSelectElement} field
   */
  async set(name, value, field) {
    const answer = await order("/api/settings", { [name]: value });
    the("run-wrong").textContent = answer.error;
    if (answer.ok) this.settings[name] = value;
    else if (field.value === value) field.value = this.settings[name];
  }
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {(value: string) => string} said
 * @param {string} chosen
 */
function choose(id, values, said, chosen) {
  const field = /** @type {HTMLSelectElement} */ (the(id));
  field.replaceChildren(...values.map((value) => html("option", { value }, said(value))));
  field.value = chosen;
}

/**
 * @param {string} question
 * @returns {Promise<boolean>}
 */
function areYouSure(question) {
  const dialog = /** @type {HTMLDialogElement} */ (the("sure"));
  the("sure-said").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}
