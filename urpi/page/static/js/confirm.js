/** The dialog that asks a question with yes and no. */

import { the } from "./elements.js";

/**
 * Asks a question, and returns whether the answer is yes.
 *
 * @param {string} question
 * @returns {Promise<boolean>}
 */
export function confirmed(question) {
  const dialog = /** @type {HTMLDialogElement} */ (the("confirm"));
  the("confirm-text").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}
