/** Larger type, for a projector or tired eyes; this browser remembers it. */

import { the } from "./elements.js";
import { keep, kept } from "./kept.js";

const NAME = "urpi-larger";

export function offerLarger() {
  const button = the("larger");
  /** @param {boolean} larger */
  const show = (larger) => {
    document.documentElement.classList.toggle("larger", larger);
    button.setAttribute("aria-pressed", String(larger));
  };
  show(kept(NAME) === "yes");
  button.addEventListener("click", () => {
    const larger = button.getAttribute("aria-pressed") !== "true";
    show(larger);
    keep(NAME, larger ? "yes" : "no");
  });
}
