/** Keyboard shortcuts of single letters, independent of CapsLock and of the keyboard's layout. */

/**
 * Returns the letter of a key, in lower case: the one that it types, or, where the layout has other
 * scripts (Cyrillic, Greek), the one at this place of a Latin keyboard. Empty for other keys, and
 * with Ctrl, Alt or Meta, which belong to the browser.
 *
 * @param {KeyboardEvent} event
 */
export function letterOf({ key, code, ctrlKey, altKey, metaKey }) {
  if (ctrlKey || altKey || metaKey || key.length !== 1) return "";
  if (/[a-z]/i.test(key)) return key.toLowerCase();
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? "";
}
