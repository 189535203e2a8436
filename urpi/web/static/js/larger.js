/** Larger type, for a projector or tired eyes; the choice is stored in this browser. */

import { the } from "./elements.js";
import { store, load } from "./storage.js";

const NAME = "urpi-larger";

export function offerLarger() {
  const button = the("larger");
  /** @param {boolean} larger */
  const show = (larger) => {
    document.documentElement.classList.toggle("larger", larger);
    button.setAttribute("aria-pressed", String(larger));
  };
  show(load(NAME) === "yes");
  button.addEventListener("click", () => {
    const larger = button.getAttribute("aria-pressed") !== "true";
    show(larger);
    store(NAME, larger ? "yes" : "no");
  });
}
