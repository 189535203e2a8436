/**
 * How one browser shows the board: turned round, for the player on its other side, and as a second screen
 * without controls. The turned board is stored in this browser; an address with `?kiosk` begins as a second screen.
 */

import { store, load } from "./storage.js";

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

/** Turns the board round, and stores the choice. */
export function flipBoard() {
  flip(!isFlipped());
  store(FLIPPED, isFlipped() ? "yes" : "no");
}

/** @param {boolean} yes */
export function showKiosk(yes) {
  document.body.classList.toggle("kiosk", yes);
}
