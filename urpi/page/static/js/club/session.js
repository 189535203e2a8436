/** The user who is logged in, and requests that require a role. */

import { get, sendOnce } from "../api.js";
import { html, the } from "../elements.js";
import { gettext } from "../translation.js";

/**
 * @typedef {"arbiter" | "admin"} Role
 * @typedef {{id: number, name: string, role: Role, created: string}} User
 */

/** Texts for error codes; other errors are shown as the server reports them. */
const ERRORS = /** @type {Record<string, () => string>} */ ({
  "wrong-login": () => gettext("The name or the password is wrong."),
  "too-many-logins": () => gettext("Too many failed logins. Wait a few minutes."),
  "wrong-pin": () => gettext("The name or the PIN is wrong."),
  "no-table": () => gettext("No such table has been connected to this club."),
  "no-session": () => gettext("Your session has ended. Log in again."),
  "no-reason": () => gettext("Enter the reason for the change."),
  "not-published": () => gettext("One of the two players has not agreed to be named, or is not listed."),
  "no-free-table": () => gettext("No table is free: connected, without a game and without a pairing."),
  taken: () => gettext("A pairing of another tournament has this table."),
  outdated: () => gettext("The result has changed in the meantime. Check it again."),
});
const ROLES = /** @type {Record<Role, () => string>} */ ({
  arbiter: () => gettext("Arbiter"),
  admin: () => gettext("Admin"),
});

/** @param {Role} role */
export const roleName = (role) => ROLES[role]();

/**
 * Returns the user, null if nobody is logged in.
 *
 * @returns {Promise<User | null>}
 */
export async function currentUser() {
  const answer = await get("/api/session");
  return answer.ok ? answer.data.user : null;
}

/**
 * Sends a change; the answer's error is in the page's language if it has a code that is known.
 *
 * @param {string} method
 * @param {string} address
 * @param {object} [body]
 */
export async function change(method, address, body = {}) {
  const answer = await sendOnce(method, address, body);
  return { ...answer, error: ERRORS[answer.data?.code]?.() ?? answer.error };
}

/**
 * Shows at the end of a page who is logged in, or a link to log in.
 *
 * @param {User | null} user
 */
export function showAccount(user) {
  const back = encodeURIComponent(location.pathname);
  const text = user ? gettext("{label}: {text}", { label: roleName(user.role), text: user.name }) : gettext("Log in");
  the("account").replaceChildren(html("a", { href: `/login?back=${back}` }, text));
}
