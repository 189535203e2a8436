/**
 * The overlay for streams. It shows the same state as the table's page, and offers no control.
 *
 * Options in its address: `language`, `theme`, `layout` (`below`, `side` or `names`), and `win` (`on`):
 * the probability to win.
 */

import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { put, the } from "./elements.js";
import { headline } from "./headline.js";
import { piecesOf } from "./pieces.js";
import { showPlates } from "./plates.js";
import { Stream } from "./stream.js";
import { showTheme, storedTheme } from "./view.js";
import { showThrow } from "./dice.js";
import { gettext, setLanguage } from "./translation.js";
import { WinBar } from "./win_bar.js";

/** @typedef {import("./state.js").State} State */

const LAYOUTS = ["below", "side", "names"];

const options = new URLSearchParams(location.search);
const requested = options.get("language");
const layout = options.get("layout") ?? "";
showTheme(options.get("theme") ?? storedTheme());
document.body.dataset.layout = LAYOUTS.includes(layout) ? layout : LAYOUTS[0];

/** @param {boolean} yes */
function showConnection(yes) {
  put(the("connection"), yes ? "" : gettext("Not connected. Trying again…"));
}

/**
 * @param {Board} board
 * @param {State} state
 */
async function show(board, state) {
  await setLanguage(state.language);
  document.body.dataset.phase = state.phase;
  put(the("now"), headline(state));
  put(the("last"), state.outcome?.text ?? state.last?.text ?? "");
  showPlates(state);
  clocks.show(state);
  showThrow(state);
  win.show(state);
  board.paths = state.rules?.paths ?? null;
  board.show(state.position ? piecesOf(state.position, state.rules?.pieces ?? 7) : []);
  board.mark("last", lastSquares(state));
}

/**
 * Returns the squares of the last move.
 *
 * @param {State} state
 */
function lastSquares({ record }) {
  const line = record.findLast((one) => !one.taken_back && one.move);
  return line?.move.match(/[ABC]\d/g) ?? [];
}

const board = Board.drawn();
const clocks = new Clocks();
const win = new WinBar(() => (options.get("win") === "on" ? "always" : "never"));
/** @type {Promise<void>} */
let drawn = Promise.resolve();
if (requested) await setLanguage(requested);
// A language that does not exist is ignored.
const isKnown = document.documentElement.lang === requested;
const address = isKnown ? `/api/events?language=${requested}` : "/api/events";
const stream = new Stream(address, {
  onConnection: showConnection,
  onEvent(event, state) {
    // One after the other, because a change of language has to be loaded.
    if (event === "state") drawn = drawn.then(() => show(board, state)).catch(reportError);
  },
});
await stream.run();
