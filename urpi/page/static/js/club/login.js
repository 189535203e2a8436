/** The page with which a user logs in and out. */

import { put, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, gettext } from "../translation.js";
import { change, currentUser, roleName } from "./session.js";

const NEXT = /^\/(users|security|connections|names|tournaments(\/[0-9]+)?)$/;
const asked = new URLSearchParams(location.search).get("back") ?? "";
const back = NEXT.test(asked) ? asked : "/tournaments";

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

async function logIn() {
  // A second request would count as another failed login.
  if (field("name").readOnly) return;
  showWaiting(true);
  const answer = await change("POST", "/api/session", { name: field("name").value, password: field("password").value });
  put(the("wrong"), answer.error);
  if (answer.ok) return location.replace(back);
  showWaiting(false);
  field("password").value = "";
  field("password").focus();
}

/**
 * Shows that a login is running. Until it ends, nothing can be typed that its end would remove.
 *
 * @param {boolean} yes
 */
function showWaiting(yes) {
  if (yes) put(the("wrong"), "");
  put(the("waiting"), yes ? gettext("Logging in…") : "");
  for (const id of ["name", "password"]) field(id).readOnly = yes;
  the("log-in").setAttribute("aria-disabled", String(yes));
}

async function logOut() {
  const answer = await change("DELETE", "/api/session");
  if (answer.ok) location.reload();
  put(the("wrong"), answer.error);
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  const user = await currentUser();
  const title = user ? gettext("Your login") : gettext("Log in");
  put(the("title"), title);
  document.title = `${title} – urpi`;
  the("login").hidden = Boolean(user);
  the("logged-in").hidden = !user;
  if (user) put(the("user"), gettext("{label}: {text}", { label: roleName(user.role), text: user.name }));
  the("users-link").hidden = user?.role !== "admin";
  the("back").setAttribute("href", back);
  the("login").addEventListener("submit", (event) => {
    event.preventDefault();
    void logIn();
  });
  the("log-out").addEventListener("click", () => void logOut());
}

void begin();
