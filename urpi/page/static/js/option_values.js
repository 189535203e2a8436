/** The values of a rule set's options, as text. */

import { gettext, pgettext } from "./translation.js";

// Translators: The value of a house rule; the rule is a question or a choice, such as: whether a
// piece on a rosette is safe.
const VALUES = /** @type {Record<string, () => string>} */ ({
  yes: () => pgettext("house rule", "yes"),
  no: () => pgettext("house rule", "no"),
  own: () => gettext("the player's own"),
  opponent: () => gettext("the opponent's"),
  "own-first": () => gettext("the player's own"),
  "opponent-first": () => gettext("the opponent's"),
  tracks: () => gettext("the squares along the path"),
  orthogonal: () => gettext("all squares that touch"),
});

/** @param {string} value */
export const valueName = (value) => VALUES[value]?.() ?? value;
