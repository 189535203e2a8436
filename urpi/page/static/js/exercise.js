/** An exercise from a player's own games: the position, the throw, the moves to choose from, and what they are worth. */

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { drawDie, thrown } from "./dice.js";
import { html, put, the } from "./elements.js";
import { piecesOf } from "./pieces.js";
import { dotted, gettext, playerName } from "./translation.js";

/** @typedef {import("./state.js").Move} Move */
/** @typedef {import("./players.js").Stack} Stack */
/**
 * @typedef {{
 *   game: number, throw: number, day: string, players: import("./state.js").Names, side: import("./state.js").Side,
 *   faces: string, value: number, position: import("./state.js").Position, rules: import("./state.js").Rules,
 *   moves: Move[], again: boolean,
 * }} Exercise
 * @typedef {Move & {chance: string, loss: string, good: boolean, answered: boolean, played: boolean}} Judged
 * @typedef {{good: boolean, sentences: string[], moves: Judged[], source: string, stack: Stack}} Solution
 */

export class ExerciseView {
  /** @param {(answered: boolean) => void} onAnswer called when an answer is stored */
  constructor(onAnswer) {
    this.onAnswer = onAnswer;
    this.board = Board.drawn();
    this.player = "";
    /** @type {Exercise | null} */
    this.exercise = null;
    /** Whether an answer is being sent, or is shown until the next exercise is asked for. */
    this.busy = false;
    this.requests = 0;
  }

  /** @param {string} player */
  async open(player) {
    this.player = player;
    this.busy = false;
    await this.fetch();
  }

  /** Asks for an exercise if there was none, as while games are being reviewed. */
  async update() {
    if (!this.exercise && !this.busy) await this.fetch();
  }

  async fetch() {
    const request = ++this.requests;
    const answer = await get(`/api/exercise?${new URLSearchParams({ player: this.player })}`);
    if (request !== this.requests) return;
    if (!answer.ok) return void put(the("found"), answer.error);
    this.busy = false;
    this.exercise = answer.data.exercise;
    this.ask(answer.data.stack);
  }

  /** @param {Stack} stack */
  ask(stack) {
    const { exercise } = this;
    the("exercise").hidden = false;
    the("exercise").classList.remove("done");
    the("board").hidden = !exercise;
    the("result").replaceChildren();
    put(the("counts"), countsText(stack));
    put(the("ask"), exercise ? gettext("What would you play?") : gettext("Nothing to answer now"));
    if (!exercise) {
      put(the("asked"), noneText(stack));
      the("choices").replaceChildren();
      the("dice").replaceChildren();
      return put(the("value"), "");
    }
    const { day, game, moves, players, position, rules, side, value } = exercise;
    const name = playerName(side, players);
    put(the("asked"), dotted([gettext("{name} threw {value}.", { name, value }), gettext("Game {number}", { number: game }), day]));
    the("dice").replaceChildren(...thrown(exercise.faces, rules.dice.body).map((die) => drawDie(die)));
    put(the("value"), String(value));
    this.board.paths = rules.paths;
    this.board.show(piecesOf(position, rules.pieces));
    this.board.arrows([]);
    the("choices").replaceChildren(...moves.map((move) => html("li", {}, this.choice(move))));
  }

  /** @param {Move} move */
  choice(move) {
    const button = html("button", { type: "button", "data-move": move.move }, move.text);
    const side = this.exercise?.side;
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => !this.busy && this.board.arrows([move], side));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => !this.busy && this.board.arrows([]));
    button.addEventListener("click", () => void this.answer(move));
    return button;
  }

  /** @param {Move} move */
  async answer({ move }) {
    const { exercise } = this;
    // A second tap would answer with another move.
    if (this.busy || !exercise) return;
    this.busy = true;
    this.requests++;
    const answer = await post("/api/exercise", { game: exercise.game, throw: exercise.throw, move });
    if (this.exercise !== exercise) return;
    if (!answer.ok) {
      this.busy = false;
      return the("result").replaceChildren(html("p", { class: "bad" }, answer.error));
    }
    this.solve(answer.data, exercise);
    this.onAnswer(true);
  }

  /**
   * @param {Solution} solution
   * @param {Exercise} exercise
   */
  solve({ good, moves, sentences, source, stack }, exercise) {
    the("exercise").classList.add("done");
    const [best] = moves;
    const answered = moves.find((one) => one.answered);
    const worse = answered && answered !== best ? [{ ...answered, worse: true }] : [];
    this.board.arrows(best ? [best, ...worse] : [], exercise.side);
    the("choices").replaceChildren(...moves.map(judged));
    const [first = "", ...others] = sentences;
    const next = html("button", { type: "button", class: "main", id: "next" }, stack.due + stack.new ? gettext("Next exercise") : gettext("Go on"));
    next.addEventListener("click", () => void this.fetch());
    const estimated = source === "exact" ? [] : [html("small", {}, gettext("All values are estimated by a network."))];
    the("result").replaceChildren(
      html("p", { class: good ? "good" : "bad" }, first),
      html("p", {}, others.join(" ")),
      ...estimated,
      next,
    );
    put(the("counts"), countsText(stack));
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

/** @param {Judged} move */
function judged({ text, chance, loss, good, answered, played }) {
  const tags = [answered ? gettext("your answer") : "", played ? gettext("played in the game") : ""].filter(Boolean);
  const worth = good ? chance : `${chance} (−${loss})`;
  const parts = [html("span", {}, text), html("span", { class: good ? "good" : "bad" }, worth)];
  if (tags.length) parts.push(html("small", {}, tags.join(", ")));
  return html("li", { class: answered ? "worth answered" : "worth" }, ...parts);
}

/** @param {Stack} stack */
function countsText({ due, new: fresh, later, known }) {
  return gettext("To repeat: {due}. New: {new}. Later: {later}. Known: {known}.", { due, new: fresh, later, known });
}

/** @param {Stack} stack */
function noneText({ later, known, next_day: day }) {
  if (day) return gettext("The next exercise returns on {date}.", { date: day });
  if (later + known) return gettext("You know all your exercises. New ones come with your next games.");
  return gettext("Exercises come from reviewed games, where a move gave away 4 points or more.");
}
