/** Words: everything the page says, in the table's language. The English text is the key. */

/** @type {Record<string, string>} */
let catalogue = {};
let spoken = "en";

/** @type {WeakMap<Node, string>} */
const written = new WeakMap();
/** Attributes that are said too, with the one that holds the English text. */
const SAID = ["aria-label", "alt", "title"];

/**
 * A message in the table's language, with its words in braces filled in.
 *
 * @param {string} message
 * @param {Record<string, string | number>} [details]
 */
export function say(message, details = {}) {
  const text = catalogue[message] || message;
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in details ? String(details[name]) : whole,
  );
}

/** The language that is spoken, for numbers and dates. */
export const language = () => spoken;

/**
 * Learns a language and says the page's own texts in it; without the server the words stay, until
 * it is asked for again.
 *
 * @param {string} wanted
 * @returns {Promise<boolean>} whether anything is said otherwise now
 */
export async function speak(wanted) {
  if (wanted === spoken && document.documentElement.lang === wanted) return false;
  const learnt = await words(wanted);
  if (!learnt) return false;
  catalogue = learnt;
  spoken = wanted;
  document.documentElement.lang = wanted;
  sayPage(document);
  return true;
}

/**
 * @param {string} language
 * @returns {Promise<Record<string, string> | null>} null when they do not come
 */
async function words(language) {
  try {
    const answer = await fetch(`/api/words?language=${encodeURIComponent(language)}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Says what stands in the page itself: the text of elements with `data-say` that hold nothing else,
 * and their labels.
 *
 * @param {ParentNode} part
 */
export function sayPage(part) {
  for (const element of part.querySelectorAll("[data-say]")) {
    if (element.childElementCount === 0) sayText(element);
    for (const name of SAID) sayAttribute(element, name);
  }
}

/** @param {Element} element */
function sayText(element) {
  const english = written.get(element) ?? element.textContent?.trim() ?? "";
  written.set(element, english);
  if (english) element.textContent = say(english);
}

/**
 * @param {Element} element
 * @param {string} name
 */
function sayAttribute(element, name) {
  if (!element.hasAttribute(name)) return;
  const kept = `data-english-${name}`;
  const english = element.getAttribute(kept) ?? element.getAttribute(name) ?? "";
  element.setAttribute(kept, english);
  element.setAttribute(name, say(english));
}

/**
 * A chance from 0 to 1 as the language writes it.
 *
 * @param {number} chance
 */
export function percent(chance) {
  const style = /** @type {const} */ ({ style: "percent", maximumFractionDigits: 1 });
  return new Intl.NumberFormat(spoken, style).format(chance);
}

/**
 * A day and its time as the language writes them.
 *
 * @param {string} iso
 */
export function moment(iso) {
  const style = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  return new Intl.DateTimeFormat(spoken, style).format(new Date(iso));
}

/**
 * What a language calls itself.
 *
 * @param {string} code
 */
export function languageSaid(code) {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/**
 * Several things as the language lists them.
 *
 * @param {string[]} things
 */
export function list(things) {
  return new Intl.ListFormat(spoken, { type: "conjunction" }).format(things);
}

/**
 * What a side's player is called.
 *
 * @param {import("./state.js").Side} side
 * @param {import("./state.js").Names} names
 */
export function nameOf(side, names) {
  return names[side] || sideOf(side);
}

/** @param {import("./state.js").Side} side */
export function sideOf(side) {
  return side === "light" ? say("Light") : say("Dark");
}
