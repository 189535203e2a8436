/** Taking the last move back, in the game and at a virtual table also on the board, and the coach, who suggests it. */

import { post } from "./api.js";
import { put, showError, the } from "./elements.js";
import { programThrows } from "./headline.js";
import { gettext, percent } from "./translation.js";

/** @typedef {import("./state.js").State} State */

/**
 * Whether the last move can be taken back here. One that only seems made is not in the game yet: its piece
 * is put back by the players, or by the virtual table's hands.
 *
 * @param {State} state
 */
export const mayTakeBack = ({ takeback, seems, table }) => takeback !== null || (seems !== null && table === "virtual");

/**
 * The pieces of a real board are put back by the players, who see where they belong.
 *
 * @param {State} state
 */
export async function takeBack({ table, takeback }) {
  const answer = takeback ? await post("/api/answer", { takeback: true }) : null;
  if (answer && !answer.ok) return showError(answer.error);
  if (table === "virtual") await mend();
}

/** Lets the virtual table's hands put every piece where the game has it. */
export async function mend() {
  const answer = await post("/api/table/restore", {});
  if (!answer.ok) showError(answer.error);
}

/**
 * Shows a better move than the last one, until the next dice are thrown.
 *
 * @param {State} state
 */
export function showCoach(state) {
  const { coached } = state;
  the("coach").hidden = !coached;
  if (!coached) return;
  put(the("coach-text"), `${coached.text} (+${percent(coached.loss / 100)})`);
  put(the("coach-what"), whatNow(state));
  the("coach-take-back").hidden = !mayTakeBack(state) || !state.may_act;
}

/**
 * Returns what the player can do now. A move that may stay is continued by a throw, of the player or of
 * the program.
 *
 * @param {State} state
 */
function whatNow(state) {
  const program = programThrows(state);
  if (!state.takeback && !state.seems) return program ? "" : gettext("Or just throw.");
  if (program) return gettext("To play the better move, put the piece back. To keep yours, let the program throw.");
  return gettext("To play the better move, put the piece back. To keep yours, just throw.");
}
