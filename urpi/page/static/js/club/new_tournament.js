/** The form with which an arbiter creates a tournament. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { gettext } from "../translation.js";
import { tieBreakName, tieBreaks } from "./formats.js";
import { offerKnownLines } from "./known_players.js";
import { change } from "./session.js";

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/** Number of tie-breaks that can be chosen. */
const TIE_BREAKS = 3;

/** Shows the form. */
export async function offerNewTournament() {
  the("new").hidden = false;
  the("new-tie-break-fields").append(...Array.from({ length: TIE_BREAKS }, (_, place) => tieBreakField(place + 1)));
  the("new-format").addEventListener("change", showFields);
  the("new-boards").addEventListener("input", showFields);
  the("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void create();
  });
  offerKnownLines(/** @type {HTMLTextAreaElement} */ (the("new-players")));
  const found = await get("/api/rulesets");
  if (!found.ok) return;
  for (const { id, name } of found.data) the("new-rules").append(html("option", { value: id }, name));
}

/** @param {number} number */
function tieBreakField(number) {
  const select = html("select", {}, html("option", { value: "" }, "–"));
  select.append(...tieBreaks().map((value) => html("option", { value }, tieBreakName(value))));
  return html("label", {}, html("span", {}, gettext("Tie-break {number}", { number })), select);
}

/** Only a Swiss has a choice of rounds, only a knockout a game for third place, and no tie-breaks or teams. */
function showFields() {
  const form = field("new-format").value;
  the("new-rounds-label").hidden = form !== "swiss";
  the("new-tie-breaks").hidden = form === "knockout";
  the("new-third-place-label").hidden = form !== "knockout";
  the("new-boards-label").hidden = form === "knockout";
  the("new-teams").hidden = form === "knockout" || !field("new-boards").value;
}

async function create() {
  const players = field("new-players").value.split("\n").filter((line) => line.trim());
  const form = field("new-format").value;
  const rounds = form === "swiss" ? Number(field("new-rounds").value) : 0;
  const rules = field("new-rules").value;
  const boards = form === "knockout" ? 0 : Number(field("new-boards").value);
  const games = Number(field("new-games").value);
  const selects = form === "knockout" ? [] : the("new-tie-break-fields").querySelectorAll("select");
  const chosen = Array.from(selects, ({ value }) => value).filter(Boolean);
  const answer = await change("POST", "/api/tournaments", {
    name: field("new-name").value,
    format: form,
    players,
    ...(rounds ? { rounds } : {}),
    ...(rules ? { rules } : {}),
    games,
    boards,
    ...(chosen.length ? { tie_breaks: chosen } : {}),
    third_place: form === "knockout" && field("new-third-place").checked,
  });
  put(the("new-wrong"), answer.error);
  if (answer.ok) location.assign(`/tournaments/${answer.data.id}`);
}
