/** The dialog that corrects a stored game, or deletes it. It is loaded on demand. */

import { post } from "./api.js";
import { html, put } from "./elements.js";
import { gettext } from "./translation.js";

/** @param {import("./results.js").Game} game */
export function openCorrections(game) {
  const light = field("correct-light", gettext("Light's name"), game.light);
  const dark = field("correct-dark", gettext("Dark's name"), game.dark);
  const note = field("correct-note", gettext("Note"), "", 500);
  const counts = html("select", { id: "correct-counts" }, html("option", { value: "yes" }, gettext("Yes")), html("option", { value: "no" }, gettext("No")));
  counts.value = game.void ? "no" : "yes";
  const reason = field("correct-reason", gettext("Reason"), "", 500);
  const error = html("p", { class: "wrong", role: "alert" });
  const remove = html("button", { type: "button" }, gettext("Delete this game"));
  const save = html("button", { type: "button", class: "main" }, gettext("Save"));
  const dialog = html(
    "dialog",
    { class: "dialog small", id: "correct-dialog", "aria-labelledby": "correct-heading" },
    html(
      "form",
      { method: "dialog", class: "dialog-head" },
      html("h2", { id: "correct-heading" }, gettext("Correct this game")),
      html("button", { class: "close", "aria-label": gettext("Close") }, html("span", { "aria-hidden": "true" }, "×")),
    ),
    html("p", { class: "dim" }, gettext("The moves stay as they are. Each correction is kept with its time and reason.")),
    html("div", { class: "group" }, light.label, dark.label, html("label", {}, html("span", {}, gettext("The game counts")), counts), note.label),
    html("div", { class: "group" }, reason.label, error),
    html("div", { class: "buttons" }, remove, save),
  );

  /** @returns {object} what differs from the game */
  const changes = () => ({
    ...(light.input.value.trim() === game.light ? {} : { light: light.input.value }),
    ...(dark.input.value.trim() === game.dark ? {} : { dark: dark.input.value }),
    ...(note.input.value.trim() ? { note: note.input.value } : {}),
    ...((counts.value === "no") === game.void ? {} : { void: counts.value === "no" }),
  });
  /** @param {boolean} needed @returns {boolean} whether the reason is missing; the dialog then says so */
  const lacksReason = (needed) => {
    const lacks = needed && !reason.input.value.trim();
    put(error, lacks ? gettext("Give a reason.") : "");
    if (lacks) reason.input.focus();
    return lacks;
  };
  save.addEventListener("click", async () => {
    const changed = changes();
    const kinds = Object.keys(changed);
    if (!kinds.length) return dialog.close();
    if (lacksReason(kinds.some((kind) => kind !== "note"))) return;
    const answer = await post(`/api/games/${game.id}/correct`, { ...changed, reason: reason.input.value });
    if (answer.ok) location.reload();
    else put(error, answer.error);
  });
  remove.addEventListener("click", async () => {
    if (lacksReason(true)) return;
    const { confirmed } = await import("./confirm.js");
    const question = gettext("Delete game {number}? This cannot be undone.", { number: game.id });
    if (!(await confirmed(question))) return;
    const answer = await post(`/api/games/${game.id}/delete`, { reason: reason.input.value });
    if (answer.ok) location.assign("/games");
    else put(error, answer.error);
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} value
 * @param {number} [longest]
 */
function field(id, text, value, longest = 40) {
  const input = html("input", { id, value, maxlength: String(longest), autocomplete: "off" });
  return { input, label: html("label", {}, html("span", {}, text), input) };
}
