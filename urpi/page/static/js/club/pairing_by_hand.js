/** The dialog in which an arbiter changes a pairing of the newest round of a Swiss. */

import { confirmed } from "../confirm.js";
import { html, put, the } from "../elements.js";
import { gettext, language } from "../translation.js";
import { change } from "./session.js";

/** @typedef {import("./tournament.js").TournamentPage} TournamentPage */

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));
const dialog = () => /** @type {HTMLDialogElement} */ (the("pairing"));

/**
 * Lets a button open the dialog, and returns a function that shows the button if it is possible.
 *
 * @param {import("./arbiter.js").Arbiter} arbiter
 */
export function offerPairingByHand(arbiter) {
  the("change-pairing").addEventListener("click", () => open(/** @type {TournamentPage} */ (arbiter.tournament)));
  the("pairing-cancel").addEventListener("click", () => dialog().close());
  arbiter.onSubmit("pairing-form", () => save(arbiter));
  return (/** @type {TournamentPage} */ tournament) => {
    the("change-pairing").hidden = tournament.format !== "swiss" || tournament.boards > 0 || playersLeft(tournament).length < 2;
  };
}

/**
 * Returns the players whose pairing in the newest round can be changed, in the order of the alphabet.
 *
 * @param {TournamentPage} tournament
 */
function playersLeft({ rounds, standings }) {
  const played = new Set((rounds.at(-1)?.pairings ?? []).flatMap(({ light, dark, result, games }) => (dark !== null && (result || games.some((one) => one.result)) ? [light, dark] : [])));
  const names = rounds.length ? standings.filter(({ name, withdrawn }) => !withdrawn && !played.has(name)).map(({ name }) => name) : [];
  return names.sort(new Intl.Collator(language()).compare);
}

/** @param {TournamentPage} tournament */
function open(tournament) {
  const options = () => playersLeft(tournament).map((name) => html("option", { value: name }, name));
  the("pairing-light").replaceChildren(html("option", { value: "" }, "–"), ...options());
  the("pairing-dark").replaceChildren(html("option", { value: "" }, gettext("bye with half a point")), ...options());
  field("pairing-reason").value = "";
  put(the("pairing-wrong"), "");
  dialog().showModal();
}

/** @param {import("./arbiter.js").Arbiter} arbiter */
async function save(arbiter) {
  const body = { begun: arbiter.begun, light: field("pairing-light").value, dark: field("pairing-dark").value || null, reason: field("pairing-reason").value };
  let answer = await change("POST", `${arbiter.address}/pairings`, body);
  if (answer.data?.code === "repeated") {
    const question = gettext("Some of them have met already, or have had a bye. Pair them all the same?");
    if (!(await confirmed(question))) return;
    answer = await change("POST", `${arbiter.address}/pairings`, { ...body, again: true });
  }
  put(the("pairing-wrong"), answer.error);
  await arbiter.update();
  if (answer.ok) dialog().close();
}
