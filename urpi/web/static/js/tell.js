/** What went wrong with an order, said for a while where whoever ordered it sees it. */

import { put, the } from "./elements.js";

const TOLD_MS = 7000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let forgets;

/** @param {string} text */
export function tell(text) {
  put(the("told"), text);
  clearTimeout(forgets);
  forgets = setTimeout(() => put(the("told"), ""), TOLD_MS);
}
