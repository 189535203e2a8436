/** Ratings of a club's players, as text. */

/**
 * @typedef {{value: number, deviation: number, provisional: boolean}} Rating
 * @typedef {{
 *   name: string, games: number, rated: number, last: string, rating: Rating | null,
 *   won: number, drawn: number, lost: number,
 * }} Player
 */

/**
 * Returns a rating with its deviation, from left to right in each language, a dash for a player without one.
 *
 * @param {Rating | null} rating
 */
export function ratingText(rating) {
  if (!rating) return "–";
  return `\u2066${rating.value}${rating.provisional ? "?" : ""} ± ${rating.deviation}\u2069`;
}

/** @param {string} name */
export const playerAddress = (name) => `/player?${new URLSearchParams({ name })}`;
