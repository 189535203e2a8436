/** The dialog for a new game. Its fields are filled when it is opened. */

import { ClubNames } from "./club_names.js";
import { confirmed } from "./confirm.js";
import { showError, the } from "./elements.js";
import { NewGame } from "./new_game.js";
import { get, post } from "./api.js";

/** @typedef {import("./state.js").State} State */

/** Time between two looks for tables that can be invited. */
const LOOK_MS = 2000;

export class GameDialog {
  /** @param {State} state */
  constructor(state) {
    this.dialog = /** @type {HTMLDialogElement} */ (the("game-dialog"));
    this.state = state;
    /** Counts openings: responses to requests of an earlier one are ignored. */
    this.openings = 0;
    /** The requests that have no response yet. */
    this.sending = new Set();
    this.language = state.language;
    this.newGame = new NewGame((address, body, question) => this.send(address, body, question), new ClubNames());
  }

  /** Opens the dialog. Its fields are disabled until they are filled, which would overwrite input. */
  async open() {
    const opening = ++this.openings;
    const fields = the("new-fields");
    fields.toggleAttribute("disabled", true);
    the("game-error").textContent = "";
    this.dialog.showModal();
    const [rules, settings, tables] = await Promise.all([get("/api/rulesets"), get("/api/settings"), get("/api/tables")]);
    if (opening !== this.openings) return;
    if (!rules.ok || !settings.ok) {
      the("game-error").textContent = rules.error || settings.error;
      return;
    }
    this.newGame.fill(rules.data, this.state, settings.data.published, tables.ok ? tables.data.tables : []);
    fields.toggleAttribute("disabled", false);
    if (tables.ok && tables.data.looking) this.lookAgain(opening);
  }

  /**
   * Keeps the tables that can be invited up to date: they are known only some time after the first look.
   *
   * @param {number} opening
   */
  lookAgain(opening) {
    setTimeout(async () => {
      if (opening !== this.openings || !this.dialog.open) return;
      const tables = await get("/api/tables");
      if (opening !== this.openings) return;
      if (tables.ok) this.newGame.showTables(tables.data.tables);
      this.lookAgain(opening);
    }, LOOK_MS);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    this.newGame.running = state.game !== null && state.phase !== "over" && state.phase !== "no-game";
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
}
