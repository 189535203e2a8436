/** The list of a replay's turns in words, in which the current one is marked. */

import { html, the } from "./elements.js";
import { gettext, playerName } from "./translation.js";

/** @typedef {import("./replay.js").Frame} Frame */

/**
 * Fills the list.
 *
 * @param {import("./replay.js").Replay} replay
 * @param {(at: number) => void} choose called with the step that a person has chosen
 */
export function listTurns({ frames, game }, choose) {
  const items = frames.map((frame, at) => ({ frame, at }));
  const played = items.filter(({ frame }) => frame.kind !== "roll");
  the("turns").replaceChildren(...played.map(({ frame, at }) => item(frame, game, () => choose(at), at)));
}

/**
 * Marks the turn of a step.
 *
 * @param {number} at
 */
export function markTurn(at) {
  for (const one of the("turns").querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  const items = [...the("turns").querySelectorAll("[data-at]")];
  const current = items.findLast((one) => Number(one.getAttribute("data-at")) <= at);
  current?.setAttribute("aria-current", "step");
  if (current) show(current, the("turns-frame"));
}

/**
 * @param {Frame} frame
 * @param {import("./results.js").Game} game
 * @param {() => void} choose
 * @param {number} at
 */
function item(frame, game, choose, at) {
  const button = html("button", { type: "button", "data-at": at, class: `by-${frame.side}` });
  button.append(html("span", { class: "number" }, frame.turn ? String(frame.turn) : ""));
  if (frame.side && frame.turn) {
    const name = playerName(frame.side, game);
    button.append(html("span", { class: `dot dot-${frame.side}`, role: "img", "aria-label": name }));
  }
  const value = frame.kind === "move" && frame.throw ? `${frame.throw.value}: ` : "";
  const text = frame.kind === "move" && frame.move ? frame.move.text : frameText(frame, game);
  button.append(html("span", {}, value + text));
  button.addEventListener("click", choose);
  return html("li", {}, button);
}

/**
 * Scrolls an item of a list into view, without scrolling the page.
 *
 * @param {Element} item
 * @param {HTMLElement} frame
 */
function show(item, frame) {
  const [inner, outer] = [item.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top + 40;
  else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + 40;
}

/**
 * Describes a frame in words.
 *
 * @param {Frame} frame
 * @param {import("./state.js").Names} names
 */
export function frameText(frame, names) {
  if (frame.kind === "start") return gettext("The beginning");
  if (!frame.move) return frame.texts[0] ?? "";
  const name = frame.side ? playerName(frame.side, names) : "";
  const details = { name, move: frame.move.text };
  return frame.kind === "back" ? gettext("{name} takes back: {move}", details) : gettext("{name}: {move}", details);
}
