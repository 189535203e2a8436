/** The form for a new game: the rule set and its options, the names, and who begins. */

import { html, put, the } from "./elements.js";
import { valueName } from "./option_values.js";
import { keepNames, offeredNames } from "./own_names.js";
import { drawnRules, pathPicture, rulesPage } from "./rules.js";
import { gettext } from "./translation.js";

/**
 * @typedef {{name: string, values: string[], about: string}} Option the default value first
 * @typedef {{id: string, name: string, options: Option[]}} RuleSet
 * @typedef {{rules: string, options: Record<string, string>, light: string, dark: string,
 *   seats: Record<string, string>, coach: Record<string, string>, engine_throws: string,
 *   clock?: string, first?: string, publish?: Record<string, boolean>}} NewGameBody
 * @typedef {(address: string, body: object, question?: string) => Promise<void>} Send
 */

const SIDES = /** @type {const} */ (["light", "dark"]);
/** What contains the options of the chosen rule set. */
const OPTIONS = ["new-options", "new-house"];
/** Usual clocks: minutes for each side, and seconds added after each own move. */
const CLOCKS = ["", "5", "5+5", "10", "10+5", "15+10", "30"];

export class NewGame {
  /**
   * @param {Send} send
   * @param {import("./club_names.js").ClubNames} clubNames
   */
  constructor(send, clubNames) {
    this.clubNames = clubNames;
    /** @type {RuleSet[]} */
    this.ruleSets = [];
    this.rules = /** @type {HTMLSelectElement} */ (the("new-rules"));
    this.rules.addEventListener("change", () => this.fillOptions());
    for (const id of OPTIONS) the(id).addEventListener("change", () => void this.explain());
    /** @type {{table: string, place: string}[]} the other tables that can be invited */
    this.tables = [];
    for (const side of SIDES) field(`new-${side}-seat`).addEventListener("change", () => changeSeat(side));
    this.running = false;
    the("new-game").addEventListener("submit", (event) => {
      event.preventDefault();
      keepNames(this.body());
      const invitation = this.invitation();
      if (invitation) return void send("/api/tables/invite", invitation);
      const question = this.running ? gettext("Abandon the game and start a new one?") : undefined;
      send("/api/new-game", this.body(), question);
    });
  }

  /**
   * @param {RuleSet[]} ruleSets
   * @param {import("./state.js").State | null} state
   * @param {string[] | null} published the names that the club may show, null without a club
   * @param {{table: string, place: string}[]} tables the other tables that can be invited
   */
  fill(ruleSets, state, published, tables = []) {
    this.showTables(tables);
    this.name(ruleSets, { rules: state?.rules?.id ?? "finkel", options: state?.rules?.options });
    this.fillSeats();
    /** @param {"light" | "dark"} side the engine's name is not a person's */
    const last = (side) => (state?.seats[side] === "person" ? state.players[side] : "");
    const names = offeredNames({ light: last("light"), dark: last("dark") });
    for (const side of SIDES) {
      // The next game is not with the same table by default.
      const seat = state?.seats[side] === "remote" ? "person" : (state?.seats[side] ?? "person");
      field(`new-${side}`).value = names[side];
      field(`new-${side}-seat`).value = seat;
      field(`new-${side}-coach`).value = state?.coach[side] ?? "off";
    }
    field("new-throws").value = state?.engine_throws ?? "dice";
    this.showClock(state?.clock?.control ?? "");
    showForSeats();
    this.clubNames.fill(published);
  }

  /**
   * Fills in the choices of the clock, with the one that is not among the usual ones.
   *
   * @param {string} chosen
   */
  showClock(chosen) {
    const own = CLOCKS.includes(chosen) ? [] : [chosen];
    replaceOptions("new-clock", clockOptions([...CLOCKS, ...own]));
    field("new-clock").value = chosen;
  }

  /**
   * Names everything that can be selected in the current language; the selection is kept.
   *
   * @param {RuleSet[]} ruleSets
   */
  translate(ruleSets) {
    this.name(ruleSets);
    this.fillSeats();
  }

  /** @param {{table: string, place: string}[]} tables the other tables; the selection is kept */
  showTables(tables) {
    const isFirst = this.tables.length === 0 && tables.length > 0;
    this.tables = tables;
    const chosen = field("new-table").value;
    replaceOptions("new-table", tables.map(({ table, place }) => html("option", { value: table }, place)));
    if (!tables.some(({ table }) => table === chosen)) field("new-table").value = tables[0]?.table ?? "";
    // If the last one leaves, what was selected is kept, as the table may be back in a moment.
    if (isFirst) this.fillSeats();
  }

