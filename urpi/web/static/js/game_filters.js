/** The filters of stored games: player, rule set and days. The URL contains them, to be shared. */

import { html, the } from "./elements.js";
import { get } from "./api.js";

const FIELDS = ["player", "rules", "since", "until"];
/** The pause in typing after which the search begins. */
const TYPING_MS = 250;

export class GameFilters {
  /** @param {() => void} onChange called when the filters have changed */
  constructor(onChange) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    const chosen = new URLSearchParams(location.search);
    for (const id of FIELDS) field(id).value = chosen.get(id) ?? "";
    this.rules = chosen.get("rules") ?? "";
    the("search").addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => (this.updateUrl(), onChange()), TYPING_MS);
    });
    the("search").addEventListener("submit", (event) => event.preventDefault());
  }

  /** Loads the names of the rule sets. */
  async fillRules() {
    const answer = await get("/api/rulesets");
    if (!answer.ok) return;
    for (const { id, name } of answer.data) {
      the("rules").append(html("option", { value: id, selected: id === this.rules }, name));
    }
  }

  /** @returns {Record<string, string>} the filters that are not empty */
  get chosen() {
    const fields = FIELDS.map((id) => [id, field(id).value.trim()]);
    return Object.fromEntries(fields.filter(([, text]) => text));
  }

  updateUrl() {
    const chosen = new URLSearchParams(this.chosen);
    history.replaceState(null, "", chosen.size ? `?${chosen}` : location.pathname);
  }
}

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (the(id));
