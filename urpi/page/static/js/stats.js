/** Statistics of the stored games: charts and tables, made by the server for the chosen filters. */

import { picture } from "./charts.js";
import { html, the } from "./elements.js";
import { GameFilters } from "./game_filters.js";
import { offerLarger } from "./view.js";
import { gettext, setLanguage } from "./translation.js";
import { get } from "./api.js";

/**
 * @typedef {import("./charts.js").Chart} Chart
 * @typedef {{heading: string, columns: {heading: string, right: boolean}[], rows: string[][]}} Table
 * @typedef {{
 *   title: string, unread: number, without_virtual: boolean, not_read: string, reviewed: string, reviewing: boolean, charts: Chart[], tables: Table[],
 *   notes: string[], values: {games: number, reviews: {games: number, missing: number}},
 * }} Statistics
 */

/** Milliseconds after which the page is updated while games are being reviewed. */
const REVIEWING_MS = 10_000;

class StatisticsPage {
  constructor() {
    this.filters = new GameFilters(() => {
      this.unread = 0;
      void this.fetch();
    });
    /** Counts requests: responses to older ones are ignored. */
    this.requests = 0;
    /** The number of games that the server had not read for the last response. */
    this.unread = 0;
    /** The timer of the next update. @type {number | undefined} */
    this.timer = undefined;
  }

  async fetch() {
    const request = ++this.requests;
    clearTimeout(this.timer);
    document.body.setAttribute("aria-busy", "true");
    const answer = await get(`/api/stats?${new URLSearchParams(this.filters.chosen)}`);
    if (request !== this.requests) return;
    document.body.removeAttribute("aria-busy");
    if (!answer.ok) {
      showProgress(0, 0);
      return void (the("found").textContent = answer.error);
    }
    this.show(answer.data);
  }

  /** Shows the games that were reviewed meanwhile, when the page is visible. */
  async update() {
    if (!document.hidden) return this.fetch();
    document.addEventListener("visibilitychange", () => void this.fetch(), { once: true });
  }

  /** @param {Statistics} statistics */
  show({ title, unread, without_virtual, not_read, reviewed, reviewing, charts, tables, notes, values }) {
    this.filters.offerVirtual(without_virtual);
    const empty = values.games === 0;
    the("found").textContent = empty ? gettext("No games found.") : [title, not_read].filter(Boolean).join(". ");
    the("reviewed").textContent = empty ? "" : reviewed;
    const { games, missing } = values.reviews;
    if (unread) showProgress(values.games, unread);
    else showProgress(games, reviewing ? missing : 0);
    the("charts").replaceChildren(...charts.map(picture));
    the("tables").replaceChildren(...tables.map(section));
    the("notes").replaceChildren(...(empty ? [] : notes.map((note) => html("p", {}, note))));
    // If the number stays the same, the server cannot keep what it has read.
    const others = unread > 0 && unread !== this.unread;
    this.unread = unread;
    if (others) void this.fetch();
    else if (reviewing) this.timer = setTimeout(() => void this.update(), REVIEWING_MS);
  }
}

/**
 * Shows how much is done, or nothing if nothing is left. Until the first response the bar has no value.
 *
 * @param {number} done
 * @param {number} left
 */
function showProgress(done, left) {
  const bar = /** @type {HTMLProgressElement} */ (the("progress"));
  bar.hidden = left === 0;
  [bar.max, bar.value] = [done + left || 1, done];
}

/**
 * Creates a table. On a phone each of its rows is a block, in which every value has its column's heading beside
 * it; the roles are for browsers in which a block is no row any more.
 *
 * @param {Table} table
 * @param {number} number
 */
function section({ heading, columns, rows }, number) {
  const kinds = columns.map(({ right }) => (right ? "right" : null));
  const head = columns.map((column, at) => html("th", { scope: "col", role: "columnheader", class: kinds[at] }, column.heading));
  const cell = (/** @type {string} */ text, /** @type {number} */ at) =>
    html("td", { role: "cell", class: kinds[at], "data-heading": columns[at]?.heading ?? "" }, text);
  const body = rows.map((row) => html("tr", { role: "row" }, ...row.map(cell)));
  const id = `table-${number}`;
  const table = html(
    "table",
    { role: "table", "aria-labelledby": id },
    html("thead", { role: "rowgroup" }, html("tr", { role: "row" }, ...head)),
    html("tbody", { role: "rowgroup" }, ...body),
  );
  const frame = html("div", { class: "wide", tabindex: 0, role: "region", "aria-labelledby": id }, table);
  return html("section", {}, html("h2", { id }, heading), frame);
}

async function begin() {
  offerLarger();
  const page = new StatisticsPage();
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  document.title = `${gettext("Statistics")} – urpi`;
  await page.filters.fillRules();
  await page.fetch();
}

void begin();
