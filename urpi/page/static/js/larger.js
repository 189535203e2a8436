/** Larger type, for a projector or tired eyes; the choice is stored in this browser. */

import { the } from "./elements.js";
import { store, load } from "./storage.js";

const NAME = "urpi-larger";

/** Shows the stored choice, which the button in the header switches. */
export function offerLarger() {
  document.documentElement.classList.toggle("larger", load(NAME) === "yes");
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
    store(NAME, classList.toggle("larger") ? "yes" : "no");
    show();
  });
  show();
}
