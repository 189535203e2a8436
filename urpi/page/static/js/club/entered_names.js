/** The names that are entered at a club's tables: arbiters change them, and players with a PIN their own. */

import { get } from "../api.js";
import { confirmed } from "../confirm.js";
import { html, put, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, day, gettext } from "../translation.js";
import { offerKnown } from "./known_players.js";
import { change, currentUser, showAccount } from "./session.js";

/**
 * @typedef {{table: string, name: string, since: string | null, until: string | null}} Entered
 * @typedef {{table: string, name: string, games: number, since: string}} Missing
 */

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/** @param {string} name */
const shownName = (name) => (name === "*" ? gettext("All names") : name);

/** @param {string} table */
const shownTable = (table) => (table === "*" ? gettext("All tables") : table);

/**
 * @param {string} label
 * @param {string} name
 * @param {() => Promise<void>} act
 */
function button(label, name, act) {
  const made = html("button", {}, label);
  made.setAttribute("aria-label", gettext("{label}: {text}", { label, text: name }));
  made.addEventListener("click", () => void act());
  return html("td", { class: "right" }, made);
}

/** @param {Missing} missing */
function missingRow({ table, name, games, since }) {
  return html(
    "tr",
    {},
    html("th", { class: "name", scope: "row" }, name),
    html("td", {}, table),
    html("td", { class: "right more" }, String(games)),
    html("td", { class: "more" }, day(since)),
    // The day by UTC is never later than the one at which the first game came.
    button(gettext("Enter at this table"), name, () => enter({ name, table, entered: true, since: dayBefore(since) })),
  );
}

/**
 * Returns the day before a moment in any time zone: the club's may be another one than the browser's.
 *
 * @param {string} moment
 */
const dayBefore = (moment) => new Date(Date.parse(moment) - 86_400_000).toISOString().slice(0, 10);

/** @param {Entered} entered */
function enteredRow({ table, name, since, until }) {
  const label = gettext("Remove");
  const remove = async () => {
    const question = gettext("Remove {name}", { name: shownName(name) });
    if (await confirmed(`${question}?`)) await enter({ name, table, entered: false });
  };
  return html(
    "tr",
    {},
    html("th", { class: "name", scope: "row" }, shownName(name)),
    html("td", {}, shownTable(table)),
    html("td", { class: "more" }, since ? day(since) : ""),
    html("td", { class: "more" }, until ? day(until) : ""),
    until ? html("td", {}) : button(label, shownName(name), remove),
  );
}

/** @param {{name: string, table: string, entered: boolean, since?: string}} body */
async function enter(body) {
  show(await change("POST", "/api/names", body), body);
  await update();
}

/**
 * Shows what was changed, or why nothing was.
 *
 * @param {{ok: boolean, error: string}} answer
 * @param {{name: string, table: string, entered: boolean}} about
 */
function show({ ok, error }, { name, table, entered }) {
  const values = { name: shownName(name), table: shownTable(table) };
  const text = entered
    ? gettext("Entered: {name}, table {table}.", values)
    : gettext("Removed: {name}, table {table}.", values);
  put(the("done"), ok ? text : "");
  put(the("wrong"), ok ? "" : error);
}

async function update() {
  const answer = await get("/api/names");
  if (!answer.ok) return put(the("wrong"), answer.error);
  the("content").hidden = false;
  the("missing-section").hidden = answer.data.missing.length === 0;
  the("entered-section").hidden = answer.data.entered.length === 0;
  the("missing").replaceChildren(...answer.data.missing.map(missingRow));
  the("rows").replaceChildren(...answer.data.entered.map(enteredRow));
}

/** @param {SubmitEvent} event */
async function submit(event) {
  const name = field("name").value;
  if (event.submitter === the("pin-button")) {
    const answer = await change("POST", "/api/names/pin", { name });
    const values = { name, pin: answer.data?.pin ?? "" };
    put(the("done"), answer.ok ? gettext("The new PIN of {name}, shown only now: {pin}", values) : "");
    return put(the("wrong"), answer.error);
  }
  const since = field("since").value;
  const entered = event.submitter !== the("remove-button");
  await enter({ name, table: field("table").value.trim(), entered, ...(since && { since }) });
}

/** @param {SubmitEvent} event */
async function submitOwn(event) {
  const about = {
    name: field("own-name").value,
    table: field("own-table").value.trim(),
    entered: event.submitter !== the("own-remove"),
  };
  show(await change("POST", "/api/names/own", { ...about, pin: field("pin").value }), about);
  field("pin").value = "";
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Names at tables")} – urpi`;
  const user = await currentUser();
  showAccount(user);
  for (const [id, act] of /** @type {const} */ ([
    ["enter", submit],
    ["own", submitOwn],
  ])) {
    the(id).addEventListener("submit", (event) => {
      event.preventDefault();
      void act(/** @type {SubmitEvent} */ (event));
    });
  }
  const tables = await get("/api/tables");
  const ids = tables.ok ? tables.data : [];
  the("tables").replaceChildren(...ids.map((/** @type {string} */ value) => html("option", { value })));
  the("own").hidden = Boolean(user);
  if (!user) return;
  offerKnown(field("name"));
  await update();
}

void begin();
