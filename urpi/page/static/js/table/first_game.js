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

/** Where light's last piece is before each of its throws; it then has one move. */
const PLACES = ["hand", "A1", "B4", "B7"];

/**
 * Returns how far the lesson is: 1 before the first throw, then one more after each throw and move.
 *
 * @param {Tour} tour
 */
function progress({ state, table, gameBefore }) {
  const position = state?.position;
  if (!state || !position || !table.physical?.lesson || state.game === gameBefore) return 0;
  if (state.phase === "over") return 2 * PLACES.length + 1;
  const moves = state.phase === "move" && state.side === "light" && state.legal.length > 0;
  const place = PLACES.findIndex((name) => position.squares[name]?.side === "light");
  return 2 * Math.max(place, 0) + (moves ? 2 : 1);
}

/** @param {Tour} tour */
function showPath({ state }) {
  const path = state?.rules?.paths.light ?? [];
  return [{ from: ["hand", ...path], to: [...path, "off"] }];
}

/** @param {Tour} tour */
const showMove = ({ state }) => (state?.phase === "move" ? state.legal : []);

/** The button that throws. */
const throwButton = () => [document.querySelector(".throw-all:not(.no-act)")];

/**
 * The piece to move, and where to.
 *
 * @param {Tour} tour
 */
function pieceAndTarget({ state }) {
  const move = state?.phase === "move" && state.side === "light" && state.legal[0];
  return move ? [elementAt(move.from[0]), elementAt(move.to[0])] : [];
}

/** @param {string | undefined} place of light */
function elementAt(place = "") {
  const name = place === "hand" ? "hand:light" : place === "off" ? "home:light" : place;
  const piece = place !== "off" && [...document.querySelectorAll(`.ur-piece[data-place="${name}"]`)].at(-1);
  return piece || document.querySelector(`[data-square="${name}"], .ur-tray[data-place="${name}"]`);
}

/**
 * @param {number} until the progress that ends the step
 * @param {() => string} text
 * @returns {Step}
 */
const throwing = (until, text) => ({
  text,
  at: "#act",
  done: (tour) => progress(tour) >= until,
  gesture: (tour) => (mayThrow(tour) ? throwButton() : []),
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
  gesture: pieceAndTarget,
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
      text: () => gettext("You have the light pieces. The first to bring all seven home wins; six of yours are home already. The arrows show the path of the last one."),
      at: "#board",
      done: (tour) => progress(tour) >= 2,
      arrows: showPath,
    },
    throwing(2, () => gettext("Press Throw. Every gold or silver tip that points up counts 1.")),
    moving(3, () => gettext("You threw 4. Bring your last piece in: tap it in your tray, then the square at the end of the arrow; or drag it there.")),
    throwing(4, () => gettext("This flower is a rosette: your piece is safe on it, and you throw again. Press Throw.")),
    moving(5, () => gettext("A 4 again. Move your piece along its arrow, to the next rosette.")),
    throwing(6, () => gettext("Another rosette: you throw again. Press Throw.")),
    moving(7, () => gettext("You threw 3. Dark's piece stands at the end of the arrow. Move there: it is captured, and must begin again.")),
    throwing(8, () => gettext("Now Dark throws: a 0, which moves nothing. Then it is your turn again. Press Throw.")),
    moving(9, () => gettext("You threw 4, which takes the piece exactly off the board. Move it to the tray of your home, on the right.")),
    {
      text: () => gettext("Your last piece is home: you have won! Rules has the rest. Now play a game from the start: dark is played by the program."),
      at: "#board",
    },
  ],
  done: () => gettext("Play a game"),
  begins: async ({ state, table }) => {
    const lines = state ? state.record_from - 1 + state.record.length : 0;
    const running = lines > 0 && state?.phase !== "over" && !table.physical?.lesson;
    if (running && !(await confirmed(gettext("Abandon the game and start a new one?")))) return false;
    return send("/api/table/lesson", {});
  },
  ends: async ({ table, seenOnTable }) => {
    // The page may not have received the lesson that it has just begun.
    if (table.physical?.lesson || !seenOnTable) await send("/api/new-game", JSON.parse(load(BEFORE) ?? '{"rules":"finkel","seats":{"dark":"engine:easy"}}'));
  },
  isOver: ({ table }) => table.physical?.lesson === false,
};
