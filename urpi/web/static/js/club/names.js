/** The names of players at a club's tables. */

import { gettext } from "../translation.js";

/**
 * Returns the names of a game's players. If only one of them has agreed to publish a name, the other is
 * the player at that table; if neither has, they are named by their sides.
 *
 * @param {string} table
 * @param {import("../state.js").Names} players
 * @returns {import("../state.js").Names}
 */
export function namesAt(table, { light, dark }) {
  const other = light || dark ? gettext("Player at table {table}", { table }) : "";
  return { light: light || other, dark: dark || other };
}
