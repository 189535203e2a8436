/** The table's question with a button for each answer, which requires the PIN. */

import { html, put, showError, the } from "./elements.js";
import { post } from "./api.js";

/** @typedef {import("./state.js").Question} Question */

const KEYS = /** @type {const} */ ({ move: "move", first: "first", faces: "faces" });

/** @param {import("./state.js").State} state */
export function showQuestion({ question }) {
  const place = the("question");
  place.hidden = question === null;
  if (!question) return;
  put(the("question-text"), question.text);
  const list = the("question-choices");
  const key = JSON.stringify(question.choices);
  if (list.dataset.key !== key) {
    list.replaceChildren(...question.choices.map((choice) => item(question, choice)));
    list.dataset.key = key;
  }
  [...list.querySelectorAll("button")].forEach((button, place) => {
    if (place === question.chosen) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
}

/**
 * @param {Question} question
 * @param {{value: string, text: string}} choice
 */
function item(question, { value, text }) {
  const button = html("button", { type: "button", "data-value": value }, text);
  button.addEventListener("click", async () => {
    const answer = await post("/api/answer", { [KEYS[question.ask]]: value });
    if (!answer.ok) showError(answer.error);
  });
  return html("li", {}, button);
}
