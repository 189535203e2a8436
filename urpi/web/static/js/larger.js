/** Larger type, for a projector or tired eyes; this browser remembers it. */

import { the } from "./elements.js";

const KEPT = "urpi-larger";

export function offerLarger() {
  const button = the("larger");
  /** @param {boolean} larger */
  const show = (larger) => {
    document.documentElement.classList.toggle("larger", larger);
    button.setAttribute("aria-pressed", String(larger));
  };
  show(remembered() === "yes");
  button.addEventListener("click", () => {
    const larger = button.getAttribute("aria-pressed") !== "true";
    show(larger);
    remember(larger ? "yes" : "no");
  });
}

/** A browser that keeps nothing, as in a private window, is no fault. */
function remembered() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {string} value */
function remember(value) {
  try {
    localStorage.setItem(KEPT, value);
  } catch {
    // The next page asks again.
  }
}
