/** The dialog with the table's settings: its language, its sound, and the names that a club may show. */

import { confirmed } from "./confirm.js";
import { html, the } from "./elements.js";
import { languageName, gettext } from "./translation.js";
import { get, post } from "./api.js";

const SOUNDS = /** @type {Record<string, () => string>} */ ({
  off: () => gettext("Off"),
  tones: () => gettext("Tones"),
  speech: () => gettext("Speech"),
  both: () => gettext("Tones and speech"),
});

export class SettingsDialog {
  constructor() {
    this.dialog = /** @type {HTMLDialogElement} */ (the("settings-dialog"));
    /** Counts openings: responses to requests of an earlier one are ignored. */
    this.openings = 0;
    /** Changes are sent one after the other, so that the last one wins. */
    this.queue = Promise.resolve();
    this.settings = { languages: [""], language: "", sounds: [""], sound: "", published: /** @type {string[] | null} */ (null) };
    this.setting("language");
    this.setting("sound");
    the("new-pin").addEventListener("click", () => void this.renewPin());
  }

  /** Replaces the PIN, for example after a stranger has seen it. */
  async renewPin() {
    if (!(await confirmed(gettext("Replace the PIN? Every other browser must then enter the new one.")))) return;
    const answer = await post("/api/new-pin", {});
    the("settings-error").textContent = answer.error;
    if (answer.ok) this.dialog.close();
  }

  /** Opens the dialog. Its fields are disabled until they are filled, which would overwrite input. */
  async open() {
    const opening = ++this.openings;
    const fields = the("settings-fields");
    fields.toggleAttribute("disabled", true);
    the("settings-error").textContent = "";
    this.dialog.showModal();
    const settings = await get("/api/settings");
    if (opening !== this.openings) return;
    if (!settings.ok) {
      the("settings-error").textContent = settings.error;
      return;
    }
    this.settings = settings.data;
    this.show();
    fields.toggleAttribute("disabled", false);
  }

  /** Names what can be selected in the current language, once the settings are known. */
  show() {
    const { languages, language, sounds, sound } = this.settings;
    if (!language) return;
    choose("set-language", languages, languageName, language);
    choose("set-sound", sounds, (one) => SOUNDS[one]?.() ?? one, sound);
    this.listNames();
  }

  /** Creates a button for each name that the club may show; without a club there is none. */
  listNames() {
    const { published } = this.settings;
    the("club-names").hidden = !published?.length;
    const buttons = (published ?? []).map((name) => {
      const button = html("button", { type: "button" }, gettext("Hide {name}", { name }));
      button.addEventListener("click", () => void this.withdraw(name));
      return button;
    });
    the("club-names-list").replaceChildren(...buttons);
  }

  /** @param {string} name */
  async withdraw(name) {
    const opening = this.openings;
    const answer = await post("/api/publish", { name, agreed: false });
    if (opening !== this.openings) return;
    the("settings-error").textContent = answer.error;
    if (!answer.ok) return;
    this.settings.published = answer.data.published;
    this.listNames();
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
    the("settings-error").textContent = answer.error;
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
