/** The page of the players: whose page it is, an exercise to answer, the player's figures and answers. */

import { enterPin, get, post } from "./api.js";
import { picture } from "./charts.js";
import { html, put, showError, the } from "./elements.js";
import { dotted, gettext, setLanguage } from "./translation.js";
import { offerLarger } from "./view.js";

/**
 * @typedef {{due: number, new: number, later: number, known: number, next_day: string | null}} Stack
 * @typedef {{
 *   day: string, game: number, throw: number, move: string, good: boolean, due: string | null, known: boolean,
 * }} Answered
 * @typedef {{
 *   name: string, shown: boolean, games: number, reviewed: string, reviewing: boolean, figures: [string, string][],
 *   charts: import("./charts.js").Chart[], notes: string[], stack: Stack, answers: Answered[],
 * }} Report
 */

/** Milliseconds after which the page is updated while games are being reviewed. */
const REVIEWING_MS = 10_000;

class PlayersPage {
  constructor() {
    this.name = new URLSearchParams(location.search).get("player") ?? "";
    /** The part that asks, which is loaded with the first exercise. @type {import("./exercise.js").ExerciseView | null} */
    this.exercise = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** Counts requests: responses to older ones are ignored. */
    this.requests = 0;
    the("enter").addEventListener("click", () => void this.enter());
    the("shown-button").addEventListener("click", () => void this.switchShown());
    window.addEventListener("popstate", () => {
      this.name = new URLSearchParams(location.search).get("player") ?? "";
      void this.fetch();
    });
  }

  async enter() {
    if (await enterPin()) await this.fetch();
  }

  /** Requests the players, and the chosen one's report. */
  async fetch() {
    const answer = await get("/api/players");
    if (!answer.ok) return void put(the("found"), answer.error);
    const { players, may_act: mayAct } = answer.data;
    the("enter").hidden = mayAct;
    // The only player need not be chosen.
    if (!this.name && players.length === 1) this.name = players[0].name;
    the("names").replaceChildren(...players.map((/** @type {{name: string}} */ one) => this.button(one.name)));
    if (this.name) return this.open(this.name);
    put(the("found"), foundText(players.length, mayAct));
  }

  /** @param {string} name */
  button(name) {
    const button = html("button", { type: "button", "aria-pressed": String(name === this.name) }, name);
    button.addEventListener("click", () => {
      history.pushState(null, "", `/players?${new URLSearchParams({ player: name })}`);
      this.name = name;
      for (const one of the("names").children) one.setAttribute("aria-pressed", String(one === button));
      void this.open(name);
    });
    return button;
  }

  /** @param {string} name */
  async open(name) {
    const request = ++this.requests;
    clearTimeout(this.timer);
    the("exercise").hidden = the("report").hidden = true;
    document.title = `${name} – urpi`;
    const answer = await get(`/api/player?${new URLSearchParams({ player: name })}`);
    if (request !== this.requests) return;
    put(the("found"), answer.ok ? "" : answer.error);
    if (!answer.ok) return;
    this.show(answer.data);
    if (!this.exercise) {
      const script = await import("./exercise.js").catch(() => null);
      if (!script) return showError(gettext("The table does not respond."));
      this.exercise = new script.ExerciseView((answered) => this.update(answered));
    }
    if (request === this.requests) await this.exercise.open(name);
  }

  /**
   * Updates the report, also after an answer, without a change of what is asked.
   *
   * @param {boolean} [answered]
   */
  async update(answered = false) {
    const request = this.requests;
    const answer = await get(`/api/player?${new URLSearchParams({ player: this.name })}`);
    if (request !== this.requests || !answer.ok) return;
    this.show(answer.data);
    if (!answered) await this.exercise?.update();
  }

  /** @param {Report} report */
  show({ shown, reviewed, reviewing, figures, charts, notes, answers }) {
    the("report").hidden = false;
    put(the("reviewed"), reviewed);
    the("figures").replaceChildren(...figures.map(([title, value]) => html("div", {}, html("dt", {}, title), html("dd", {}, value))));
    the("charts").replaceChildren(...charts.map(picture));
    the("notes").replaceChildren(...notes.map((note) => html("p", {}, note)));
    the("answers").hidden = answers.length === 0;
    the("answer-list").replaceChildren(...answers.map(answerItem));
    this.shown = shown;
    put(the("shown-text"), shown ? gettext("Everyone sees this page.") : gettext("Only those with the PIN see this page."));
    put(the("shown-button"), shown ? gettext("Hide it from others") : gettext("Show it to everyone"));
    clearTimeout(this.timer);
    if (reviewing) this.timer = setTimeout(() => void this.update(), REVIEWING_MS);
  }

  async switchShown() {
    const answer = await post("/api/player-shown", { name: this.name, agreed: !this.shown });
    if (!answer.ok) return showError(answer.error);
    await this.update(true);
  }
}

/**
 * @param {number} players
 * @param {boolean} mayAct
 */
function foundText(players, mayAct) {
  if (players) return gettext("Choose a player.");
  return mayAct
    ? gettext("No player with a name has played here yet.")
    : gettext("Without the PIN you see only players who agree to it.");
}

/** @param {Answered} answer */
function answerItem({ day, game, throw: number, move, good, due, known }) {
  const mark = html("span", { class: `result ${good ? "good" : "bad"}` }, good ? gettext("good answer") : gettext("mistake"));
  const next = known ? gettext("known") : due ? gettext("again on {date}", { date: due }) : "";
  const about = dotted([day, gettext("Game {number}", { number: game }), next]);
  return html(
    "li",
    { "data-throw": number },
    html("a", { href: `/games/${game}` }, html("span", { class: "players" }, move), mark, html("span", { class: "about" }, about)),
  );
}

async function begin() {
  offerLarger();
  const page = new PlayersPage();
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
  document.title = `${gettext("Players")} – urpi`;
  await page.fetch();
}

void begin();
