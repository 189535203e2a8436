/** The verdicts of a club about its games, in words. */

import { gettext } from "../translation.js";

/** @typedef {"verified" | "contested" | "differs" | "invalid" | "pruned" | "altered" | "waiting" | "running"} Verdict */

// Translators: Whether a game is verified: the club has refereed it again. contested: the two tables
// of the game sent different ends; differs: with other decisions; invalid: it cannot be refereed; incomplete: parts were removed;
// changed later: not by the table, but in the club's database.
const NAMES = /** @type {Record<Verdict, () => string>} */ ({
  verified: () => gettext("verified"),
  contested: () => gettext("contested"),
  differs: () => gettext("differs"),
  invalid: () => gettext("invalid"),
  pruned: () => gettext("incomplete"),
  altered: () => gettext("changed later"),
  waiting: () => gettext("not verified yet"),
  running: () => gettext("still running"),
});
const REASONS = /** @type {Record<Verdict, () => string>} */ ({
  verified: () => gettext("Checked again from the start, this game gives exactly the decisions that the table sent."),
  contested: () => gettext("The copies of the two tables end differently, or the club cannot confirm the claim of a table. The game does not count until they agree; the club's arbiters are told. What was found:"),
  differs: () => gettext("Checked again from the start, this game gives other decisions than the table sent. The first difference:"),
  invalid: () => gettext("This game cannot be verified:"),
  pruned: () => gettext("This game cannot be verified, because parts of its record have been removed."),
  altered: () => gettext("This game was verified. Later someone or something changed it in the club's database:"),
  waiting: () => gettext("This game has not been verified yet."),
  running: () => gettext("This game is still running. It is verified when it has ended."),
});

export const VERDICTS = /** @type {Verdict[]} */ (Object.keys(NAMES));

/** @param {Verdict} verdict */
export const verdictName = (verdict) => NAMES[verdict]();

/** @param {Verdict} verdict */
export const verdictReason = (verdict) => REASONS[verdict]();
