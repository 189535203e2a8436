/** Requests to the server. One that requires the PIN opens the PIN dialog and is then repeated. */

import { gettext, languageHeaders } from "./translation.js";

/** @typedef {{ok: boolean, status: number, data: any, error: string}} Answer */

/** Texts for error codes; other errors are shown as the server sends them. */
const ERRORS = /** @type {Record<string, () => string>} */ ({
  busy: () => gettext("Too many requests are waiting. Try again in a few seconds."),
  "newest-game": () => gettext("This is the newest game. Delete it when the next one has begun, or let it not count."),
  "hints-off": () => gettext("Hints are switched off in this game. Positions can be analysed when it is over."),
  database: () => gettext("The club's database does not respond. Try again in a minute."),
});
/** Texts for the error code `not-found`, by the address of the request. */
const MISSING = /** @type {[RegExp, () => string][]} */ ([
  [/^\/api\/games\/[^/]+$/, () => gettext("There is no such game.")],
  [/^\/api\/player\?/, () => gettext("No listed player has this name.")],
  [/^\/api\/tournaments\/[^/]+$/, () => gettext("There is no such tournament.")],
  [/^\/api\/users\/[^/]+$/, () => gettext("There is no such user.")],
]);

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
  const [pin] = await Promise.all([import("./pin.js").catch(() => null), sendOnce("POST", "/api/session/ask", {})]);
  return pin !== null && pin.openPinDialog(beginSession);
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
    return await read(response, address);
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
    return await read(await fetch(address, { headers: languageHeaders() }), address);
  } catch {
    return { ok: false, status: 0, data: null, error: gettext("The table does not respond.") };
  }
}

/**
 * @param {Response} response
 * @param {string} address
 * @returns {Promise<Answer>}
 */
async function read(response, address) {
  const text = await response.text();
  const data = text && response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
  const { ok, status } = response;
  return { ok, status, data, error: ok ? "" : errorText(data, address) };
}

/**
 * Returns why a request failed, in the page's language if that is among the texts here.
 *
 * @param {{error: string, code: string} | null} data
 * @param {string} address
 */
function errorText(data, address) {
  const missing = data?.code === "not-found" && MISSING.find(([pattern]) => pattern.test(address));
  if (missing) return missing[1]();
  return ERRORS[data?.code ?? ""]?.() ?? data?.error ?? gettext("The table does not respond.");
}
