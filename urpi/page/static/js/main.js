/** The table's page: it receives the stream of events and draws the state. */

import { Board } from "./board.js";
import { showChances } from "./chances.js";
import { showCoach } from "./coach.js";
import { showDevices } from "./devices.js";
import { put, the } from "./elements.js";
import { EventLog } from "./event_log.js";
import { offerLarger } from "./larger.js";
import { showCorrections } from "./corrections.js";
import { Moves } from "./moves.js";
import { headline } from "./headline.js";
import { fitToPixels, showOled } from "./oled.js";
import { registerWorker } from "./install.js";
import { LanguageOffer } from "./language_offer.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { showQuestion } from "./question.js";
import { GameRecord } from "./record.js";
import { GameDialog } from "./game_dialog.js";
import { RulesPanel } from "./rules_panel.js";
import { SquareNotes } from "./square_notes.js";
import { GameEnd } from "./game_end.js";
import { gettext, keepAddressedLanguage, setLanguage } from "./translation.js";
import { enterLinkedPin } from "./api.js";
import { Spectator } from "./spectator.js";
import { Stream } from "./stream.js";
import { showError } from "./errors.js";
import { Sounds } from "./sound.js";
import { letterOf } from "./shortcut.js";
import { showTables } from "./tables.js";
import { showThrow } from "./throw.js";
import { offerView } from "./view_dialog.js";
import { WinBar } from "./win_bar.js";

/** @typedef {import("./state.js").State} State */

/** Decisions before the current one that are requested for the log. */
const EARLIER_ENTRIES = 120;

class TablePage {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.moves = new Moves(board);
    this.log = new EventLog();
    this.record = new GameRecord();
    this.dialog = new GameDialog();
    this.rulesPanel = new RulesPanel();
    this.notes = new SquareNotes(board);
    this.end = new GameEnd();
    this.languageOffer = new LanguageOffer();
    this.spectator = new Spectator();
    this.win = new WinBar();
    this.sounds = new Sounds(the("sound-button"));
    this.language = "";
    /** @type {number | null} */
    this.game = null;
    this.oled = /** @type {HTMLImageElement} */ (the("oled"));
    fitToPixels(this.oled);
    for (const button of document.querySelectorAll("[data-invite]")) {
      button.addEventListener("click", () => this.invite());
    }
    document.addEventListener("keydown", (event) => this.press(event));
    the("share-button").addEventListener("click", () => void this.share());
  }

  /** Opens the dialog to share the current game. */
  async share() {
    const { openShare } = await import("./share.js");
    if (this.game !== null) await openShare(this.game);
  }

  /** @param {State} state */
  async show(state) {
    await setLanguage(state.language);
    this.showGame(state);
    showThrow(state);
    showCorrections(state, this.board);
    showCoach(state);
    showQuestion(state.question);
    showTables(state);
    showChances(state);
    showDevices(state);
    showOled(this.oled, state.oled);
    this.moves.show(state);
    this.record.show(state.rules?.dice.body ?? "d4");
    this.dialog.show(state);
    this.rulesPanel.show(state);
    this.notes.show(state);
    this.end.show(state);
    this.win.show(state);
    this.languageOffer.show(state);
    this.spectator.show(state);
    document.dispatchEvent(new CustomEvent("urpi-state", { detail: state }));
    await this.openTable(state);
  }

  /** @param {State} state */
  showGame(state) {
    const now = headline(state);
    const about = [state.rules?.name, state.game && gettext("Game {number}", { number: state.game })];
    put(the("now"), now);
    put(the("about"), about.filter(Boolean).join(" · "));
    put(the("last"), state.last && !state.outcome ? state.last.text : "");
    put(the("notice"), state.notice ?? "");
    the("notice").hidden = !state.notice;
    document.title = `${now} – urpi`;
    showPlates(state);
    document.body.dataset.phase = state.phase;
    this.game = state.game;
    the("share-button").hidden = state.game === null;
    this.board.paths = state.rules?.paths ?? null;
    if (this.physical) this.board.label();
    else this.board.show(state.position ? piecesOf(state.position, state.rules?.pieces ?? 7) : []);
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

/**
 * Receives a state. A state is not drawn if a newer one has arrived, but the lines of its record are
 * kept, because the newer one does not contain them.
 *
 * @param {State} state
 */
function receive(state) {
  page.sounds.before = Math.min(page.sounds.before, state.seq);
  page.record.add(state);
  page.log.follow(state.seq);
  if (page.language !== state.language) changeLanguage(state);
  void newest.draw(state);
}

/**
 * Requests the log again after a change of language.
 *
 * @param {State} state
 */
function changeLanguage({ language, seq }) {
  const first = page.language === "";
  page.language = language;
  if (first) return;
  page.log.translate();
  stream.restartAfter(earlier(seq));
}

/** @param {number} seq */
const earlier = (seq) => Math.max(seq - EARLIER_ENTRIES, 0);

/** @param {boolean} yes */
function showConnection(yes) {
  document.body.classList.toggle("unconnected", !yes);
  put(the("connection"), yes ? "" : gettext("Not connected. Trying again…"));
}

/** Draws states one after the other; of several that wait, only the newest. */
class NewestDrawer {
  /** @param {(state: State) => Promise<void>} show */
  constructor(show) {
    this.show = show;
    /** @type {State | null} */
    this.waiting = null;
    this.busy = false;
  }

  /** @param {State} state */
  async draw(state) {
    this.waiting = state;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting) {
        const next = this.waiting;
        this.waiting = null;
        // A state that cannot be drawn must not stop the following ones.
        await this.show(next).catch(reportError);
      }
    } finally {
      this.busy = false;
    }
  }
}

keepAddressedLanguage();
offerLarger();
offerView();
registerWorker();
addEventListener("hashchange", () => void enterLinkedPin());
const entered = await enterLinkedPin();
const page = new TablePage(Board.drawn());
const newest = new NewestDrawer((state) => page.show(state));
const stream = new Stream("/api/events", {
  onConnection: showConnection,
  onEvent(event, data) {
    if (event === "state") receive(data);
    else if (event === "decision") (page.log.add(data), page.sounds.decided(data));
    else if (event === "table") page.showTable(data);
  },
});
// The stream reports whether its reader may act, as it was when the stream was opened.
document.addEventListener("urpi-session", () => stream.reconnect());
void begin();

/**
 * Draws the state that is part of the page, and opens the stream so that it begins with the recent
 * decisions, which fill the log.
 */
async function begin() {
  void page.languageOffer.load();
  /** @type {State} */
  const state = JSON.parse(the("first-state").textContent ?? "");
  state.may_act ||= entered;
  stream.last = String(earlier(state.seq));
  receive(state);
  await stream.run();
}
