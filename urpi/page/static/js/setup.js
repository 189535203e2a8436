/** The page to set up a position: pieces are put on the squares by tapping, and a game begins from it. */

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { confirmed } from "./confirm.js";
import { html, put, the } from "./elements.js";
import { seatOptions, select } from "./new_game.js";
import { offeredNames } from "./own_names.js";
import { piecesOf } from "./pieces.js";
import { positionOf } from "./positions.js";
import { SetUpPosition } from "./set_up_position.js";
import { gettext, setLanguage, sideName } from "./translation.js";
import { offerLarger, offerView } from "./view.js";

/** @typedef {import("./state.js").Side} Side */
/** @typedef {import("./set_up_position.js").Setup} Setup */

const SIDES = /** @type {const} */ (["light", "dark"]);

class SetupPage {
  /**
   * @param {import("./new_game.js").RuleSet[]} ruleSets
   * @param {import("./state.js").State} state
   * @param {Setup} setup
   */
  constructor(ruleSets, state, setup) {
    this.ruleSets = ruleSets;
    this.state = state;
    this.board = Board.drawn();
    this.position = new SetUpPosition(setup);
    /** The square whose pile the buttons change. */
    this.square = "";
    /** Counts requests: responses to older ones are ignored. */
    this.requests = 0;
    this.fill();
    this.listen();
  }

  fill() {
    field("rules").replaceChildren(...this.ruleSets.map(({ id, name }) => html("option", { value: id }, name)));
    for (const side of SIDES) {
      field(`seat-${side}`).replaceChildren(...seatOptions(false));
      const seat = this.state.seats[side];
      field(`seat-${side}`).value = seat === "remote" ? "person" : seat;
    }
    the("trays").replaceChildren(...SIDES.map((side) => this.tray(side)));
    the("fields").removeAttribute("disabled");
  }

  /** @param {Side} side what says how many of its pieces are in hand and home, with buttons to change that */
  tray(side) {
    const name = sideName(side);
    /** @param {1 | -1} by @param {string} sign @param {string} label */
    const step = (by, sign, label) => {
      const button = html("button", { type: "button", "aria-label": `${name}: ${label}` }, sign);
      button.addEventListener("click", () => this.change(() => this.position.bringHome(side, by)));
      return button;
    };
    const [hand, home] = ["hand", "home"].map((place) => html("span", { id: `${place}-${side}`, class: "count" }));
    const fewer = step(-1, "−", gettext("one fewer at home"));
    const homes = html("span", { class: "homes" }, fewer, home ?? "", step(1, "+", gettext("one more at home")));
    return html("div", { class: "tray" }, html("span", { class: `dot dot-${side}` }), hand ?? "", homes);
  }

