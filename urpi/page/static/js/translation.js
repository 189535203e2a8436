/** Translations of the page's texts into the viewer's language. The English text is the key. */

/**
 * The wordings of a plural; `forms` has for each number below 200 the index of its wording.
 *
 * @typedef {{forms: string, texts: string[]}} Plural
 */

/** @type {Record<string, string | Plural>} */
let catalogue = {};
let current = "en";
/** The language of the page's address, empty if it has none. */
let addressed = "";

/** @type {WeakMap<Node, string>} */
const originals = new WeakMap();
/** What separates a context from its message in the catalogue. */
const CONTEXT_END = "\u0004";
/** Attributes that are translated in addition to the text. */
const LABELS = ["aria-label", "alt", "title"];

/** The cookie with the language that was chosen in this browser; the server reads it. */
const COOKIE = "urpi-language";
/** The languages that are written from right to left; `urpi/show/words/words.py` has the same. */
const RIGHT_TO_LEFT = ["ar"];
const YEAR_S = 365 * 24 * 60 * 60;

/** Returns the language that was chosen in this browser, empty for the table's. */
export const ownLanguage = () => document.cookie.match(/(?:^|; )urpi-language=(\w+)/)?.[1] ?? "";

/**
 * Shows the pages in a language from now on, in this browser only.
 *
 * @param {string} chosen empty for the table's language
 */
export function chooseOwnLanguage(chosen) {
  const age = chosen ? YEAR_S : 0;
  document.cookie = `${COOKIE}=${chosen}; Max-Age=${age}; Path=/; SameSite=Strict`;
  // Everything on the page is in the other language: its texts, and what the server has sent.
  location.reload();
}

/** Keeps the language of the page's address, as in `/?language=sl`, until the browser is closed. */
export function keepAddressedLanguage() {
  const requested = new URLSearchParams(location.search).get("language");
  if (requested) document.cookie = `${COOKIE}=${encodeURIComponent(requested)}; Path=/; SameSite=Strict`;
}

/**
 * Returns a message in the viewer's language, with its fields in braces filled in.
 *
 * @param {string} message
 * @param {Record<string, string | number>} [details]
 */
export const gettext = (message, details = {}) => filledIn(translated(message), details);

/**
 * Returns a message as `gettext` does, of which English has another one with the same words.
 *
 * @param {string} context what tells the two apart; it is not shown
 * @param {string} message
 */
export const pgettext = (context, message) => translated(`${context}${CONTEXT_END}${message}`);

/**
 * Returns the wording for a number of things, filled in with the number, as {number}, and fields.
 *
 * @param {string} one
 * @param {string} many
 * @param {number} number
 * @param {Record<string, string | number>} [details]
 */
export function ngettext(one, many, number, details = {}) {
  const plural = catalogue[one];
  if (typeof plural !== "object") return filledIn(number === 1 ? one : many, { number, ...details });
  // From 100 on, the wordings of every language repeat after a hundred.
  const index = Number(plural.forms[number < 200 ? number : 100 + (number % 100)]);
  return filledIn(plural.texts[index] ?? many, { number, ...details });
}

/** @param {string} message with its context, if it has one */
function translated(message) {
  const text = catalogue[message];
  return typeof text === "string" && text ? text : message.slice(message.indexOf(CONTEXT_END) + 1);
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} details
 */
function filledIn(text, details) {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in details ? String(details[name]) : whole,
  );
}

/**
 * Returns a part of a line with a direction of its own, so that from right to left a Latin name does
 * not take along the number or the name after it.
 *
 * @param {string} text
 */
export const isolated = (text) => (RIGHT_TO_LEFT.includes(current) ? `\u2068${text}\u2069` : text);

/**
 * Joins the parts of a line with points between them, without those that are empty.
 *
 * @param {(string | null | undefined | false | 0)[]} texts
 */
export const dotted = (texts) => texts.flatMap((text) => (text ? isolated(text) : [])).join(" · ");

/** The current language, for numbers and dates. */
export const language = () => current;

/**
 * Loads a language and translates the page. If it cannot be loaded, the language stays unchanged.
 *
 * @param {string} requested
 * @returns {Promise<boolean>} whether the language has changed
 */
export async function setLanguage(requested) {
  // At the start the page's own language differs from `current` until it has been translated.
  if (requested === current && document.documentElement.lang === requested) return false;
  const loaded = await load(requested);
  if (!loaded) return false;
  catalogue = loaded;
  current = requested;
  document.documentElement.lang = requested;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(requested) ? "rtl" : "";
  translatePage(document);
  return true;
}

