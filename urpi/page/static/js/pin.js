/** The dialog for the PIN, which the table's display shows and which is required to act. */

import { the } from "./elements.js";

/**
 * Opens the dialog; resolves when the PIN is correct or the dialog is closed.
 *
 * @param {(pin: string) => Promise<{ok: boolean, error: string}>} tryPin
 * @returns {Promise<boolean>}
 */
export function openPinDialog(tryPin) {
  const dialog = /** @type {HTMLDialogElement} */ (the("pin"));
  const field = /** @type {HTMLInputElement} */ (the("pin-digits"));
  const wrong = the("pin-wrong");
  field.value = wrong.textContent = dialog.returnValue = "";
  field.readOnly = false;
  dialog.showModal();
  field.focus();
  the("pin-cancel").onclick = () => dialog.close("no");
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "allowed");
    the("pin-cancel").onclick = () => dialog.close("no");
    the("pin-form").onsubmit = async (event) => {
      event.preventDefault();
      // While the PIN is being checked, the field is locked: the result would overwrite new input.
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