  /** Fills in who decides the moves, the coaches and what throws; the selection is kept. */
  fillSeats() {
    for (const side of SIDES) {
      replaceOptions(`new-${side}-seat`, seatOptions(this.tables.length > 0));
      replaceOptions(`new-${side}-coach`, coachOptions());
    }
    replaceOptions("new-throws", throwOptions());
    this.showClock(field("new-clock").value);
  }

  /**
   * Fills in the names of the rule sets and their options; by default the selection is kept.
   *
   * @param {RuleSet[]} ruleSets
   * @param {{rules: string, options?: Record<string, string>}} chosen
   */
  name(ruleSets, chosen = this.body()) {
    this.ruleSets = ruleSets;
    const items = ruleSets.map(({ id, name }) => html("option", { value: id }, name));
    this.rules.replaceChildren(...items);
    this.rules.value = chosen.rules;
    this.fillOptions(chosen.options);
  }

  /** @param {Record<string, string>} [chosen] */
  fillOptions(chosen = {}) {
    const options = this.ruleSets.find(({ id }) => id === this.rules.value)?.options ?? [];
    const fields = options.map((option) => select(option, chosen));
    // The number of pieces decides how long a game takes; the others are house rules.
    const isMain = (/** @type {HTMLElement} */ field) => field.querySelector("select")?.name === "pieces";
    the("new-options").replaceChildren(...fields.filter(isMain));
    the("new-house").replaceChildren(...fields.filter((field) => !isMain(field)));
    void this.explain();
  }

  /** Shows one line about the selected rules, their path, and drawings of what the options change. */
  async explain() {
    const rules = this.text();
    const page = await rulesPage(rules);
    if (rules !== this.text()) return;
    put(the("new-about"), page?.about ?? "");
    the("new-drawn").replaceChildren(...(page ? [pathPicture(page), drawnRules(page)] : []));
  }

  /** Returns the selected rule set with its options (FORMATS.md, Positions). */
  text() {
    const { rules, options } = this.body();
    const settings = Object.entries(options).map(([name, value]) => `${name}=${value}`);
    return settings.length ? `${rules}[${settings.join(";")}]` : rules;
  }

  /** Returns the invitation of the other table that is chosen, null if none is. */
  invitation() {
    const { rules, options, light, dark, seats, first, publish } = this.body();
    if (seats.light !== "remote" && seats.dark !== "remote") return null;
    const side = seats.light === "remote" ? "dark" : "light";
    const shown = publish?.[side];
    return {
      ...{ table: field("new-table").value, rules, options, side },
      name: side === "light" ? light : dark,
      ...(first ? { first } : {}),
      ...(shown === undefined ? {} : { publish: shown }),
    };
  }

  /** @returns {NewGameBody} */
  body() {
    const options = OPTIONS.flatMap((id) => [...the(id).querySelectorAll("select")]);
    const [first, clock] = [field("new-first").value, field("new-clock").value];
    return {
      rules: this.rules.value,
      options: Object.fromEntries(options.map((one) => [one.name, one.value])),
      light: personName("light"),
      dark: personName("dark"),
      seats: { light: field("new-light-seat").value, dark: field("new-dark-seat").value },
      coach: { light: field("new-light-coach").value, dark: field("new-dark-coach").value },
      engine_throws: field("new-throws").value,
      ...(first ? { first } : {}),
      ...(clock ? { clock } : {}),
      ...this.clubNames.body(),
    };
  }
}

/**
 * Returns the order of a game with the same rules, players, seats and coaches.
 *
 * @param {import("./state.js").State} state
 * @param {import("./state.js").Rules} rules
 */
export function sameGame({ players, seats, coach, engine_throws, clock }, { id, options }) {
  /** @param {import("./state.js").Side} side the engine plays under its own name */
  const name = (side) => (seats[side] === "person" ? players[side] : "");
  const timed = clock ? { clock: clock.control } : {};
  return { rules: id, options, light: name("light"), dark: name("dark"), seats, coach, engine_throws, ...timed };
}

