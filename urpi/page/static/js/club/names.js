/** The names of players at a club's tables. */

import { gettext } from "../translation.js";

/**
 * Returns the names of a game's players. If only one of them has agreed to publish a name, the other is
 * the player at that table, or at the table of a side that is played elsewhere; if neither has, they are
 * named by their sides.
 *
 * @param {string} table
 * @param {{players: import("../state.js").Names, seats: Record<"light" | "dark", string>, opponent: string | null}} state
 * @returns {import("../state.js").Names}
 */
export function namesAt(table, { players, seats, opponent }) {
  const { light, dark } = players;
  if (!light && !dark) return { light, dark };
  /** @param {"light" | "dark"} side */
  const player = (side) => {
    const at = seats[side] === "remote" && opponent ? opponent : table;
    return gettext("Player at table {table}", { table: at });
  };
  return { light: light || player("light"), dark: dark || player("dark") };
}
