/** The page of a rule set, as the server writes it, and its parts as elements. */

import { html } from "./elements.js";
import { get } from "./api.js";
import { language } from "./translation.js";

/**
 * @typedef {{name: string, text: string}} Picture
 * @typedef {{heading: string, items: {text: string, pictures: Picture[]}[]}} Section
 * @typedef {{
 *   rules: string, name: string, about: string, path: string,
 *   highlights: {picture: string, text: string}[], squares: Record<string, string[]>,
 *   sections: Section[],
 * }} RulesPage
 */

/** @type {Map<string, Promise<RulesPage | null>>} */
const pages = new Map();

/**
 * Returns the page of a rule set in the page's language, null if it is not available.
 *
 * @param {string} rules a rule set with its options, such as `murray[loop=own-first]`
 * @returns {Promise<RulesPage | null>}
 */
export function rulesPage(rules) {
  const key = `${language()} ${rules}`;
  const known = pages.get(key);
  if (known) return known;
  const loading = get(`/api/rules?rules=${encodeURIComponent(rules)}`).then(({ ok, data }) => {
    if (!ok) pages.delete(key);
    return ok ? data : null;
  });
  pages.set(key, loading);
  return loading;
}

/** @param {string} rules */
export const sheetAddress = (rules) => `/api/rules.html?rules=${encodeURIComponent(rules)}`;

/** @param {RulesPage} page */
export function pathPicture(page) {
  const src = `/api/path.svg?rules=${encodeURIComponent(page.rules)}`;
  return html("img", { src, alt: page.path, class: "rules-path", width: 600, height: 297 });
}

/**
 * Returns the rules that a drawing explains, with their drawings.
 *
 * @param {RulesPage} page
 */
export function drawnRules({ highlights }) {
  const items = highlights.map(({ picture, text }) => {
    const src = `/api/rule.svg?name=${picture}`;
    const drawing = html("img", { src, alt: "", width: 290, height: 74 });
    return html("li", { "data-picture": picture }, drawing, html("span", {}, text));
  });
  return html("ul", { class: "rules-drawn" }, ...items);
}

/** @param {RulesPage} page */
export function sectionElements({ rules, sections }) {
  /** @param {Picture} picture */
  const drawn = ({ name, text }) => {
    const src = `/api/rule.svg?rules=${encodeURIComponent(rules)}&name=${name}`;
    return html("img", { src, alt: text, loading: "lazy", class: `rules-${name.split("-")[0]}` });
  };
  return sections.flatMap(({ heading, items }) => [
    html("h3", {}, heading),
    html("ul", { class: "rules-list" }, ...items.map(({ text, pictures }) => html("li", {}, text, ...pictures.map(drawn)))),
  ]);
}
