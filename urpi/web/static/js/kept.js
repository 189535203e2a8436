/** What this browser keeps of a reader's own choices. One that keeps nothing is no fault. */

/**
 * @param {string} name
 * @returns {string | null} null where nothing was kept
 */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // As in a private window: it is asked again.
  }
}
