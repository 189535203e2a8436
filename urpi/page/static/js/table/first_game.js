/**
 * "Your first game": the end of a game at the real table, for people who never played. The server
 * sets up a position and prepares the throws (urpi/rules/lesson.py); the referee judges the
 * moves as in every game. Afterwards a game begins from the start.
 */

import { confirmed } from "../confirm.js";
import { post } from "../api.js";
import { showError } from "../elements.js";
import { load } from "../storage.js";
import { gettext } from "../translation.js";
import { BEFORE } from "./tour.js";

/** @typedef {import("./tour.js").Tour} Tour */
/** @typedef {import("./tour.js").Step} Step */

/** Light's pieces that are home when the lesson begins. */
const HOME = 5;

/**
 * Returns how far the lesson is: 1 before the first throw, then one more after each throw and move.
 *
 * @param {Tour} tour
 */
function progress({ state, table, gameBefore }) {
  const position = state?.position;
  if (!state || !position || !table.physical?.lesson || state.game === gameBefore) return 0;
  const moves = state.phase === "move" && state.side === "light" && state.legal.length > 0;
  if (position.off.light > HOME) return 7;
  if (position.squares.B3?.side === "light") return moves ? 6 : 5;
  if (position.squares.A1?.side === "light") return moves ? 4 : 3;
  return moves ? 2 : 1;
}

/** @param {Tour} tour */
function showPath({ state }) {
  const path = state?.rules?.paths.light ?? [];
  return [{ from: ["hand", ...path], to: [...path, "off"] }];
}

/** @param {Tour} tour */
const showMove = ({ state }) => (state?.phase === "move" ? state.legal : []);

/**
 * @param {number} until the progress that ends the step
 * @param {() => string} text
 * @returns {Step}
 */
const throwing = (until, text) => ({
  text,
  at: ".panel > .throw",
  done: (tour) => progress(tour) >= until,
  waits: true,
  does: { text: () => gettext("Do it for me"), act: throwForLight, may: mayThrow },
});

/**
 * Whether light may throw now, and the dice do not roll already.
 *
 * @param {Tour} tour
 */
function mayThrow(tour) {
  const { state, table } = tour;
  return progress(tour) > 0 && state?.phase === "throw" && state.side === "light" && !table.tray.rolls;
}

/** @param {Tour} tour */
async function throwForLight(tour) {
  if (mayThrow(tour)) await send("/api/table/throw", {});
}

/**
 * @param {number} until
 * @param {() => string} text
 * @returns {Step}
 */
const moving = (until, text) => ({
  text,
  at: "#board",
  done: (tour) => progress(tour) >= until,
  waits: true,
  arrows: showMove,
  does: { text: () => gettext("Do it for me"), act: moveForLight },
});

/** @param {Tour} tour */
async function moveForLight({ state }) {
  const move = state?.side === "light" && state.legal[0];
  if (move) await send("/api/table/move", { move: move.move });
}

/**
 * @param {string} address
 * @param {object} body
 */
async function send(address, body) {
  const answer = await post(address, body);
  if (!answer.ok) showError(answer.error);
  return answer.ok;
}

/** @type {import("./tour.js").Plan} */
export const FIRST_GAME = {
  steps: [
    {
      text: () => gettext("Yours are the light pieces; the arrows show their way over the board. Who brings all seven home first wins. Five of yours are home already."),
      at: "#board",
      done: (tour) => progress(tour) >= 2,
      arrows: showPath,
    },
    throwing(2, () => gettext("Press Throw. Every gold or silver tip that points up counts 1.")),
    moving(3, () => gettext("You threw 4. Bring a new piece in: tap one in your tray, then the square at the end of the arrow; or drag it there.")),
    throwing(4, () => gettext("This flower is a rosette: your piece is safe on it, and you throw again. Press Throw.")),
    moving(5, () => gettext("You threw 3. Move the same piece along its arrow. Dark's piece there is captured, and must begin again.")),
    throwing(6, () => gettext("Now dark throws: a 0, which moves nothing. Then it is your turn again. Press Throw.")),
    moving(7, () => gettext("You threw 1, which leads exactly off the board. Move the piece at the end of your path to the tray of your home, on the right.")),
    {
      text: () => gettext("Your piece is home. Rules has the rest. Now play a game from the start: dark is played by the program."),
      at: "#board",
    },
  ],
  done: () => gettext("Play a game"),
  begins: async ({ state, table }) => {
    const lines = state ? state.record_from - 1 + state.record.length : 0;
    const running = lines > 0 && state?.phase !== "over" && !table.physical?.lesson;
    if (running && !(await confirmed(gettext("Abandon the game and begin a new one?")))) return false;
    return send("/api/table/lesson", {});
  },
  ends: async ({ table, seenOnTable }) => {
    // The page may not have received the lesson that it has just begun.
    if (table.physical?.lesson || !seenOnTable) await send("/api/new-game", JSON.parse(load(BEFORE) ?? '{"rules":"finkel","seats":{"dark":"engine:easy"}}'));
  },
  isOver: ({ table }) => table.physical?.lesson === false,
};
