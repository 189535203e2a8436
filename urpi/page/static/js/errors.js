/** Error messages of requests, shown on the page for some seconds. */

import { put, the } from "./elements.js";

const ERROR_MS = 7000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text */
export function showError(text) {
  put(the("error"), text);
  clearTimeout(timer);
  timer = setTimeout(() => put(the("error"), ""), ERROR_MS);
}
