/** The parts of the table's page, each of which shows the state. What is rarely needed is loaded at its first use. */

import { Acts } from "./acts.js";
import { Clocks } from "./clocks.js";
import { showCoach } from "./take_back.js";
import { showCorrections } from "./corrections.js";
import { put, showError, the } from "./elements.js";
import { EventLog } from "./event_log.js";
import { labelFaces, shownFace } from "./view.js";
import { LastLine, headline } from "./headline.js";
import { LanguageOffer, Spectator } from "./visitor.js";
import { Moves } from "./moves.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { letterOf } from "./keys.js";
import { Sounds } from "./sound.js";
import { showThrow } from "./dice.js";
import { dotted, gettext, setLanguage } from "./translation.js";
import { WinBar } from "./win_bar.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{show: (state: State) => void}} Part */

/** What happens on the board and may ask what a square means. */
const BOARD_EVENTS = ["pointerover", "pointerleave", "pointerdown", "pointerup", "click", "focusin", "focusout"];
/** Delay before the script of the notes is requested again. */
const NOTES_AGAIN_MS = 10_000;

export class TablePage {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.moves = new Moves(board);
    this.acts = new Acts();
    this.log = new EventLog();
    /** The lines of the record: a state contains the last of them. */
    this.record = { game: /** @type {number | null} */ (null), lines: /** @type {import("./state.js").RecordLine[]} */ ([]) };
    this.lastLine = new LastLine();
    this.clocks = new Clocks();
    this.languageOffer = new LanguageOffer();
    this.spectator = new Spectator();
    this.win = new WinBar();
    this.sounds = new Sounds(the("sound-button"));
    this.language = "";
    /** @type {State | null} */
    this.state = null;
    /** The last state of a running game. @type {State | null} */
    this.running = null;
    /** The parts that are loaded at their first use, by their names. @type {Map<string, Promise<Part | null>>} */
    this.parts = new Map();
    /** When the script of the notes may be requested again. */
    this.noNotesUntil = 0;
    this.listen();
  }

  listen() {
    for (const id of ["game-button", "begin-open"]) the(id).addEventListener("click", () => void this.open("new-game"));
    for (const id of ["rules-button", "new-read"]) the(id).addEventListener("click", () => void this.readRules());
    the("new-lesson").addEventListener("click", () => {
      /** @type {HTMLDialogElement} */ (the("game-dialog")).close();
      document.dispatchEvent(new Event("urpi-lesson"));
    });
    the("share-button").addEventListener("click", () => void this.share());
    for (const button of document.querySelectorAll("[data-invite]")) {
      button.addEventListener("click", () => void this.invite());
    }
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("urpi-face", () => this.state && void this.showConsole());
    document.addEventListener("urpi-settings", () => void this.open("settings"));
    for (const name of BOARD_EVENTS) this.board.svg.addEventListener(name, (event) => void this.explain(event));
  }

  /** @param {State} state */
  async show(state) {
    await setLanguage(state.language);
    this.state = state;
    if (state.phase !== "over") this.running = state;
    labelFaces();
    this.showGame(state);
    showThrow(state);
    showCorrections(state, this.board);
    showCoach(state);
    this.moves.show(state);
    this.acts.show(state);
    this.win.show(state);
    this.languageOffer.show(state);
    this.spectator.show(state);
    the("new-lesson").hidden = state.table !== "virtual" || !state.may_act;
    the("begin-open").hidden = state.phase !== "no-game" || !state.may_act;
    if (state.phase === "over") void this.part("end");
    if (state.question) void this.part("question");
    if (state.explore) void this.part("exploring");
    if (state.tables.length) void this.part("tables");
    for (const loaded of this.parts.values()) void loaded.then((part) => part && this.state && part.show(this.state));
    document.dispatchEvent(new CustomEvent("urpi-state", { detail: state }));
    await this.showConsole();
    await this.openTable(state);
  }

  /**
   * Keeps the last lines of a game's record; the earlier ones arrived before.
   *
   * @param {State} state
   */
  addLines({ game, record, record_from: from }) {
    const known = game === this.record.game ? this.record.lines.filter(({ n }) => n < from) : [];
    this.record = { game, lines: [...known, ...record] };
  }

  /** @param {State} state */
  showGame(state) {
    const now = headline(state);
    const about = [state.rules?.name, state.game && gettext("Game {number}", { number: state.game })];
    put(the("now"), now);
    put(the("about"), dotted(about));
    this.lastLine.show(state);
    put(the("notice"), state.notice ?? "");
    the("notice").hidden = !state.notice;
    document.title = `${now} – urpi`;
    showPlates(state);
    this.clocks.show(state);
    document.body.dataset.phase = state.phase;
    the("share-button").hidden = state.game === null;
    this.board.paths = state.rules?.paths ?? null;
    if (this.physical) this.board.label();
    else this.board.show(state.position ? piecesOf(state.position, state.rules?.pieces ?? 7) : []);
  }

  /**
   * Loads what only the console has, when it is opened first.
   */
  async showConsole() {
    if (shownFace() !== "console") return;
    await this.part("console");
  }

  /**
   * Loads a part of the page at its first use.
   *
   * @param {keyof typeof PARTS} name
   * @returns {Promise<Part | null>}
   */
  async part(name) {
    const loading = this.parts.get(name) ?? PARTS[name](this).catch(() => null);
    this.parts.set(name, loading);
    const part = await loading;
    // Without its script it may be loaded again.
    if (!part) this.parts.delete(name);
    else if (this.state) part.show(this.state);
    return part;
  }

  /** @param {"new-game" | "settings" | "rules"} name */
  async open(name) {
    const part = /** @type {(Part & {open: () => unknown}) | null} */ (await this.part(name));
    if (!part) return showError(gettext("The table does not respond."));
    await part.open();
  }

  /**
   * Explains a square that the mouse, a finger or the focus has reached. The script of the notes is loaded then.
   *
   * @param {Event} event
   */
  async explain(event) {
    if (performance.now() < this.noNotesUntil) return;
    const notes = /** @type {(Part & {handle: (event: Event) => void}) | null} */ (await this.part("notes"));
    // A mouse reaches squares all the time.
    if (!notes) this.noNotesUntil = performance.now() + NOTES_AGAIN_MS;
    notes?.handle(event);
  }

  async readRules() {
    /** @type {HTMLDialogElement} */ (the("game-dialog")).close();
    await this.open("rules");
  }

  /**
   * Loads the hands, dice and mishaps of a virtual table.
   *
   * @param {State} state
   */
  async openTable(state) {
    if (state.table !== "virtual" || this.opened) return;
    this.opened = true;
    const { open } = await import("./table/table.js").catch(() => ({ open: null }));
    if (!open) return showError(gettext("The table does not respond."));
    open({ board: this.board, state, dock: the("dock"), physical: this.physical });
  }

  /** Loads and opens the dialog to share the current game. */
  async share() {
    const { openShare } = await import("./share.js").catch(() => ({ openShare: null }));
    if (!openShare) return showError(gettext("The table does not respond."));
    if (this.state?.game) await openShare(this.state.game);
  }

  /** Loads and opens the dialog with QR codes for other devices. */
  async invite() {
    const { openInvitation } = await import("./invitation.js").catch(() => ({ openInvitation: null }));
    if (!openInvitation) return showError(gettext("The table does not respond."));
    await openInvitation();
  }

  /** @param {any} table */
  showTable(table) {
    this.physical = table;
    document.dispatchEvent(new CustomEvent("urpi-table", { detail: table }));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const typing = event.target instanceof Element && event.target.closest("input, select, dialog");
    if (!typing && letterOf(event) === "m") this.moves.toggle();
    if (!typing && letterOf(event) === "h") void this.moves.hint();
  }
}

/** How each part is loaded. */
const PARTS = {
  console: async (/** @type {TablePage} */ page) => new (await import("./console.js")).Console(page),
  end: async (/** @type {TablePage} */ page) => new (await import("./game_end.js")).GameEnd(page.physical?.players ?? null, page.running),
  exploring: async () => new (await import("./exploring.js")).Exploring(),
  "new-game": async (/** @type {TablePage} */ page) => new (await import("./game_dialog.js")).GameDialog(/** @type {State} */ (page.state)),
  notes: async (/** @type {TablePage} */ page) => new (await import("./square_notes.js")).SquareNotes(page.board),
  question: async () => ({ show: (await import("./question.js")).showQuestion }),
  rules: async () => new (await import("./rules_panel.js")).RulesPanel(),
  settings: async () => new (await import("./settings_dialog.js")).SettingsDialog(),
  tables: async () => ({ show: (await import("./tables.js")).showTables }),
};
