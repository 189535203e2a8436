/**
 * The dialog for how this browser shows the page: the language, the board's theme, when the chances
 * to win are shown, the size of type, full screen, the board turned round, a second screen; and on a phone, whose
 * header has no room for it, the link to the statistics.
 */

import { html, put } from "./elements.js";
import { THEMES, chooseTheme, showKiosk, switchLarger } from "./view.js";
import { get } from "./api.js";
import { chooseOwnLanguage, gettext, languageName, ownLanguage, pgettext } from "./translation.js";
import { CHOICES, chooseWin, winChoice } from "./win_bar.js";

/** @type {Record<string, () => string>} */
const TITLES = {
  lapis: () => gettext("Lapis and shell"),
  wood: () => gettext("Wood"),
  plain: () => gettext("Plain, high contrast"),
};

/** @type {Record<import("./win_bar.js").Choice, () => string>} */
const WIN_TITLES = {
  engine: () => gettext("In games with the engine"),
  always: () => gettext("Always"),
  never: () => gettext("Never"),
};

export class ViewDialog {
  /** @param {HTMLElement[]} switches the buttons of further choices */
  constructor(switches) {
    const close = html("button", { class: "close", "aria-label": gettext("Close") }, html("span", { "aria-hidden": "true" }, "×"));
    const title = html("h2", { id: "view-heading" }, gettext("View"));
    this.theme = html("select", { id: "view-theme" }, ...THEMES.map((one) => html("option", { value: one }, TITLES[one]?.() ?? one)));
    this.theme.value = document.documentElement.dataset.theme ?? THEMES[0];
    this.theme.addEventListener("change", () => chooseTheme(this.theme.value));
    // Translators: The choice of the board's colours and materials.
    const label = html("label", {}, html("span", {}, pgettext("colours", "Board")), this.theme);
    const win = html("select", { id: "view-win" }, ...CHOICES.map((one) => html("option", { value: one }, WIN_TITLES[one]())));
    win.value = winChoice();
    win.addEventListener("change", () => chooseWin(CHOICES[win.selectedIndex] ?? CHOICES[0]));
    const winLabel = html("label", {}, html("span", {}, gettext("Chances of winning")), win);
    // A replay has no bar: its review shows them.
    winLabel.hidden = !document.getElementById("win");
    this.language = html("select", { id: "view-language" });
    this.language.addEventListener("change", () => chooseOwnLanguage(this.language.value));
    this.languageLabel = html("label", { hidden: true }, html("span", {}, gettext("Language")), this.language);
    const larger = html("button", { type: "button", id: "view-larger" }, gettext("Larger text"));
    switchLarger(larger);
    this.screen = html("button", { type: "button", id: "full-screen" });
    this.screen.hidden = !document.fullscreenEnabled;
    this.screen.addEventListener("click", () => void this.switchScreen());
    const kiosk = html("button", { type: "button", id: "view-kiosk" }, gettext("Second screen, without controls"));
    kiosk.hidden = !document.getElementById("acts");
    kiosk.addEventListener("click", () => {
      showKiosk(true);
      void this.switchScreen();
    });
    const table = html("button", { type: "button", id: "table-settings" }, gettext("The table's settings"));
    table.hidden = !document.getElementById("settings-dialog");
    table.addEventListener("click", () => {
      this.dialog.close();
      document.dispatchEvent(new Event("urpi-settings"));
    });
    const statistics = html("a", { class: "button view-statistics", href: "/stats" }, gettext("Statistics"));
    statistics.hidden = !document.querySelector('.watch .top [href="/stats"]');
    const players = html("a", { class: "button view-players", href: "/players" }, gettext("Players"));
    players.hidden = statistics.hidden;
    this.dialog = html(
      "dialog",
      { class: "dialog small", "aria-labelledby": "view-heading" },
      html("form", { method: "dialog", class: "dialog-head" }, title, close),
      html("div", { class: "group" }, this.languageLabel, label, winLabel, larger, this.screen, ...switches, kiosk, table, statistics, players),
    );
    this.dialog.addEventListener("close", () => this.dialog.remove());
  }

  open() {
    this.showScreen();
    document.body.append(this.dialog);
    this.dialog.showModal();
    void this.offerLanguages();
  }

  /** Offers the languages; a club's page has that of the browser's settings. */
  async offerLanguages() {
    const { ok, data } = await get("/api/languages");
    if (!ok || !data.table) return;
    const own = { value: "", text: gettext("As the table: {language}", { language: languageName(data.table) }) };
    const others = data.languages.map((/** @type {string} */ one) => ({ value: one, text: languageName(one) }));
    const options = [own, ...others].map(({ value, text }) => html("option", { value }, text));
    this.language.replaceChildren(...options);
    this.language.value = ownLanguage();
    this.languageLabel.hidden = false;
  }

  /** Switches to full screen and back. The dialog is closed, because it is not part of either. */
  async switchScreen() {
    this.dialog.close();
    try {
      await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
    } catch {
      // The browser or its user does not permit it.
    }
  }

  showScreen() {
    put(this.screen, document.fullscreenElement ? gettext("Leave full screen") : gettext("Full screen"));
  }
}
