/** Orders to the server. What needs the PIN asks for it, once, and is sent again. */

import { askForPin } from "./pin.js";
import { say } from "./say.js";

/** @typedef {{ok: boolean, status: number, data: any, error: string}} Answer */

/**
 * @param {string} address
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export async function order(address, body = {}) {
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
  asking ??= askAtTheTable().finally(() => (asking = null));
  return (await asking) ? sendOnce(method, address, body) : answer;
}

/**
 * The PIN is asked for once, whatever waits for it.
 *
 * @type {Promise<boolean> | null}
 */
let asking = null;

/** Begins the session of a link that ends with the PIN, which is removed from the address. */
export async function enterLinkedPin() {
  const pin = /^#pin=([0-9]{6})$/.exec(location.hash)?.[1];
  if (!pin) return;
  history.replaceState(null, "", location.pathname + location.search);
  await sendOnce("POST", "/api/session", { pin });
}

async function askAtTheTable() {
  await sendOnce("POST", "/api/session/ask", {});
  return askForPin((pin) => sendOnce("POST", "/api/session", { pin }));
}

/**
 * @param {string} method
 * @param {string} address
 * @param {object} body
 * @returns {Promise<Answer>}
 */
async function sendOnce(method, address, body) {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(address, { method, headers, body: JSON.stringify(body) });
    return await read(response);
  } catch {
    return { ok: false, status: 0, data: null, error: say("The table does not answer.") };
  }
}

/**
 * What is stored, as JSON.
 *
 * @param {string} address
 * @returns {Promise<Answer>}
 */
export async function ask(address) {
  try {
    return await read(await fetch(address));
  } catch {
    return { ok: false, status: 0, data: null, error: say("The table does not answer.") };
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
  return { ok, status, data, error: ok ? "" : (data?.error ?? say("The table does not answer.")) };
}
