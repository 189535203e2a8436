/** Petals that fall over the page once, when a player wins. */

import { svg } from "./elements.js";

const PETALS = 26;
const FALL_MS = 2600;
/** The colours of the board's rosette. */
const KINDS = ["ur-lapis-full", "ur-red-full"];

/** With reduced motion, only the rosette beside the result stands for the win. */
export function celebrate() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const frame = svg("svg", { class: "petals", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (let number = 0; number < PETALS; number++) frame.append(petal(number));
  document.body.append(frame);
  setTimeout(() => frame.remove(), FALL_MS + 200);
}

/**
 * A petal at its place across the page; no two fall alike.
 *
 * @param {number} number
 */
function petal(number) {
  const shape = svg("path", { d: "M0-2.200C1.300-.9 1.300.9 0 2.200C-1.300.9-1.300-.9 0-2.200z", class: KINDS[number % KINDS.length] });
  const outer = svg("g", { class: "petal" }, shape);
  outer.style.setProperty("--across", `${(100 * (number + 0.5)) / PETALS}px`);
  outer.style.setProperty("--late", `${(number * 37) % 11}00ms`);
  outer.style.setProperty("--turn", `${((number * 53) % 7) * 90 - 270}deg`);
  return outer;
}
