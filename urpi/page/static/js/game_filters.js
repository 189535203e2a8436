/** The filters of stored games, such as player, rule set and days. The URL contains them, to be shared. */

import { html, the } from "./elements.js";
import { get } from "./api.js";

const FIELDS = ["player", "rules", "since", "until", "virtual"];
/** The pause in typing after which the search begins. */
const TYPING_MS = 250;

export class GameFilters {
  /**
   * @param {() => void} onChange called when the filters have changed
   * @param {string[]} fields the ids of the page's fields, which are also the parameters' names
   */
  constructor(onChange, fields = FIELDS) {
    this.fields = fields;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    const chosen = new URLSearchParams(location.search);
    for (const id of fields) choose(id, chosen.get(id) ?? "");
    const update = () => (this.updateUrl(), onChange());
    the("search").addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(update, TYPING_MS);
    });
    the("search").addEventListener("submit", (event) => event.preventDefault());
    the("clear").addEventListener("click", () => {
      clearTimeout(this.typing);
      for (const id of fields) field(id).value = "";
      update();
      // The button is hidden now; a text field would open the keyboard of a phone.
      the("search").focus();
    });
    this.updateUrl();
  }

  /** Loads the names of the rule sets. */
  async fillRules() {
    const answer = await get("/api/rulesets");
    if (answer.ok) this.fill("rules", answer.data);
  }

  /**
   * Adds the options of a field. What the URL selects remains an option if it is not among them, such
   * as a table that has not sent a game yet.
   *
   * @param {string} id
   * @param {{id: string, name: string}[]} options
   */
  fill(id, options) {
    const select = field(id);
    const { value } = select;
    if (options.some((option) => option.id === value)) select.querySelector("[data-asked]")?.remove();
    select.append(...options.map((option) => html("option", { value: option.id }, option.name)));
    select.value = value;
  }

  /**
   * Adds the options of a field that has no other ones: any other value is removed from the URL.
   *
   * @param {string} id
   * @param {{id: string, name: string}[]} options
   */
  fillAll(id, options) {
    this.fill(id, options);
    field(id).querySelector("[data-asked]")?.remove();
    this.updateUrl();
  }

  /**
   * Shows the field for games of virtual tables if it has an effect.
   *
   * @param {boolean} without whether such games are left out
   */
  offerVirtual(without) {
    the("virtual-field").hidden = !without && !field("virtual").value;
  }

  /** @returns {Record<string, string>} the filters that are not empty */
  get chosen() {
    const fields = this.fields.map((id) => [id, field(id).value.trim()]);
    return Object.fromEntries(fields.filter(([, text]) => text));
  }

  /** Stores the filters in the URL; its other parameters remain. */
  updateUrl() {
    const query = new URLSearchParams(location.search);
    for (const id of this.fields) query.delete(id);
    for (const [id, text] of Object.entries(this.chosen)) query.set(id, text);
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    the("clear").hidden = Object.keys(this.chosen).length === 0;
  }
}

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (the(id));

/**
 * Sets the value of a field. A select has no options yet; a date that does not exist becomes empty.
 *
 * @param {string} id
 * @param {string} value
 */
function choose(id, value) {
  const one = field(id);
  if (value && one instanceof HTMLSelectElement) one.append(html("option", { value, "data-asked": true }, value));
  one.value = value;
}
