/** An arbiter's controls for the tables at which the pairings of a tournament play. */

import { get } from "../api.js";
import { html, put, the } from "../elements.js";
import { isolated } from "../translation.js";
import { change } from "./session.js";

/** @typedef {import("./tournament.js").TournamentPage} TournamentPage */

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));
const dialog = () => /** @type {HTMLDialogElement} */ (the("table-dialog"));

/**
 * Lets two buttons assign tables, to all pairings or to one, and returns a function that shows those that are possible.
 *
 * @param {import("./arbiter.js").Arbiter} arbiter
 */
export function offerTables(arbiter) {
  const open = () => openPairings(/** @type {TournamentPage} */ (arbiter.tournament));
  const assign = () => void arbiter.send("POST", "tables", { begun: arbiter.begun });
  the("assign-tables").addEventListener("click", assign);
  the("change-table").addEventListener("click", () => void show(open()));
  the("table-pairing").addEventListener("change", () => showTable(open()));
  the("table-cancel").addEventListener("click", () => dialog().close());
  arbiter.onSubmit("table-form", () => save(arbiter));
  return (/** @type {TournamentPage} */ tournament) => {
    const pairings = openPairings(tournament);
    const without = pairings.some(({ round, table }) => round === tournament.begun && !table);
    the("assign-tables").hidden = !without;
    the("change-table").hidden = !pairings.length;
  };
}

/**
 * Returns the pairings without a result, those of the newest round first.
 *
 * @param {TournamentPage} tournament
 */
function openPairings({ rounds }) {
  const all = rounds.flatMap(({ pairings }, round) => pairings.map((pairing, board) => ({ ...pairing, round: round + 1, board: board + 1 })));
  return all.filter(({ dark, result }) => dark !== null && !result).sort((a, b) => b.round - a.round);
}

/** @typedef {ReturnType<typeof openPairings>} OpenPairings */

/** @param {OpenPairings} pairings */
async function show(pairings) {
  const options = pairings.map(({ round, board, light, dark }) => html("option", { value: `${round}-${board}` }, `${isolated(light)} – ${isolated(dark ?? "")}`));
  the("table-pairing").replaceChildren(...options);
  put(the("table-wrong"), "");
  showTable(pairings);
  dialog().showModal();
  const tables = await get("/api/tables");
  const ids = tables.ok ? tables.data : [];
  the("tables").replaceChildren(...ids.map((/** @type {string} */ value) => html("option", { value })));
}

/**
 * Shows the table of the chosen pairing.
 *
 * @param {OpenPairings} pairings
 */
function showTable(pairings) {
  const chosen = pairings.find(({ round, board }) => `${round}-${board}` === field("table-pairing").value);
  field("table-id").value = chosen?.table ?? "";
}

/** @param {import("./arbiter.js").Arbiter} arbiter */
async function save(arbiter) {
  const [round, board] = field("table-pairing").value.split("-").map(Number);
  const table = field("table-id").value.trim() || null;
  const answer = await change("POST", `${arbiter.address}/tables/chosen`, { round, board, table });
  put(the("table-wrong"), answer.error);
  await arbiter.update();
  if (!answer.ok) return;
  // Such as that no table was free.
  put(the("arbiter-wrong"), "");
  dialog().close();
}
