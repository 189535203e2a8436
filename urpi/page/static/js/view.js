/**
 * How this browser shows the page: its face, the theme, the size of type, the board turned round, and a second
 * screen without controls. Local storage keeps the choices; the face is a cookie, so that the server's first
 * picture has the right one (`urpi/page/first_view.py`). An address with `?kiosk` begins as a second screen.
 */

import { html, put, the } from "./elements.js";
import { load, store } from "./storage.js";
import { gettext, pgettext } from "./translation.js";

/** Choices of this browser that are switched on and off: how each is shown at the start, and its button. */
const SWITCHES = [{ show: showOwnView, button: flipButton }];

/** The themes of the board, whose colours are in themes.css. The first one is the default. */
export const THEMES = /** @type {const} */ (["lapis", "wood", "plain"]);
const FACE = "urpi-face";
const FLIPPED = "urpi-flipped";
const LARGER = "urpi-larger";
const THEME = "urpi-theme";
const YEAR_S = 31_536_000;

/** @typedef {"play" | "console"} Face *Play* is for players, the *Console* for those who build and try the table */

/** Shows the stored choices, and loads the dialog to change them when its button is pressed. */
export function offerView() {
  showTheme(storedTheme());
  for (const { show } of SWITCHES) show();
  the("view-button").addEventListener("click", async () => {
    const { ViewDialog } = await import("./view_dialog.js");
    new ViewDialog(SWITCHES.map(({ button }) => button())).open();
  });
}

/** @returns {Face} */
export const shownFace = () => (document.body.dataset.face === "console" ? "console" : "play");

/** Switches between the faces when the button in the header is pressed. */
export function offerFaces() {
  the("face-button").addEventListener("click", () => chooseFace(shownFace() === "play" ? "console" : "play"));
}

/** @param {Face} face */
export function chooseFace(face) {
  document.body.dataset.face = face;
  document.cookie = `${FACE}=${face}; Max-Age=${YEAR_S}; Path=/; SameSite=Strict`;
  labelFaces();
  scrollTo(0, 0);
  document.dispatchEvent(new Event("urpi-face"));
}

/** Names the face to which the button leads, in the current language. */
export function labelFaces() {
  const button = the("face-button");
  // Translators: The button that leads to the simple face of the page, with the board and one
  // button, or to the one with all controls.
  const name = shownFace() === "play" ? gettext("Console") : pgettext("view", "Play");
  put(/** @type {Element} */ (button.lastElementChild), name);
  for (const attribute of ["aria-label", "title"]) button.setAttribute(attribute, name);
}

/** Returns the theme that was chosen in this browser. */
export function storedTheme() {
  return load(THEME);
}

/**
 * Shows the board in a theme; an unknown one is the default.
 *
 * @param {string | null} theme
 */
export function showTheme(theme) {
  const known = THEMES.find((one) => one === theme) ?? THEMES[0];
  document.documentElement.dataset.theme = known;
  return known;
}

/** @param {string} theme */
export function chooseTheme(theme) {
  store(THEME, showTheme(theme));
}

/** Shows the stored choice, which the button in the header switches. */
export function offerLarger() {
  document.documentElement.classList.toggle("larger", load(LARGER) === "yes");
  switchLarger(the("larger"));
}

/**
 * Makes a button switch between the two sizes of type, as the one in the header does.
 *
 * @param {HTMLElement} button
 */
export function switchLarger(button) {
  const { classList } = document.documentElement;
  const show = () => {
    const pressed = String(classList.contains("larger"));
    for (const one of [the("larger"), button]) one.setAttribute("aria-pressed", pressed);
  };
  button.addEventListener("click", () => {
    store(LARGER, classList.toggle("larger") ? "yes" : "no");
    show();
  });
  show();
}

/** Shows the stored choice, and the second screen if the page's address asks for it. */
export function showOwnView() {
  flip(load(FLIPPED) === "yes");
  if (!document.getElementById("acts")) return;
  if (new URLSearchParams(location.search).has("kiosk")) showKiosk(true);
  document.addEventListener("fullscreenchange", () => !document.fullscreenElement && showKiosk(false));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && showKiosk(false));
}

export const isFlipped = () => "flipped" in document.documentElement.dataset;

/** @param {boolean} yes */
function flip(yes) {
  document.documentElement.toggleAttribute("data-flipped", yes);
}

/** Creates the button that turns the board round. */
export function flipButton() {
  const button = html("button", { type: "button", id: "view-flip", "aria-pressed": String(isFlipped()) }, gettext("Turn the board round"));
  button.addEventListener("click", () => {
    flip(!isFlipped());
    store(FLIPPED, isFlipped() ? "yes" : "no");
    button.setAttribute("aria-pressed", String(isFlipped()));
  });
  button.hidden = !document.getElementById("board");
  return button;
}

/** @param {boolean} yes */
export function showKiosk(yes) {
  document.body.classList.toggle("kiosk", yes);
}
