/** The theme of the board, which is stored in this browser. Its colours are in themes.css. */

import { load, store } from "./storage.js";

const NAME = "urpi-theme";
/** The first one is the default. */
export const THEMES = /** @type {const} */ (["lapis", "wood", "plain"]);

/** Returns the theme that was chosen in this browser. */
export function storedTheme() {
  return load(NAME);
}

/**
 * Shows the board in a theme; an unknown one is the default.
 *
 * @param {string | null} theme
 */
export function showTheme(theme) {
  const known = THEMES.find((one) => one === theme) ?? THEMES[0];
  document.documentElement.dataset.theme = known;
  return known;
}

/** @param {string} theme */
export function chooseTheme(theme) {
  store(NAME, showTheme(theme));
}
