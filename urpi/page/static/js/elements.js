/** Creates elements of HTML and SVG. Strings are always inserted as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined} Value */

/**
 * Creates an HTML element; attributes that are null, undefined or false are left out.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, Value>} [attributes]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  set(made, attributes);
  made.append(...content);
  return made;
}

/**
 * Creates an SVG element in the same way.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, Value>} [attributes]
 * @param {...(Node | string)} content
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...content) {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  made.append(...content);
  return made;
}

/**
 * @param {Element} element
 * @param {Record<string, Value>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Returns the element with an id; throws an Error if it does not exist.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function the(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

/**
 * Sets the text of an element unless it has that text already, which a screen reader would repeat.
 *
 * @param {Element} element
 * @param {string} text
 */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const ERROR_MS = 7000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let errorTimer;

/**
 * Shows the error message of a request for some seconds.
 *
 * @param {string} text
 */
export function showError(text) {
  put(the("error"), text);
  clearTimeout(errorTimer);
  errorTimer = setTimeout(() => put(the("error"), ""), ERROR_MS);
}
