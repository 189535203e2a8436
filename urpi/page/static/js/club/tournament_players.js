/** An arbiter's controls for the players of a tournament: one choice, and what is possible for it. */

import { confirmed } from "../confirm.js";
import { html, put, the } from "../elements.js";
import { gettext, language } from "../translation.js";
import { offerKnown, offerKnownLines } from "./known_players.js";
import { change } from "./session.js";

/** @typedef {import("./tournament.js").TournamentPage} TournamentPage */

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (the(id));

/** The controls. */
export class PlayerControls {
  /** @param {import("./arbiter.js").Arbiter} arbiter */
  constructor(arbiter) {
    this.arbiter = arbiter;
    /** @type {TournamentPage | null} */
    this.tournament = null;
    /** The names in the choice, in its order. */
    this.names = "";
    the("player").addEventListener("change", () => this.showPossible());
    the("rename").addEventListener("click", () => this.openRename());
    the("withdraw").addEventListener("click", () => this.act("withdrawals", gettext("Withdraw {name} from the remaining rounds?", { name: this.chosen })));
    the("restore").addEventListener("click", () => this.act("withdrawals", "", { undo: true }));
    the("bye").addEventListener("click", () => this.act("byes", "", { round: this.next, undo: this.hasBye }));
    the("remove").addEventListener("click", () => this.act("players/removed", gettext("Remove {name} from the tournament?", { name: this.chosen })));
    the("rename-cancel").addEventListener("click", () => this.dialog.close());
    offerKnown(field("rename-name"));
    offerKnownLines(/** @type {HTMLTextAreaElement} */ (the("add-names")), () => this.listed.map(({ name }) => name));
    arbiter.onSubmit("rename-form", () => this.rename());
    arbiter.onSubmit("add-form", async () => {
      const players = field("add-names").value.split("\n").filter((line) => line.trim());
      const half_points = field("add-half-points").checked;
      if (await arbiter.send("POST", "players", { players, half_points })) field("add-names").value = "";
    });
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (the("rename-dialog"));
  }

  get chosen() {
    return field("player").value;
  }

  get player() {
    return this.listed.find(({ name }) => name === this.chosen);
  }

  /** The players, with the teams if there are any. */
  get listed() {
    return this.tournament ? [...this.tournament.standings, ...this.tournament.board_results] : [];
  }

  /** The number of the next round. */
  get next() {
    return (this.tournament?.begun ?? 0) + 1;
  }

  /** Whether the chosen player has a bye in the next round. */
  get hasBye() {
    return this.player?.byes.includes(this.next) ?? false;
  }

  /**
   * Asks the question, if there is one, and sends a change of the chosen player.
   *
   * @param {string} path
   * @param {string} question
   * @param {object} [details]
   */
  async act(path, question, details = {}) {
    const player = this.chosen;
    if (question && !(await confirmed(question))) return;
    await this.arbiter.send("POST", path, { player, ...details });
    // The button is hidden now.
    the("player").focus();
  }

  openRename() {
    put(the("rename-title"), gettext("Rename {name}", { name: this.chosen }));
    put(the("rename-wrong"), "");
    field("rename-name").value = this.chosen;
    this.dialog.showModal();
    field("rename-name").select();
  }

  async rename() {
    const answer = await change("POST", `${this.arbiter.address}/players/renamed`, {
      player: this.chosen,
      name: field("rename-name").value,
    });
    put(the("rename-wrong"), answer.error);
    if (!answer.ok) return;
    this.dialog.close();
    await this.arbiter.update();
    field("player").value = answer.data.name;
    this.showPossible();
  }

  /** @param {TournamentPage} tournament */
  show(tournament) {
    const begun = tournament.rounds.length;
    const details = /** @type {HTMLDetailsElement} */ (the("add"));
    // The arbiter may open and close it afterwards.
    if (!this.tournament || (begun && !this.tournament.rounds.length)) details.open = !begun;
    this.tournament = tournament;
    the("add-half").hidden = !begun;
    details.hidden = begun > 0 && (tournament.format !== "swiss" || begun >= tournament.planned);
    this.showChoice();
    this.showPossible();
  }

  showChoice() {
    const { compare } = new Intl.Collator(language());
    const sorted = this.listed.sort((a, b) => compare(a.name, b.name));
    const names = JSON.stringify(sorted.map(({ name }) => name));
    const select = /** @type {HTMLSelectElement} */ (the("player"));
    // Replacing the options would close an open choice.
    if (names !== this.names) {
      const { value } = select;
      select.replaceChildren(html("option", { value: "" }, "–"), ...sorted.map(({ name }) => html("option", { value: name })));
      select.value = sorted.some(({ name }) => name === value) ? value : "";
    }
    this.names = names;
    for (const [place, { name, withdrawn, byes }] of sorted.entries()) {
      const option = select.options[place + 1];
      const about = withdrawn ? gettext("withdrawn") : byes.includes(this.next) ? gettext("Bye in round {number}", { number: this.next }) : "";
      if (option) put(option, about ? `${name} – ${about}` : name);
    }
  }

  showPossible() {
    if (!this.tournament) return;
    const { rounds, planned, format, boards, standings } = this.tournament;
    const player = this.player;
    const more = rounds.length < planned;
    the("rename").hidden = !player;
    the("withdraw").hidden = !player || player.withdrawn || !more;
    the("restore").hidden = !player?.withdrawn || !more;
    the("bye").hidden = !player || player.withdrawn || !more || (format !== "swiss" && !boards);
    put(the("bye"), this.hasBye ? gettext("No bye in round {number}", { number: this.next }) : gettext("Bye in round {number}", { number: this.next }));
    const isTeam = boards > 0 && standings.some(({ name }) => name === player?.name);
    the("remove").hidden = !player || rounds.length > 0 || isTeam;
  }
}