/**
 * Returns the invitation to another game with the same rules and players, null in a game of one table.
 *
 * @param {import("./state.js").State} state
 * @param {import("./state.js").Rules} rules
 * @param {boolean} swaps whether the players change sides
 */
export function sameInvitation({ players, seats, opponent }, { id, options }, swaps) {
  if (!opponent) return null;
  const here = seats.light === "remote" ? "dark" : "light";
  const there = here === "light" ? "dark" : "light";
  return { table: opponent.table, rules: id, options, side: swaps ? there : here, name: players[here] };
}

/** @param {import("./state.js").Side} side */
const personName = (side) => (field(`new-${side}-seat`).value === "person" ? field(`new-${side}`).value.trim() : "");

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/**
 * @param {string} id
 * @param {HTMLElement[]} options
 */
function replaceOptions(id, options) {
  const { value } = field(id);
  field(id).replaceChildren(...options);
  field(id).value = value;
}

/**
 * @param {Option} option
 * @param {Record<string, string>} chosen
 */
export function select(option, chosen) {
  const values = option.values.map((value) => html("option", { value }, valueName(value)));
  const made = html("select", { name: option.name }, ...values);
  made.value = chosen[option.name] ?? option.values[0] ?? "";
  return html("label", {}, html("span", {}, option.about), made);
}

const LEVELS = {
  beginner: () => gettext("beginner"),
  easy: () => gettext("easy"),
  medium: () => gettext("medium"),
  hard: () => gettext("hard"),
  best: () => gettext("best"),
};

/**
 * Returns the choices of who decides the moves of a side.
 *
 * @param {boolean} hasTables whether another table can be invited
 */
export function seatOptions(hasTables) {
  const engines = Object.entries(LEVELS).map(([level, name]) =>
    html("option", { value: `engine:${level}` }, gettext("engine, {level}", { level: name() })),
  );
  const remote = hasTables ? [html("option", { value: "remote" }, gettext("at another table"))] : [];
  return [html("option", { value: "person" }, gettext("a person")), ...engines, ...remote];
}

/** Returns the choices of the coach, by how much probability to win a move must give away. */
function coachOptions() {
  return [
    html("option", { value: "off" }, gettext("No coach")),
    html("option", { value: "very-bad" }, gettext("Big mistakes (8%)")),
    html("option", { value: "bad" }, gettext("Mistakes (4%)")),
    html("option", { value: "doubtful" }, gettext("Small mistakes too (2%)")),
  ];
}

/** Returns the choices of what throws for the engine. */
function throwOptions() {
  return [
    html("option", { value: "dice" }, gettext("Dice, thrown by a person")),
    html("option", { value: "program" }, gettext("The program throws")),
  ];
}

/** @param {string[]} clocks */
function clockOptions(clocks) {
  return clocks.map((value) => {
    const [minutes = "", seconds = ""] = value.split("+");
    // Translators: The game clock: the minutes of each side, and the seconds added after each of its moves.
    const text = seconds ? gettext("{minutes} min + {seconds} s", { minutes, seconds }) : gettext("{minutes} min", { minutes });
    return html("option", { value }, value ? text : gettext("No clock"));
  });
}

/** Shows what applies to the seats: names, coaches, the engine's throws, the other table. */
function showForSeats() {
  const seats = SIDES.map((side) => field(`new-${side}-seat`).value);
  const invites = seats.includes("remote");
  the("new-clock-shown").hidden = invites;
  the("new-throws-shown").hidden = !seats.some((seat) => seat.startsWith("engine"));
  the("new-table-shown").hidden = the("new-invite").hidden = !invites;
  the("new-begin").hidden = invites;
  for (const side of SIDES) {
    const seat = field(`new-${side}-seat`).value;
    the(`new-${side}-coached`).hidden = seat !== "person" || invites;
    // The engine plays under its own name.
    the(`new-${side}-named`).hidden = seat !== "person";
  }
}

/**
 * Seats a person opposite another table, because only one player is there.
 *
 * @param {import("./state.js").Side} side the side whose seat was chosen
 */
function changeSeat(side) {
  const other = field(`new-${side === "light" ? "dark" : "light"}-seat`);
  const both = [field(`new-${side}-seat`).value, other.value];
  if (both.includes("remote") && both[both[0] === "remote" ? 1 : 0] !== "person") {
    other.value = "person";
    other.dispatchEvent(new Event("change"));
  }
  showForSeats();
}