  listen() {
    this.board.svg.addEventListener("click", (event) => this.tap(this.board.placeAt(this.board.point(event))));
    this.board.svg.addEventListener("board-choose", (event) => this.tap(/** @type {CustomEvent} */ (event).detail.place));
    the("pile-more").addEventListener("click", () => this.change(() => this.position.more(this.square)));
    the("pile-less").addEventListener("click", () => this.change(() => this.position.fewer(this.square)));
    the("clear").addEventListener("click", () => this.change(() => this.position.clear()));
    for (const turn of turns()) turn.addEventListener("change", () => this.change(() => (this.position.turn = turn.value)));
    field("extra").addEventListener("change", () => this.change(() => (this.position.extra = field("extra").checked)));
    field("rules").addEventListener("change", () => void this.open(field("rules").value));
    the("options").addEventListener("change", () => void this.open(this.rulesText()));
    field("text").addEventListener("change", () => void this.enter(field("text").value.trim()));
    the("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.begin();
    });
  }

  /** @param {string | null} place */
  tap(place) {
    if (!place) return;
    const [kind, side] = place.split(":");
    if (side) return this.change(() => this.position.bringHome(/** @type {Side} */ (side), kind === "hand" ? 1 : -1));
    this.square = place;
    this.change(() => this.position.next(place));
  }

  /** @param {() => unknown} action */
  change(action) {
    action();
    this.draw();
  }

  /** Returns the selected rule set with its options (docs/design/FORMATS.md, Positions). */
  rulesText() {
    const options = [...the("options").querySelectorAll("select")].map(({ name, value }) => `${name}=${value}`);
    return options.length ? `${field("rules").value}[${options.join(";")}]` : field("rules").value;
  }

  /**
   * Shows another rule set, with those of the pieces that it can have there.
   *
   * @param {string} rules
   * @param {string} text the position
   */
  async open(rules, text = this.position.text) {
    const request = ++this.requests;
    const answer = await get(`/api/setup?${new URLSearchParams({ rules })}`);
    if (request !== this.requests) return;
    if (!answer.ok) return put(the("reason"), answer.error);
    this.position = new SetUpPosition(answer.data);
    this.position.load(text);
    this.draw();
  }

  /** @param {string} text a position that was typed, pasted or in the page's address */
  async enter(text) {
    const request = ++this.requests;
    const answer = await get(`/api/position?${new URLSearchParams({ text })}`);
    if (request !== this.requests) return;
    if (answer.ok) return this.open(text.split(" ")[0] ?? "", text);
    this.refuse(answer.error);
  }

  draw() {
    const { position, board } = this;
    const { rules, leave, extra } = position.setup;
    board.show(piecesOf(positionOf(position.text), rules.pieces));
    const uses = position.uses(this.square);
    the("pile").hidden = !uses.piles;
    put(the("pile-name"), this.square);
    board.mark("last", uses.piles ? [this.square] : []);
    for (const side of SIDES) {
      put(the(`hand-${side}`), gettext("In hand: {count}", { count: position.hand(side) }));
      put(the(`home-${side}`), gettext("Home: {count}", { count: position.home[side] }));
    }
    for (const homes of document.querySelectorAll(".homes")) homes.toggleAttribute("hidden", !leave);
    for (const turn of turns()) turn.checked = turn.value === position.turn;
    the("extra-shown").hidden = !extra;
    field("extra").checked = position.extra;
    this.drawRules();
    void this.check();
  }

  drawRules() {
    const { rules } = this.position.setup;
    field("rules").value = rules.id;
    const options = this.ruleSets.find(({ id }) => id === rules.id)?.options ?? [];
    // A choice that has not changed keeps the focus.
    if (the("options").dataset.rules === rules.text) return;
    the("options").dataset.rules = rules.text;
    the("options").replaceChildren(...options.map((option) => select(option, rules.options)));
  }

  /** Shows why no game can begin from the position, or who throws in it; and stores it in the page's address. */
  async check() {
    const { text } = this.position;
    field("text").value = text;
    const request = ++this.requests;
    const answer = await get(`/api/position?${new URLSearchParams({ text })}`);
    if (request !== this.requests) return;
    const reason = answer.ok ? answer.data.reason : answer.error;
    if (reason) return this.refuse(reason);
    showAddress(text);
    the("reason").classList.remove("wrong");
    const side = sideName(this.position.turn === "L" ? "light" : "dark");
    put(the("reason"), gettext("A game can begin here: {side} throws.", { side }));
    the("begin").toggleAttribute("disabled", false);
    the("analyse").hidden = false;
    the("analyse").setAttribute("href", `/analysis?${new URLSearchParams({ position: text })}`);
  }

  /** @param {string} reason */
  refuse(reason) {
    the("reason").classList.add("wrong");
    put(the("reason"), reason);
    the("begin").toggleAttribute("disabled", true);
    the("analyse").hidden = true;
  }

  /** Begins a game from the position, and shows the table. Pressing the button twice begins one game. */
  async begin() {
    if (this.beginning) return;
    this.beginning = true;
    const error = await this.order();
    if (error) this.refuse(error);
    this.beginning = false;
  }

  /** @returns {Promise<string>} why no game has begun, empty if it has, or if the player does not want it */
  async order() {
    // Another game may have begun since the page was opened.
    const now = await get("/api/state");
    if (!now.ok) return now.error;
    const running = now.data.game !== null && !["over", "no-game"].includes(now.data.phase);
    if (running && !(await confirmed(gettext("Abandon the game and start a new one?")))) return "";
    const answer = await post("/api/new-game", this.body(now.data));
    if (answer.ok) location.assign("/");
    return answer.error;
  }

  /** @param {import("./state.js").State} state */
  body(state) {
    const { setup, text } = this.position;
    const seats = { light: field("seat-light").value, dark: field("seat-dark").value };
    /** @param {Side} side the engine's name is not a person's */
    const last = (side) => (state.seats[side] === "person" ? state.players[side] : "");
    const names = offeredNames({ light: last("light"), dark: last("dark") });
    /** @param {Side} side */
    const name = (side) => (seats[side] === "person" ? names[side] : "");
    const { coach, engine_throws } = state;
    const timed = state.clock ? { clock: state.clock.control } : {};
    return { rules: setup.rules.id, position: text, light: name("light"), dark: name("dark"), seats, coach, engine_throws, ...timed };
  }
}

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/** @returns {HTMLInputElement[]} */
const turns = () => [...document.querySelectorAll("[name=turn]")].map((one) => /** @type {HTMLInputElement} */ (one));

/** @param {string} position */
function showAddress(position) {
  try {
    history.replaceState(null, "", `?${new URLSearchParams({ position })}`);
  } catch {
    // Safari limits how often; a later change updates the address.
  }
}

offerLarger();
offerView();
const languages = await get("/api/languages");
if (languages.ok) await setLanguage(languages.data.now);
const given = new URLSearchParams(location.search).get("position") ?? "";
const answers = await Promise.all([get("/api/rulesets"), get("/api/state"), get("/api/setup")]);
const failed = answers.find(({ ok }) => !ok);
if (failed) put(the("reason"), failed.error);
else {
  const [ruleSets, state, setup] = answers.map(({ data }) => data);
  const page = new SetupPage(ruleSets, state, setup);
  page.draw();
  if (given) await page.enter(given);
}
