/** The table's page: it receives the stream of events and draws the state. */

import { Board } from "./board.js";
import { put, the } from "./elements.js";
import { enterLinkedPin } from "./api.js";
import { offerFaces, offerLarger, offerView } from "./view.js";
import { NewestDrawer, Stream } from "./stream.js";
import { TablePage } from "./table_page.js";
import { gettext, keepAddressedLanguage } from "./translation.js";

/** @typedef {import("./state.js").State} State */

/** Decisions before the current one that are requested for the log. */
const EARLIER_ENTRIES = 120;
/** The page itself loads first, also over a slow network. */
const WORKER_DELAY_MS = 3000;

/**
 * Receives a state. A state is not drawn if a newer one has arrived, but the lines of its record are
 * kept, because the newer one does not contain them.
 *
 * @param {State} state
 */
function receive(state) {
  page.sounds.before = Math.min(page.sounds.before, state.seq);
  page.addLines(state);
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

/** Registers the service worker, which browsers permit over HTTPS and on this machine only. */
function registerWorker() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const register = () => serviceWorker.register("/service-worker.js").catch(() => undefined);
  setTimeout(() => void register(), WORKER_DELAY_MS);
}

keepAddressedLanguage();
offerLarger();
offerView();
offerFaces();
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
