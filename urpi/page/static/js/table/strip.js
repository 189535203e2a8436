/** The strip at the bottom of the window, which contains a tour or the offer of one. */

/** Reserves the height of the strip at the bottom of the page if the usual height is too small. */
export function makeRoom() {
  const { style } = document.documentElement;
  style.removeProperty("--tour");
  const strip = document.querySelector(":is(.tour, .tour-offer):not([hidden])");
  if (!strip) return;
  const reserved = parseFloat(getComputedStyle(strip).minHeight) || 0;
  const { height } = strip.getBoundingClientRect();
  if (height > reserved + 1) style.setProperty("--tour", `${Math.ceil(height)}px`);
}
