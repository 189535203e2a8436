/**
 * A pointing hand that shows what to do, for people who do not read the words: it taps a button, or takes a
 * piece from one place to another. With reduced motion it rests where the gesture begins.
 */

import { html, svg } from "../elements.js";

const HAND = "M9 21.500l-4.600-6.100a1.700 1.700 0 0 1 2.600-2.200l1.500 1.600V4.600a1.600 1.600 0 0 1 3.200 0v5.600l6 1.300a2.400 2.400 0 0 1 1.900 2.600l-.8 7.400z";
/** Where the finger is in the hand's picture of 44 pixels. */
const [FINGER_X, FINGER_Y] = [18.5, 5];
const LASTS_MS = 2600;

/** @typedef {Element | null} Target */

export class Gesture {
  constructor() {
    const picture = svg("svg", { viewBox: "0 0 24 24", width: 44, height: 44 }, svg("path", { d: HAND }));
    this.hand = html("div", { class: "gesture", "aria-hidden": "true", hidden: true }, picture);
    document.body.append(this.hand);
    /** @type {Target[]} */
    this.targets = [];
    this.shown = "";
    for (const kind of ["scroll", "resize"]) addEventListener(kind, () => this.show(this.targets), { passive: true });
  }

  /**
   * Shows the gesture from the first to the last of some elements, nothing without one.
   *
   * @param {Target[]} targets
   */
  show(targets) {
    this.targets = targets;
    const spots = targets.map((one) => centre(one)).filter((spot) => spot !== "");
    const key = spots.join();
    if (key === this.shown) return;
    this.shown = key;
    for (const old of this.hand.getAnimations()) old.cancel();
    const [from, to = from] = spots;
    this.hand.hidden = !from;
    if (!from) return;
    this.hand.style.translate = from;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.hand.animate(
      [
        { translate: from, scale: 1.25, opacity: 0 },
        { translate: from, scale: 1.25, opacity: 1, offset: 0.15 },
        { translate: from, scale: 1, offset: 0.3 },
        { translate: to, scale: 1, offset: 0.75 },
        { translate: to, scale: 1.25, opacity: 1, offset: 0.88 },
        { translate: to, scale: 1.25, opacity: 0 },
      ],
      { duration: LASTS_MS, iterations: Infinity, easing: "ease-in-out" },
    );
  }
}

/**
 * Returns where the hand is when its finger is on an element's centre, empty if it is not shown.
 *
 * @param {Target} element
 */
function centre(element) {
  const box = element?.getBoundingClientRect();
  if (!box?.width) return "";
  return `${Math.round(box.left + box.width / 2 - FINGER_X)}px ${Math.round(box.top + box.height / 2 - FINGER_Y)}px`;
}
