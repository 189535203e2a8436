/** The table's page: it listens to the stream and hands on what it hears to those who draw. */

import { Board } from "./board.js";
import { showChances } from "./chances.js";
import { showDevices } from "./devices.js";
import { put, the } from "./elements.js";
import { Happened } from "./happened.js";
import { offerLarger } from "./larger.js";
import { showMending } from "./mending.js";
import { Moves } from "./moves.js";
import { nowSaid } from "./now.js";
import { keepWhole, showOled } from "./oled.js";
import { OwnLanguage } from "./own_language.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { showQuestion } from "./question.js";
import { GameRecord } from "./record.js";
import { Run } from "./run.js";
import { say, speak } from "./say.js";
import { ask, enterLinkedPin } from "./send.js";
import { Stream } from "./stream.js";
import { tell } from "./tell.js";
import { showThrow } from "./throwing.js";

/** @typedef {import("./state.js").State} State */

const ENTRIES_BEFORE = 120;
const AGAIN_MS = 2000;

class TablePage {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.moves = new Moves(board);
    this.happened = new Happened();
    this.record = new GameRecord();
    this.run = new Run();
    this.ownLanguage = new OwnLanguage();
    this.language = "";
    this.oled = /** @type {HTMLImageElement} */ (the("oled"));
    keepWhole(this.oled);
    the("board").append(board.svg);
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {State} state */
  async show(state) {
    await speak(state.language);
    this.showGame(state);
    showThrow(state);
    showMending(state, this.board);
    showQuestion(state.question);
    showChances(state);
    showDevices(state);
    showOled(this.oled, state.oled);
    this.moves.show(state);
    this.record.show(state.rules?.dice.body ?? "d4");
    this.run.show(state);
    this.ownLanguage.show(state);
    document.dispatchEvent(new CustomEvent("urpi-state", { detail: state }));
    await this.openTable(state);
  }

  /** @param {State} state */
  showGame(state) {
    const now = nowSaid(state);
    const about = [state.rules?.name, state.game && say("Game {number}", { number: state.game })];
    put(the("now"), now);
    put(the("about"), about.filter(Boolean).join(" · "));
    put(the("last"), state.last && !state.outcome ? state.last.said : "");
    put(the("notice"), state.notice ?? "");
    the("notice").hidden = !state.notice;
    document.title = `${now} – urpi`;
    showPlates(state);
    document.body.dataset.phase = state.phase;
    if (this.physical) this.board.name();
    else this.board.show(state.position ? piecesOf(state.position, state.rules?.pieces ?? 7) : []);
  }

  /**
   * Where the table is a virtual one, its hands, dice and mishaps come with it.
   *
   * @param {State} state
   */
  async openTable(state) {
    if (state.table !== "virtual" || this.opened) return;
    this.opened = true;
    const { open } = await import("./table/table.js").catch(() => ({ open: null }));
    if (!open) return tell(say("The table does not answer."));
    open({ board: this.board, say, state, dock: the("dock"), physical: this.physical });
  }

  /** @param {any} table */
  showTable(table) {
    this.physical = table;
    document.dispatchEvent(new CustomEvent("urpi-table", { detail: table }));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const typing = event.target instanceof Element && event.target.closest("input, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "m") this.moves.toggle();
  }
}

/**
 * A state may be passed over where the next has come, but none of the record's lines.
 *
 * @param {State} state
 */
function take(state) {
  page.record.take(state);
  page.happened.follow(state.seq);
  if (page.language !== state.language) retell(state);
  void newest.take(state);
}

/**
 * In another language all that stands here is told anew, the record too.
 *
 * @param {State} state
 */
function retell({ language, seq }) {
  const first = page.language === "";
  page.language = language;
  if (first) return;
  page.happened.forget();
  stream.retell(before(seq));
}

/** @param {number} seq */
const before = (seq) => Math.max(seq - ENTRIES_BEFORE, 0);

/** @param {boolean} yes */
function connected(yes) {
  document.body.classList.toggle("unconnected", !yes);
  put(the("connection"), yes ? "" : say("Not connected. Trying again…"));
}

/** States are drawn one after the other, and of several that wait only the newest. */
class Newest {
  /** @param {(state: State) => Promise<void>} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {State | null} */
    this.waiting = null;
    this.busy = false;
  }

  /** @param {State} state */
  async take(state) {
    this.waiting = state;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting) {
        const next = this.waiting;
        this.waiting = null;
        // What cannot be drawn is no reason not to draw the next.
        await this.draw(next).catch(reportError);
      }
    } finally {
      this.busy = false;
    }
  }
}

offerLarger();
addEventListener("hashchange", () => void enterLinkedPin());
await enterLinkedPin();
const page = new TablePage(await loaded());
const newest = new Newest((state) => page.show(state));
const stream = new Stream("/api/events", {
  connected,
  hear(event, data) {
    if (event === "state") take(data);
    else if (event === "decision") page.happened.add(data);
    else if (event === "table") page.showTable(data);
  },
});
void begin();

/** The board, asked for until it comes: without it there is nothing to look at. */
async function loaded() {
  for (;;) {
    try {
      return await Board.load();
    } catch {
      connected(false);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** What happened before this page was opened is told too, as far as it is of these moments. */
async function begin() {
  void page.ownLanguage.learn();
  const { ok, data } = await ask("/api/state");
  if (ok) stream.last = String(before(data.seq));
  if (ok) take(data);
  await stream.run();
}
