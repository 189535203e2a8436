/** Offers an arbiter the names that the club knows while one is typed, so that nobody has two spellings. */

import { get } from "../api.js";
import { html } from "../elements.js";
import { gettext } from "../translation.js";

const PAUSE_MS = 150;
/** Number of names below a field with several lines. */
const MOST = 6;

/**
 * Offers names in a field with one name, as its browser does.
 *
 * @param {HTMLInputElement} input
 * @param {"all" | "listed"} of players with listed games only, or also names that arbiters have entered
 */
export function offerKnown(input, of = "all") {
  const list = html("datalist", { id: `known-${input.id}` });
  // Not in the label, whose text would have the names.
  (input.closest("label") ?? input).after(list);
  input.setAttribute("list", list.id);
  onTyping(input, () => input.value, of, (names) => {
    // The browser would offer a name again that was just chosen.
    const others = names.filter((name) => name !== input.value);
    list.replaceChildren(...others.map((value) => html("option", { value })));
  });
}

/**
 * Offers names for the line with the cursor as buttons below a field with a name on each line.
 *
 * @param {HTMLTextAreaElement} area
 * @param {() => string[]} taken the names that are not offered, besides those in the field
 */
export function offerKnownLines(area, taken = () => []) {
  const offered = html("div", { class: "known", role: "group", "aria-label": gettext("Known players") });
  area.closest("label")?.after(offered);
  onTyping(area, () => lineOf(area).text.trim(), "all", (names) => {
    const used = new Set([...taken(), ...area.value.split("\n")].map((name) => name.trim()));
    const others = names.filter((name) => !used.has(name)).slice(0, MOST);
    offered.replaceChildren(...others.map((name) => choice(area, offered, name)));
  });
}

/**
 * @param {HTMLTextAreaElement} area
 * @param {HTMLElement} offered
 * @param {string} name
 */
function choice(area, offered, name) {
  const button = html("button", { type: "button" }, name);
  button.addEventListener("click", () => {
    const { start, end } = lineOf(area);
    const isLast = end === area.value.length;
    area.setRangeText(isLast ? `${name}\n` : name, start, end, "end");
    area.focus();
    offered.replaceChildren();
  });
  return button;
}

/**
 * Returns the line with the cursor.
 *
 * @param {HTMLTextAreaElement} area
 */
function lineOf({ value, selectionStart }) {
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const next = value.indexOf("\n", selectionStart);
  const end = next < 0 ? value.length : next;
  return { start, end, text: value.slice(start, end) };
}

/**
 * Fetches the names that contain what was typed, after a short pause, and shows those of the newest request.
 *
 * @param {HTMLElement} field
 * @param {() => string} typed
 * @param {"all" | "listed"} of
 * @param {(names: string[]) => void} show
 */
function onTyping(field, typed, of, show) {
  let requests = 0;
  field.addEventListener("input", async () => {
    const request = ++requests;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (request !== requests) return;
    const like = typed();
    // Without a connection or a session there is nothing to offer; the form reports it when it is sent.
    const answer = like ? await get(`/api/players/known?${new URLSearchParams({ like, of })}`) : null;
    if (request === requests) show(answer?.ok ? answer.data.names : []);
  });
}
