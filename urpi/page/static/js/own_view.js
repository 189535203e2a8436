/**
 * How one browser shows the board: turned round, for the player on its other side, and as a second screen
 * without controls. The turned board is stored in this browser; an address with `?kiosk` begins as a second screen.
 */

import { html } from "./elements.js";
import { store, load } from "./storage.js";
import { gettext } from "./translation.js";

const FLIPPED = "urpi-flipped";

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
