/** Choices of this browser's user in local storage, which may be unavailable. */

/**
 * @param {string} name
 * @returns {string | null} null if nothing was stored
 */
export function load(name) {
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
export function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // As in a private window: the choice is lost when the page closes.
  }
}
