/** The PIN: who stands at the table reads six digits on its display, and may act from then on. */

import { the } from "./elements.js";

/**
 * Asks until the PIN is right or nobody wants to go on.
 *
 * @param {(pin: string) => Promise<{ok: boolean, error: string}>} tryPin
 * @returns {Promise<boolean>}
 */
export function askForPin(tryPin) {
  const dialog = /** @type {HTMLDialogElement} */ (the("pin"));
  const field = /** @type {HTMLInputElement} */ (the("pin-digits"));
  const wrong = the("pin-wrong");
  field.value = wrong.textContent = dialog.returnValue = "";
  field.readOnly = false;
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "allowed");
    the("pin-form").onsubmit = async (event) => {
      event.preventDefault();
      // Until it is answered no other is entered: that would be written over.
      if (field.readOnly) return;
      field.readOnly = true;
      const answer = await tryPin(field.value.trim());
      field.readOnly = false;
      if (answer.ok) return dialog.close("allowed");
      wrong.textContent = answer.error;
      field.select();
    };
  });
}
