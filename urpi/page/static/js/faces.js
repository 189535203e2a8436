/**
 * The two faces of the page: *Play* for players, the *Console* for those who build and try the table.
 *
 * The choice is a cookie, so that the server's first picture has the right face
 * (`urpi/page/first_view.py`).
 */

import { put, the } from "./elements.js";
import { gettext } from "./translation.js";

const NAME = "urpi-face";
const YEAR_S = 31_536_000;

/** @typedef {"play" | "console"} Face */

/** @returns {Face} */
export const shownFace = () => (document.body.dataset.face === "console" ? "console" : "play");

/** Switches between the faces when the button in the header is pressed. */
export function offerFaces() {
  the("face-button").addEventListener("click", () => chooseFace(shownFace() === "play" ? "console" : "play"));
}

/** @param {Face} face */
export function chooseFace(face) {
  document.body.dataset.face = face;
  document.cookie = `${NAME}=${face}; Max-Age=${YEAR_S}; Path=/; SameSite=Strict`;
  labelFaces();
  scrollTo(0, 0);
  document.dispatchEvent(new Event("urpi-face"));
}

/** Names the face to which the button leads, in the current language. */
export function labelFaces() {
  const button = the("face-button");
  const name = shownFace() === "play" ? gettext("Console") : gettext("Play");
  put(/** @type {Element} */ (button.lastElementChild), name);
  for (const attribute of ["aria-label", "title"]) button.setAttribute(attribute, name);
}
