/** The dialog for a new game, the actions in the current game, and the settings. */

import { ClubNames } from "./club_names.js";
import { confirmed } from "./confirm.js";
import { html, the } from "./elements.js";
import { faceName } from "./dice.js";
import { NewGame } from "./new_game.js";
import { languageName, gettext } from "./translation.js";
import { get, post } from "./api.js";
import { showError } from "./errors.js";

/** @typedef {import("./state.js").State} State */

const SOUNDS = /** @type {Record<string, () => string>} */ ({
  off: () => gettext("Off"),
  tones: () => gettext("Tones"),
  speech: () => gettext("Speech"),
  both: () => gettext("Tones and speech"),
});
const FACES = { d4: ["g", "s", "-"], d6: ["1", "2", "3", "4", "5", "6"] };

export class GameDialog {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (the("game-dialog"));
    /** @type {State | null} */
    this.state = null;
    /** Counts openings: responses to requests of an earlier one are ignored. */
    this.openings = 0;
    /** The requests that have no response yet. */
    this.sending = new Set();
    this.language = "";
    /** Changes of settings are sent one after the other, so that the last one wins. */
    this.queue = Promise.resolve();
    this.settings = { languages: [""], language: "", sounds: [""], sound: "" };
    const clubNames = new ClubNames((name) => this.withdraw(name));
    this.newGame = new NewGame((address, body, question) => this.send(address, body, question), clubNames);
    for (const id of ["game-button", "begin-open"]) the(id).addEventListener("click", () => this.open());
    this.button("take-back", "/api/answer", () => ({ takeback: true }));
    this.button("decline", "/api/decline", () => ({ side: this.state?.side ?? "light" }));
    this.button("draw", "/api/draw", () => ({ side: this.state?.side ?? "light" }));
    this.button("offer-draw", "/api/draw", () => ({ side: this.state?.side ?? "light", agreed: true }));
    this.button("agree", "/api/draw", () => ({ side: this.state?.side ?? "light", agreed: true }));
    for (const side of ["light", "dark"]) {
      this.button(`resign-${side}`, "/api/resign", () => ({ side }), () => gettext("Give the game up?"));
    }
    this.button("abandon", "/api/abandon", () => ({}), () => gettext("Abandon the game?"));
    this.button("enter-send", "/api/answer", () => ({ faces: this.faces() }));
    this.setting("language");
    this.setting("sound");
    the("pin-cancel").addEventListener("click", () => {
      /** @type {HTMLDialogElement} */ (the("pin")).close("no");
    });
  }

  /** Opens the dialog. Its fields are disabled until they are filled, which would overwrite input. */
  async open() {
    const opening = ++this.openings;
    const parts = this.dialog.querySelectorAll("fieldset.loading");
    for (const part of parts) part.toggleAttribute("disabled", true);
    the("game-error").textContent = "";
    this.dialog.showModal();
    const [rules, settings, tables] = await Promise.all([get("/api/rulesets"), get("/api/settings"), get("/api/tables")]);
    if (opening !== this.openings) return;
    if (!rules.ok || !settings.ok) {
      the("game-error").textContent = rules.error || settings.error;
      return;
    }
    this.settings = settings.data;
    this.newGame.fill(rules.data, this.state, settings.data.published, tables.ok ? tables.data.tables : []);
    this.fillSettings();
    for (const part of parts) part.toggleAttribute("disabled", false);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const on = state.game !== null && state.phase !== "over" && state.phase !== "no-game";
    this.newGame.running = on;
    the("this-game").hidden = !on;
    the("begin-open").hidden = state.phase !== "no-game" || !state.may_act;
    the("take-back").hidden = !state.takeback;
    the("decline").hidden = !state.may_decline;
    the("draw").hidden = !state.draw;
    const persons = state.seats.light === "person" && state.seats.dark === "person";
    the("agree").hidden = !state.rules?.draws || !persons;
    // The engine is offered a draw, and may decline it.
    the("offer-draw").hidden = !state.rules?.draws || persons;
    the("enter-throw").hidden = state.phase !== "throw" && state.phase !== "start-throw" && state.question?.ask !== "faces";
    this.fillThrow(state.rules?.dice);
    if (state.language !== this.language) void this.translate(state.language);
  }

  /**
   * Translates what can be selected; the input is kept.
   *
   * @param {string} language
   */
  async translate(language) {
    this.language = language;
    if (!this.dialog.open) return;
    const opening = this.openings;
    const rules = await get("/api/rulesets");
    if (!rules.ok || opening !== this.openings || language !== this.language) return;
    this.newGame.translate(rules.data);
    this.fillSounds();
  }

  /**
   * @param {string} id
   * @param {string} address
   * @param {() => object} body
   * @param {() => string} [question]
   */
  button(id, address, body, question) {
    the(id).addEventListener("click", () => this.send(address, body(), question?.()));
  }

  /**
   * Sends a request, after a question if one is given, and closes the dialog on success. Pressing a
   * button twice sends one request.
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
      if (question && !(await confirmed(question))) return;
      await this.sendConfirmed(address, body);
    } finally {
      this.sending.delete(key);
    }
  }

  /**
   * Shows an error in the dialog, or on the page if the dialog has been closed or opened again.
   *
   * @param {string} address
   * @param {object} body
   */
  async sendConfirmed(address, body) {
    const opening = this.openings;
    const answer = await post(address, body);
    if (!this.dialog.open || opening !== this.openings) return answer.ok || showError(answer.error);
    the("game-error").textContent = answer.error;
    if (answer.ok) this.dialog.close();
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

  /** @param {string} name */
  async withdraw(name) {
    const opening = this.openings;
    const answer = await post("/api/publish", { name, agreed: false });
    if (opening !== this.openings) return;
    the("game-error").textContent = answer.error;
    if (answer.ok) this.newGame.clubNames.fill(answer.data.published);
  }

  fillSettings() {
    const { languages, language } = this.settings;
    choose("set-language", languages, languageName, language);
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
      this.queue = this.queue.then(() => this.set(name, value, field));
    });
  }

  /**
   * @param {"language" | "sound"} name
   * @param {string} value
   * @param {HTMLSelectElement} field
   */
  async set(name, value, field) {
    const answer = await post("/api/settings", { [name]: value });
    the("game-error").textContent = answer.error;
    if (answer.ok) this.settings[name] = value;
    else if (field.value === value) field.value = this.settings[name];
  }
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {(value: string) => string} name
 * @param {string} chosen
 */
function choose(id, values, name, chosen) {
  const field = /** @type {HTMLSelectElement} */ (the(id));
  field.replaceChildren(...values.map((value) => html("option", { value }, name(value))));
  field.value = chosen;
}
