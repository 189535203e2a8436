/** The form with which an arbiter creates a tournament. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { change } from "./session.js";

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/** Shows the form. */
export async function offerNewTournament() {
  the("new").hidden = false;
  the("new-format").addEventListener("change", showRounds);
  the("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void create();
  });
  const found = await get("/api/rulesets");
  if (!found.ok) return;
  for (const { id, name } of found.data) the("new-rules").append(html("option", { value: id }, name));
}

/** The other formats have a fixed number of rounds. */
function showRounds() {
  the("new-rounds-label").hidden = field("new-format").value !== "swiss";
}

async function create() {
  const players = field("new-players").value.split("\n").filter((line) => line.trim());
  const form = field("new-format").value;
  const rounds = form === "swiss" ? Number(field("new-rounds").value) : 0;
  const rules = field("new-rules").value;
  const answer = await change("POST", "/api/tournaments", {
    name: field("new-name").value,
    format: form,
    players,
    ...(rounds ? { rounds } : {}),
    ...(rules ? { rules } : {}),
  });
  put(the("new-wrong"), answer.error);
  if (answer.ok) location.assign(`/tournaments/${answer.data.id}`);
}
