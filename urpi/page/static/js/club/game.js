/** The page of a game at a club: its replay, and whether it was verified. */

import { html, put, the } from "../elements.js";
import { openReplay } from "../replay.js";
import { resultText } from "../results.js";
import { chooseLanguage, dotted, gettext, isolated, moment, playerName } from "../translation.js";
import { offerKnown } from "./known_players.js";
import { playerAddress } from "./ratings.js";
import { change, currentUser } from "./session.js";
import { verdictName, verdictReason } from "./verdicts.js";

/**
 * @typedef {import("../results.js").Game & {
 *   table: string, number: number, verdict: import("./verdicts.js").Verdict, verdict_text: string,
 *   current: boolean, excluded: boolean, missing: {name: string, table: string}[], published: import("../state.js").Side[],
 * }} ClubGame
 */

/**
 * Returns a player's name; one that is published is a link to the player.
 *
 * @param {ClubGame} game
 * @param {import("../state.js").Side} side
 */
function player(game, side) {
  const name = playerName(side, game);
  return game.published.includes(side) ? html("a", { href: playerAddress(name) }, isolated(name)) : isolated(name);
}

/**
 * Returns the number of a game at its table, with a link to the table's games.
 *
 * @param {ClubGame} game
 */
function numberAtTable({ number, table }) {
  const link = html("a", { href: `/games?${new URLSearchParams({ table })}` }, table);
  const [before = "", after = ""] = gettext("Game {number} of table {table}", { number }).split("{table}");
  return [before, link, after];
}

/** @param {ClubGame} game */
function show(game) {
  the("players").replaceChildren(player(game, "light"), " – ", player(game, "dark"));
  const result = game.verdict === "running" || !game.result ? "" : resultText(game);
  const rest = [moment(game.started), result, verdictName(game.verdict)];
  the("about").replaceChildren(`${isolated(game.name)} · `, ...numberAtTable(game), ` · ${dotted(rest)}`);
  put(the("verdict"), verdictName(game.verdict));
  the("verdict").classList.add(`verdict-${game.verdict}`);
  put(the("verdict-about"), verdictReason(game.verdict));
  // It comes from the referee, in English.
  const text = the("verdict-text");
  text.hidden = !game.verdict_text || game.verdict === "pruned";
  text.lang = "en";
  put(text, game.verdict_text);
  the("worth").hidden = game.verdict !== "verified";
  the("excluded").hidden = !game.excluded;
  the("missing").replaceChildren(
    ...game.missing.map((one) => html("p", {}, gettext("Not rated: {name} is not entered at table {table}.", one))),
  );
  the("other-course").hidden = game.current;
  the("live").hidden = game.verdict !== "running";
  the("live").setAttribute("href", `/tables/${game.table}`);
}

/** @param {string} id */
const value = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (the(id)).value.trim();

/**
 * Lets arbiters exclude the game from the ratings, or move a side to another player.
 *
 * @param {ClubGame} game
 */
async function offerCorrections(game) {
  if (!(await currentUser())) return;
  put(the("exclude"), game.excluded ? gettext("Count for the ratings again") : gettext("Exclude from the ratings"));
  the("correct").addEventListener("submit", async (event) => {
    event.preventDefault();
    const moved = /** @type {SubmitEvent} */ (event).submitter === the("move");
    const about = moved ? { side: value("side"), player: value("other") } : { excluded: !game.excluded };
    const address = `/api/games/${game.id}/${moved ? "moved" : "excluded"}`;
    const answer = await change("POST", address, { ...about, reason: value("reason") });
    if (answer.ok) return location.reload();
    the("problem").hidden = false;
    put(the("problem"), answer.error);
  });
  offerKnown(/** @type {HTMLInputElement} */ (the("other")), "listed");
  the("correct").hidden = false;
}

const page = await openReplay(chooseLanguage);
if (page) {
  const game = /** @type {ClubGame} */ (page.replay.game);
  show(game);
  await offerCorrections(game);
}
