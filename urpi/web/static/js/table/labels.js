/** Texts of elements that stay, said again when the table's language changes. */

import { html, put } from "../elements.js";

/** @type {[Element, string, () => string][]} */
const labels = [];

/**
 * Lets an element say that from now on: as its text, or as one of its attributes.
 *
 * @template {Element} E
 * @param {E} element
 * @param {() => string} text
 * @param {string} [attribute]
 * @returns {E}
 */
export function saying(element, text, attribute = "") {
  labels.push([element, attribute, text]);
  write(element, attribute, text());
  return element;
}

/** Says everything anew. */
export function sayAgain() {
  for (const [element, attribute, text] of labels) write(element, attribute, text());
}

/**
 * @param {Element} element
 * @param {string} attribute
 * @param {string} text
 */
function write(element, attribute, text) {
  if (attribute) element.setAttribute(attribute, text);
  else put(element, text);
}

/**
 * A button that says that and does that.
 *
 * @param {() => string} text
 * @param {() => unknown} act
 * @param {Record<string, string>} [attributes]
 */
export function button(text, act, attributes = {}) {
  const made = saying(html("button", { type: "button", ...attributes }), text);
  made.addEventListener("click", () => void act());
  return made;
}
