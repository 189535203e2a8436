/** The page on which an admin adds and removes users. */

import { get } from "../api.js";
import { confirmed } from "../confirm.js";
import { html, put, the } from "../elements.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, day, gettext } from "../translation.js";
import { change, currentUser, roleName, showAccount } from "./session.js";

/** @typedef {import("./session.js").User} User */

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/**
 * @param {User} user
 * @param {User} own
 */
function row(user, own) {
  const remove = html("button", {}, gettext("Remove"));
  remove.setAttribute("aria-label", gettext("Remove {name}", { name: user.name }));
  remove.addEventListener("click", () => void removeUser(user, own));
  const name = html("th", { class: "name", scope: "row" }, user.name);
  const about = [html("td", {}, roleName(user.role)), html("td", { class: "more" }, day(user.created))];
  return html("tr", {}, name, ...about, html("td", { class: "right" }, user.id === own.id ? "" : remove));
}

/**
 * @param {User} user
 * @param {User} own
 */
async function removeUser(user, own) {
  if (!(await confirmed(`${gettext("Remove {name}", { name: user.name })}?`))) return;
  const answer = await change("DELETE", `/api/users/${user.id}`);
  put(the("wrong"), answer.error);
  await update(own);
}

/** @param {User} own */
async function update(own) {
  const answer = await get("/api/users");
  if (!answer.ok) return put(the("found"), answer.error);
  the("rows").replaceChildren(...answer.data.users.map((/** @type {User} */ user) => row(user, own)));
}

/** @param {User} own */
async function addUser(own) {
  const body = { name: field("name").value, role: field("role").value, password: field("password").value };
  const answer = await change("POST", "/api/users", body);
  put(the("wrong"), answer.error);
  if (!answer.ok) return;
  field("name").value = field("password").value = "";
  await update(own);
}

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Users")} – urpi`;
  const user = await currentUser();
  showAccount(user);
  if (user?.role !== "admin") return put(the("found"), gettext("Only an admin can see the users."));
  the("content").hidden = false;
  the("new").addEventListener("submit", (event) => {
    event.preventDefault();
    void addUser(user);
  });
  await update(user);
}

void begin();
