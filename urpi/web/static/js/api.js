/** Requests to the server. One that requires the PIN opens the PIN dialog and is then repeated. */

import { openPinDialog } from "./pin.js";
import { gettext, languageHeaders } from "./translation.js";

/** @typedef {{ok: boolean, status: number, data: any, error: string}} Answer */

/**
 * @param {string} address
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export async function post(address, body = {}) {
  return send("POST", address, body);
}

/**
 * @param {string} method
 * @param {string} address
 * @param {object} body
 * @returns {Promise<Answer>}
 */
export async function send(method, address, body) {
  const answer = await sendOnce(method, address, body);
  if (answer.status !== 401 || address === "/api/session") return answer;
  return (await enterPin()) ? sendOnce(method, address, body) : answer;
}

/** Opens the PIN dialog, unless it is open; resolves with whether the user may act. */
export function enterPin() {
  pinRequest ??= requestPin().finally(() => (pinRequest = null));
  return pinRequest;
}

/**
 * The open PIN dialog, which is shared by all requests that wait for it.
 *
 * @type {Promise<boolean> | null}
 */
let pinRequest = null;

/**
 * Begins a session if the URL ends with the PIN, as in a link, and removes the PIN from the URL.
 *
 * @returns {Promise<boolean>} whether a session has begun
 */
export async function enterLinkedPin() {
  const pin = /^#pin=([0-9]{6})$/.exec(location.hash)?.[1];
  if (!pin) return false;
  history.replaceState(null, "", location.pathname + location.search);
  return (await beginSession(pin)).ok;
}

/**
 * Begins a session; the document's event `urpi-session` reports that the user may act from now on.
 *
 * @param {string} pin
 */
async function beginSession(pin) {
  const answer = await sendOnce("POST", "/api/session", { pin });
  if (answer.ok) document.dispatchEvent(new Event("urpi-session"));
  return answer;
}

async function requestPin() {
  await sendOnce("POST", "/api/session/ask", {});
  return openPinDialog(beginSession);
}

/**
 * Sends a request without opening the PIN dialog.
 *
 * @param {string} method
 * @param {string} address
 * @param {object} body
 * @returns {Promise<Answer>}
 */
export async function sendOnce(method, address, body) {
  try {
    const headers = { "Content-Type": "application/json", ...languageHeaders() };
    const response = await fetch(address, { method, headers, body: JSON.stringify(body) });
    return await read(response);
  } catch {
    return { ok: false, status: 0, data: null, error: gettext("The table does not respond.") };
  }
}

/**
 * Sends a GET request.
 *
 * @param {string} address
 * @returns {Promise<Answer>}
 */
export async function get(address) {
  try {
    return await read(await fetch(address, { headers: languageHeaders() }));
  } catch {
    return { ok: false, status: 0, data: null, error: gettext("The table does not respond.") };
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
async function read(response) {
  const text = await response.text();
  const data = text && response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
  const { ok, status } = response;
  return { ok, status, data, error: ok ? "" : (data?.error ?? gettext("The table does not respond.")) };
}
