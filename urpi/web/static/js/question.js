/** The table's question, and its answers: to be read by all, to be pressed by who may act. */

import { html, put, the } from "./elements.js";
import { order } from "./send.js";
import { tell } from "./tell.js";

/** @typedef {import("./state.js").Question} Question */

const KEYS = /** @type {const} */ ({ move: "move", first: "first", faces: "faces" });

/** @param {Question | null} question */
export function showQuestion(question) {
  const place = the("question");
  place.hidden = question === null;
  if (!question) return;
  put(the("question-said"), question.said);
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
 * @param {{value: string, said: string}} choice
 */
function item(question, { value, said }) {
  const button = html("button", { type: "button", "data-value": value }, said);
  button.addEventListener("click", async () => {
    const answer = await order("/api/answer", { [KEYS[question.ask]]: value });
    if (!answer.ok) tell(answer.error);
  });
  return html("li", {}, button);
}
