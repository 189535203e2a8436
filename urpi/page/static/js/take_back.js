/** Takes the last move back: in the game, and at a virtual table also on the board. */

import { post } from "./api.js";
import { showError } from "./errors.js";

/**
 * Whether the last move can be taken back here. One that only seems made is not in the game yet: its piece
 * is put back by the players, or by the virtual table's hands.
 *
 * @param {import("./state.js").State} state
 */
export const mayTakeBack = ({ takeback, seems, table }) => takeback !== null || (seems !== null && table === "virtual");

/**
 * The pieces of a real board are put back by the players, who see where they belong.
 *
 * @param {import("./state.js").State} state
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
