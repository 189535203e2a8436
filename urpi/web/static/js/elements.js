/** Elements of HTML and SVG. Texts are always text: nothing here reads markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined} Value */

/**
 * An element with its attributes and content; null, undefined and false attributes are left out.
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
 * The same of SVG.
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
 * The page's element of that id, which is there.
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
 * Puts a text where it is not yet, so that a screen reader is told of real changes alone.
 *
 * @param {Element} element
 * @param {string} text
 */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
