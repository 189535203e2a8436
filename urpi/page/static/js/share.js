/** The dialog to share a game: its link with a QR code, pictures, and files. It is loaded on demand. */

import { get } from "./api.js";
import { html, put, svg } from "./elements.js";
import { THEMES } from "./view.js";
import { gettext } from "./translation.js";

/** @typedef {{link: string, local: boolean, size: number, path: string}} Link */

/**
 * Opens the dialog.
 *
 * @param {number} game
 * @param {number} [step] by default the whole game
 */
export async function openShare(game, step) {
  const query = step === undefined ? "" : `?step=${step}`;
  await open(`/api/games/${game}/link${query}`, gettext("Share this game"), files(game, query));
}

/**
 * Opens the dialog for a position that is analysed.
 *
 * @param {string} address its query, with the question mark
 * @param {string} [move] the move that its pictures show
 */
export async function openAnalysisShare(address, move) {
  const query = new URLSearchParams(address);
  if (move) query.set("move", move);
  query.set("theme", shownTheme());
  const links = [
    [`/api/analysis/picture.png?${query}`, gettext("Picture of the position (PNG)")],
    [`/api/analysis/picture.svg?${query}`, gettext("Picture of the position (SVG)")],
  ];
  await open(`/api/analysis/link${address}`, gettext("Share this position"), downloads(links));
}

/**
 * @param {string} address of the link
 * @param {string} heading
 * @param {HTMLElement} list of files
 */
async function open(address, heading, list) {
  const answer = await get(address);
  const content = answer.ok ? linkParts(answer.data) : [html("p", { class: "wrong" }, answer.error)];
  const title = html("h2", { id: "share-heading" }, heading);
  const close = html("button", { class: "close", "aria-label": gettext("Close") }, html("span", { "aria-hidden": "true" }, "×"));
  const dialog = html(
    "dialog",
    { class: "dialog small share", "aria-labelledby": "share-heading" },
    html("form", { method: "dialog", class: "dialog-head" }, title, close),
    html("div", { class: "group" }, ...content),
    html("div", { class: "group" }, list),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {Link} link */
function linkParts(link) {
  const field = html("input", { id: "share-link", readonly: true, dir: "ltr", value: link.link });
  const label = html("label", {}, html("span", {}, gettext("Link")), field);
  field.addEventListener("focus", () => field.select());
  const done = html("p", { role: "status", class: "dim" });
  const copy = html("button", { type: "button", id: "share-copy" }, gettext("Copy the link"));
  copy.addEventListener("click", async () => {
    await copyText(field);
    put(done, gettext("The link is copied."));
  });
  const buttons = html("div", { class: "buttons" }, copy);
  if (typeof navigator.share === "function") {
    const send = html("button", { type: "button" }, gettext("Send…"));
    send.addEventListener("click", () => void navigator.share({ url: link.link }).catch(() => undefined));
    buttons.append(send);
  }
  // No other device can follow a link to this one.
  const last = link.local ? html("p", {}, gettext("This link works only on this device.")) : code(link);
  return [label, buttons, done, last];
}

/**
 * Copies the text of a field, also over HTTP, where browsers have no clipboard for scripts.
 *
 * @param {HTMLInputElement} field
 */
async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
}

/** @param {Link} link */
function code({ size, path }) {
  const name = { role: "img", "aria-label": gettext("QR code of the link") };
  return svg(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, class: "code", ...name },
    svg("path", { d: `M0 0h${size}v${size}h-${size}z`, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}

/**
 * @param {number} game
 * @param {string} query
 */
function files(game, query) {
  const picture = `${query || "?"}${query && "&"}theme=${shownTheme()}`;
  const links = [
    [`picture.png${picture}`, gettext("Picture of the position (PNG)")],
    [`picture.svg${picture}`, gettext("Picture of the position (SVG)")],
    [`animation.gif?theme=${shownTheme()}`, gettext("The game as an animation (GIF)")],
    ["replay.html", gettext("Replay as one file")],
  ];
  return downloads(links.map(([file, text]) => [`/api/games/${game}/${file}`, text ?? ""]));
}

const shownTheme = () => document.documentElement.dataset.theme ?? THEMES[0];

/** @param {string[][]} links addresses with their texts */
function downloads(links) {
  const items = links.map(([href, text]) => html("li", {}, html("a", { href, download: true }, text ?? "")));
  return html("ul", { class: "exports" }, ...items);
}
