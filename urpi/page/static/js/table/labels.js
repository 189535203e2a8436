/** Labels of permanent elements, which are updated when the table's language changes. */

import { html, put } from "../elements.js";

/** @type {[Element, string, () => string][]} */
const labels = [];

/**
 * Labels an element, as its text or as one of its attributes.
 *
 * @template {Element} E
 * @param {E} element
 * @param {() => string} text
 * @param {string} [attribute]
 * @returns {E}
 */
export function labelled(element, text, attribute = "") {
  labels.push([element, attribute, text]);
  write(element, attribute, text());
  return element;
}

/** Updates all labels. */
export function updateLabels() {
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
 * Creates a labelled button.
 *
 * @param {() => string} text
 * @param {() => unknown} act
 * @param {Record<string, string>} [attributes]
 */
export function button(text, act, attributes = {}) {
  const made = labelled(html("button", { type: "button", ...attributes }), text);
  made.addEventListener("click", () => void act());
  return made;
}
