/** What concerns other tables and the club: invitations, proposals and the next game, with their buttons. */

import { get, post } from "./api.js";
import { html, showError, the } from "./elements.js";
import { valueName } from "./option_values.js";
import { gettext } from "./translation.js";

/** @typedef {import("./state.js").TableNote} Note */

/** @param {import("./state.js").State} state */
export function showTables({ tables, may_act, language }) {
  const place = the("tables");
  place.hidden = tables.length === 0;
  // What is shown stays, so that a name that is being entered is kept.
  const key = JSON.stringify([tables, may_act, language]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...tables.map((note) => row(note, may_act)));
}

/**
 * @param {Note} note
 * @param {boolean} mayAct
 */
function row(note, mayAct) {
  const parts = mayAct ? controls(note) : [];
  const text = html("div", { class: "table-text" }, html("p", {}, note.text), ...options(note));
  return html("div", { class: `table-note table-${note.kind}` }, text, ...parts);
}

/**
 * Returns the rules that an invitation changes, in the words in which they are chosen.
 *
 * @param {Note} note
 */
function options({ options: changed = [] }) {
  if (!changed.length) return [];
  const items = changed.map(({ about, value }) => html("li", {}, gettext("{label}: {text}", { label: about, text: valueName(value) })));
  return [html("ul", { class: "dim" }, ...items)];
}

/** @param {Note} note */
function controls({ kind, game, name, what }) {
  switch (kind) {
    case "invitation": {
      const input = html("input", { maxlength: 40, autocomplete: "off", value: name });
      const path = "/api/tables/answer-invitation";
      const consent = new Consent(input);
      return [
        html("label", {}, html("span", {}, gettext("Your name")), input),
        consent.element,
        buttons(
          button(gettext("Accept"), path, () => ({ game, accepted: true, name: input.value.trim(), ...consent.body() }), true),
          button(gettext("Decline"), path, () => ({ game, accepted: false })),
        ),
      ];
    }
    case "proposal": {
      const path = "/api/tables/answer-proposal";
      return [
        buttons(
          button(gettext("Accept"), path, () => ({ what, accepted: true }), true),
          button(gettext("Decline"), path, () => ({ what, accepted: false })),
        ),
      ];
    }
    case "next":
      return [buttons(button(gettext("Begin"), "/api/tables/begin-next", () => ({ game }), true))];
    case "claim":
      return [buttons(button(gettext("Claim the game"), "/api/claim", undefined, true))];
    case "waiting":
      return [buttons(button(gettext("End invitation"), "/api/tables/withdraw"))];
    case "result":
      return [buttons(button(gettext("Close"), "/api/tables/withdraw"))];
    default:
      return [];
  }
}

/** The choice whether the club may show the name in a field; hidden without a club or a name. */
class Consent {
  /** @param {HTMLInputElement} input */
  constructor(input) {
    this.input = input;
    const options = [html("option", { value: "no" }, gettext("No")), html("option", { value: "yes" }, gettext("Yes"))];
    this.choice = /** @type {HTMLSelectElement} */ (html("select", {}, ...options));
    this.element = html("label", { hidden: true }, html("span", {}, gettext("The club may show your name")), this.choice);
    void this.show();
  }

  async show() {
    const answer = await get("/api/settings");
    /** @type {string[] | null} */
    const names = answer.ok ? answer.data.published : null;
    if (!names) return;
    const update = () => {
      const name = this.input.value.trim();
      this.element.hidden = !name;
      this.choice.value = names.includes(name) ? "yes" : "no";
    };
    this.input.addEventListener("input", update);
    update();
  }

  /** Returns the choice for the request, nothing if it is hidden. */
  body() {
    return this.element.hidden ? {} : { publish: this.choice.value === "yes" };
  }
}

/** @param {...HTMLElement} content */
const buttons = (...content) => html("div", { class: "buttons" }, ...content);

/**
 * @param {string} text
 * @param {string} path
 * @param {() => object} body
 * @param {boolean} main
 */
function button(text, path, body = () => ({}), main = false) {
  const made = html("button", { type: "button", class: main ? "main" : null }, text);
  made.addEventListener("click", async () => {
    const answer = await post(path, body());
    if (!answer.ok) showError(answer.error);
  });
  return made;
}
