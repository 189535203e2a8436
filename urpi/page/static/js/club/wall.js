/**
 * The wall: the tables of a club that are online, or one table as large as the window. Its address may
 * have `tables`, such as `lisbon-*,porto-1`, which shows only these, and `language` and `theme`, for a
 * projector whose browser has others.
 */

import { get } from "../api.js";
import { put, the } from "../elements.js";
import { Stream } from "../stream.js";
import { showTheme, storedTheme } from "../view.js";
import { chooseLanguage, gettext, languageHeaders } from "../translation.js";
import { Card } from "./card.js";
import { layout } from "./wall_layout.js";

/** @typedef {import("./card.js").Table} Table */

/** An offline table stays on the wall for this time. */
const OFFLINE_S = 1800;
const TICK_MS = 5000;
/** Milliseconds after which the pairings that have a table are fetched again. */
const PAIRINGS_MS = 20_000;

const options = new URLSearchParams(location.search);
/** The table that is shown alone, empty for all tables. */
const only = decodeURIComponent(location.pathname.match(/^\/tables\/([^/]+)$/)?.[1] ?? "");
/** The tables that are shown, as `urpi.club.web.wall.TableFilter`, empty for all. */
const chosen = only || (options.get("tables") ?? "");

class Wall {
  constructor() {
    /** @type {Map<string, Table>} */
    this.tables = new Map();
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** The first pairing of each table that has no result. @type {Map<string, import("./card.js").Next>} */
    this.next = new Map();
    /** The names of rule sets by their ids. @type {Record<string, string>} */
    this.ruleNames = {};
    /** The server's clock minus the page's, which does not jump, in milliseconds. */
    this.ahead = 0;
    this.connected = { page: true, club: true };
    this.storage = "works";
    this.begun = false;
    /** @type {number | undefined} */
    this.waiting = undefined;
    this.template = /** @type {HTMLTemplateElement} */ (the("card"));
    new ResizeObserver(() => this.fit()).observe(document.documentElement);
    setInterval(() => this.tick(), TICK_MS);
  }

  get now() {
    return performance.now() + this.ahead;
  }

  /**
   * @param {string} event
   * @param {any} data
   */
  receive(event, data) {
    if (event === "clock") {
      // The stream begins: it repeats every table that there is.
      this.ahead = data.now - performance.now();
      this.begun = true;
    } else if (event === "club") {
      this.connected.club = data.connected;
      this.storage = data.storage;
    } else {
      this.tables.set(data.table, data);
    }
    this.arrangeSoon();
  }

  /** Arranges the cards once for all events that arrive together. */
  arrangeSoon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.arrange();
    });
  }

  /** Shows a card for each table that is online, or was recently, in the order of their names. */
  arrange() {
    const names = [...this.tables.keys()].filter((name) => this.isShown(name)).sort(byName);
    for (const name of this.cards.keys()) if (!names.includes(name)) this.cards.delete(name);
    const cards = names.map((name) => this.cardOf(name));
    const place = the("tables");
    const elements = cards.map(({ element }) => element);
    const same = place.children.length === elements.length && elements.every((one, at) => place.children[at] === one);
    if (!same) place.replaceChildren(...elements);
    this.showConnection();
    if (!same) this.fit();
  }

  /** @param {string} name */
  cardOf(name) {
    const card = this.cards.get(name) ?? new Card(this.template);
    this.cards.set(name, card);
    const table = /** @type {Table} */ (this.tables.get(name));
    if (card.table !== table) card.show(table, this.ruleNames);
    card.next = this.next.get(name) ?? null;
    card.tick(this.now);
    return card;
  }

  /** @param {string} name */
  isShown(name) {
    const table = /** @type {Table} */ (this.tables.get(name));
    if (only) return name === only;
    return table.online || (table.seen !== null && this.now - table.seen < 1000 * OFFLINE_S);
  }

  tick() {
    if (this.begun) this.arrange();
  }

  async loadPairings() {
    const answer = await get("/api/pairings");
    if (!answer.ok) return;
    // The first one of a table, of those in an earlier round, is the last one to be set.
    this.next = new Map(answer.data.pairings.reverse().map((/** @type {any} */ one) => [one.table, one]));
    this.tick();
  }

  /** Chooses the number of columns and the size of the cards. */
  fit() {
    const place = the("tables");
    const style = getComputedStyle(place);
    const gap = parseFloat(style.columnGap);
    const edge = parseFloat(style.paddingTop);
    const aspect = parseFloat(style.getPropertyValue("--aspect"));
    const top = place.getBoundingClientRect().top + scrollY;
    const room = { width: place.clientWidth - 2 * edge, height: innerHeight - top - 2 * edge, gap };
    const { columns, width } = layout(this.cards.size, room, aspect);
    place.style.setProperty("--columns", String(columns));
    place.style.setProperty("--card", `${width}px`);
  }

  /** Returns what does not work, empty if everything does. */
  failure() {
    if (!this.connected.page) return gettext("Not connected. Trying again…");
    if (!this.connected.club) return gettext("The club is not receiving any tables. Ask the club's administrator.");
    return STORAGE[this.storage]?.() ?? "";
  }

  showConnection() {
    put(the("connection"), this.failure());
    the("none").hidden = !this.begun || this.cards.size > 0;
    put(the("none-text"), noTables());
  }
}

/** Returns the text of a wall without tables. */
function noTables() {
  if (only) return gettext("There is no table {table}.", { table: only });
  return chosen ? gettext("None of these tables is online: {tables}", { tables: chosen }) : gettext("No table is online.");
}

/** Texts for a database that does not store. @type {Record<string, () => string>} */
const STORAGE = {
  full: () => gettext("Not all games are being saved. Tell the club's administrator: the database's disk is full."),
  unavailable: () => gettext("No game is being saved. Tell the club's administrator: the database does not answer."),
};

/** Sorts lisbon-2 before lisbon-10. */
const collator = new Intl.Collator("en", { numeric: true });
/** @param {string} one @param {string} other */
const byName = (one, other) => collator.compare(one, other);

/** Returns the names of the rule sets in the page's language. */
async function loadRuleNames() {
  const answer = await fetch("/api/rulesets", { headers: languageHeaders() }).catch(() => null);
  /** @type {{id: string, name: string}[]} */
  const found = answer?.ok ? await answer.json() : [];
  return Object.fromEntries(found.map(({ id, name }) => [id, name]));
}

showTheme(options.get("theme") ?? storedTheme());
document.body.classList.toggle("wall-one", Boolean(only));
if (!only) document.querySelector(`nav [href="/"]`)?.setAttribute("aria-current", "page");
await chooseLanguage();
document.title = `${chosen || gettext("All tables")} – urpi`;
if (only) put(the("title"), only);
the("to-wall").hidden = !only;
const wall = new Wall();
wall.ruleNames = await loadRuleNames();
void wall.loadPairings();
setInterval(() => void (document.hidden || wall.loadPairings()), PAIRINGS_MS);
const query = chosen ? `?tables=${encodeURIComponent(chosen)}` : "";
const stream = new Stream(`/api/events${query}`, {
  onConnection(yes) {
    wall.connected.page = yes;
    wall.arrangeSoon();
  },
  onEvent: (event, data) => wall.receive(event, data),
});
await stream.run();