/**
 * Loads the language of the page's address, as in `?language=sl` for a projector whose browser has
 * another one, else that which the server chooses.
 */
export async function chooseLanguage() {
  const requested = new URLSearchParams(location.search).get("language");
  if (requested) await setLanguage(requested);
  // English is the language before any is loaded.
  if (requested === current) {
    addressed = requested;
    return;
  }
  const answer = await fetch("/api/languages").catch(() => null);
  if (answer?.ok) await setLanguage((await answer.json()).now);
}

/**
 * Returns the headers of a request whose response contains texts, such as the names of rule sets.
 *
 * @returns {Record<string, string>}
 */
export const languageHeaders = () => (addressed ? { "Accept-Language": addressed } : {});

/**
 * @param {string} language
 * @returns {Promise<typeof catalogue | null>} null if they are not available
 */
async function load(language) {
  try {
    const answer = await fetch(`/api/words?language=${encodeURIComponent(language)}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Translates the texts in the HTML: of elements with `data-translate`, the text if they contain
 * nothing else, and the labels. The attribute's value is the context, empty if the text has none.
 *
 * @param {ParentNode} part
 */
export function translatePage(part) {
  for (const element of part.querySelectorAll("[data-translate]")) {
    // Replacing the text of an element with children would remove these.
    if (element.childElementCount === 0) translateText(element);
    for (const name of LABELS) translateAttribute(element, name);
  }
}

/** @param {Element} element */
function translateText(element) {
  // The English text is kept, since it is the key for the next language too.
  const english = originals.get(element) ?? element.textContent?.trim() ?? "";
  originals.set(element, english);
  if (english) element.textContent = inContext(element, english);
}

/**
 * @param {Element} element
 * @param {string} name
 */
function translateAttribute(element, name) {
  if (!element.hasAttribute(name)) return;
  const original = `data-english-${name}`;
  const english = element.getAttribute(original) ?? element.getAttribute(name) ?? "";
  element.setAttribute(original, english);
  element.setAttribute(name, inContext(element, english));
}

/**
 * @param {Element} element
 * @param {string} english
 */
function inContext(element, english) {
  const context = element.getAttribute("data-translate");
  return context ? pgettext(context, english) : gettext(english);
}

/**
 * Formats a probability from 0 to 1 as a percentage.
 *
 * @param {number} chance
 */
export function percent(chance) {
  return percentOf(chance, { maximumFractionDigits: 1 });
}

/**
 * Formats a share with the language's space before the sign, as the display does.
 *
 * @param {number} share
 * @param {Intl.NumberFormatOptions} style of the number of hundredths
 */
export function percentOf(share, style) {
  const number = new Intl.NumberFormat(current, style).format(100 * share);
  return gettext("{number}%", { number });
}

/**
 * Returns a duration in seconds with hundredths.
 *
 * @param {number} duration
 */
export function seconds(duration) {
  const style = /** @type {const} */ ({ style: "unit", unit: "second", unitDisplay: "narrow", minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return new Intl.NumberFormat(current, style).format(duration);
}

/**
 * Formats a date with its time.
 *
 * @param {string} iso
 */
export function moment(iso) {
  const style = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  return new Intl.DateTimeFormat(current, style).format(new Date(iso));
}

/**
 * Formats a date without its time.
 *
 * @param {string} iso
 */
export function day(iso) {
  return new Intl.DateTimeFormat(current, { dateStyle: "medium" }).format(new Date(iso));
}

/**
 * Returns the name of a language in that language.
 *
 * @param {string} code
 */
export function languageName(code) {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/**
 * Formats a list, such as "a, b and c".
 *
 * @param {string[]} things
 */
export function list(things) {
  return new Intl.ListFormat(current, { type: "conjunction" }).format(things);
}

/**
 * Returns the name of a side's player, or of the side if it has none.
 *
 * @param {import("./state.js").Side} side
 * @param {import("./state.js").Names} names
 */
export function playerName(side, names) {
  return names[side] || sideName(side);
}

/**
 * Returns a player's name, with the place if the player is at another table.
 *
 * @param {import("./state.js").Side} side
 * @param {Pick<import("./state.js").StepState, "players" | "seats" | "opponent">} state
 */
export function nameAndPlace(side, { players, seats, opponent }) {
  const name = playerName(side, players);
  return opponent && seats?.[side] === "remote" ? `${name} (${opponent.place})` : name;
}

/** @param {import("./state.js").Side} side */
export function sideName(side) {
  return side === "light" ? gettext("Light") : gettext("Dark");
}
