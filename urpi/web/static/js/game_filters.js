/** The filters of stored games, such as player, rule set and days. The URL contains them, to be shared. */

import { html, the } from "./elements.js";
import { get } from "./api.js";

const FIELDS = ["player", "rules", "since", "until"];
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
    for (const id of fields) field(id).value = chosen.get(id) ?? "";
    /** What the URL selects, also before the options of a field are loaded. */
    this.selected = chosen;
    the("search").addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => (this.updateUrl(), onChange()), TYPING_MS);
    });
    the("search").addEventListener("submit", (event) => event.preventDefault());
  }

  /** Loads the names of the rule sets. */
  async fillRules() {
    const answer = await get("/api/rulesets");
    if (answer.ok) this.fill("rules", answer.data);
  }

  /**
   * Adds the options of a field.
   *
   * @param {string} field
   * @param {{id: string, name: string}[]} options
   */
  fill(field, options) {
    const selected = this.selected.get(field);
    the(field).append(...options.map(({ id, name }) => html("option", { value: id, selected: id === selected }, name)));
  }

  /** @returns {Record<string, string>} the filters that are not empty */
  get chosen() {
    const fields = this.fields.map((id) => [id, field(id).value.trim()]);
    return Object.fromEntries(fields.filter(([, text]) => text));
  }

  updateUrl() {
    const chosen = new URLSearchParams(this.chosen);
    history.replaceState(null, "", chosen.size ? `?${chosen}` : location.pathname);
  }
}

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (the(id));
