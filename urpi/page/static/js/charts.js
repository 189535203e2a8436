/** The pictures of charts that the server has drawn. */

import { html } from "./elements.js";

/** @typedef {{title: string, text: string, svg: string, narrow_svg: string}} Chart */

/**
 * Creates the picture of a chart. A chart has its own styles, which the page's security policy allows
 * in an image only.
 *
 * @param {Chart} chart
 */
export function picture({ text, svg, narrow_svg: narrow }) {
  const [src, srcset] = [svg, narrow].map((one) => `data:image/svg+xml,${encodeURIComponent(one)}`);
  return html("picture", {}, html("source", { media: "(max-width: 700px)", srcset }), html("img", { src, alt: text }));
}
