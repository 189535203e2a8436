/** Replaces elements that differ, and keeps equal ones, with the focus and the selection in them. */

/**
 * Makes the children of an element equal to others; children that are equal already stay in place.
 *
 * @param {Element} parent
 * @param {Element[]} made
 */
export function replaceDifferent(parent, made) {
  const before = [...parent.children];
  const kept = made.map((each) => {
    const equal = before.find((old) => old.isEqualNode(each));
    if (equal) before.splice(before.indexOf(equal), 1);
    return equal ?? each;
  });
  for (const old of before) old.remove();
  for (const [place, each] of kept.entries()) {
    const now = parent.children[place] ?? null;
    if (now !== each) parent.insertBefore(each, now);
  }
}

/**
 * Calls a function that replaces elements, and then moves the focus from a replaced element with
 * `data-place` to the new element with the same place.
 *
 * @param {() => void} replace
 */
export function keepFocus(replace) {
  const place = document.activeElement?.getAttribute("data-place");
  replace();
  if (place && !document.activeElement?.hasAttribute("data-place")) focusPlace(place);
}

/** @param {string} place */
export function focusPlace(place) {
  const found = document.querySelector(`[data-place="${place}"]`);
  if (found instanceof HTMLElement) found.focus();
}
