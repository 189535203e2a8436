/** The dialog with QR codes for other devices: to play, with the PIN, or only to watch. */

import { html, showError, svg } from "./elements.js";
import { gettext } from "./translation.js";
import { get } from "./api.js";

/**
 * @typedef {{link: string, size: number, path: string}} Code
 * @typedef {{url: string, interface: string, watch: Code, play: Code | null}} Link
 * @typedef {{pin: string | null, links: Link[]}} Invitation
 */

/** Opens the dialog, which is removed when it is closed. */
export async function openInvitation() {
  const answer = await get("/api/invitation");
  if (!answer.ok) return showError(answer.error);
  const dialog = new InvitationDialog(answer.data).dialog;
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

class InvitationDialog {
  /** @param {Invitation} invitation */
  constructor({ pin, links }) {
    this.pin = pin;
    this.links = links;
    this.playing = pin !== null;
    this.chosen = 0;
    this.shown = html("div", { class: "invitation", "aria-live": "polite" });
    const close = html("button", { class: "close", "aria-label": gettext("Close") });
    close.append(html("span", { "aria-hidden": "true" }, "×"));
    const heading = html("h2", { id: "invitation-heading" }, gettext("Other devices"));
    const head = html("form", { method: "dialog", class: "dialog-head" }, heading, close);
    const labels = { id: "invitation", class: "dialog narrow", "aria-labelledby": "invitation-heading" };
    this.dialog = html("dialog", labels, head, ...this.choices(), this.shown);
    this.draw();
  }

  *choices() {
    if (this.pin !== null && this.links.length > 0) yield this.purposes();
    if (this.links.length > 1) yield this.addresses();
  }

  /** Creates the two buttons that choose between playing and watching. */
  purposes() {
    const names = [gettext("To play"), gettext("To watch")];
    const buttons = names.map((name, number) => {
      const button = html("button", { type: "button", "aria-pressed": String(number === 0) }, name);
      button.addEventListener("click", () => {
        this.playing = number === 0;
        buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
        this.draw();
      });
      return button;
    });
    return html("div", { class: "buttons", role: "group", "aria-labelledby": "invitation-heading" }, ...buttons);
  }

  /** Creates the choice between the machine's addresses. */
  addresses() {
    const options = this.links.map(({ url, interface: name }, value) =>
      html("option", { value }, name ? `${url} (${name})` : url),
    );
    const select = html("select", { "aria-label": gettext("Address") }, ...options);
    select.addEventListener("change", () => {
      this.chosen = Number(select.value);
      this.draw();
    });
    return select;
  }

  draw() {
    const link = this.links[this.chosen];
    const code = (this.playing && link?.play) || link?.watch;
    if (!link || !code) {
      const how = "urpi demo --listen 0.0.0.0:8011";
      const text = gettext("Other devices cannot open this page. To let them, set listen under [page] in the settings file, or start {command}.", { command: how });
      const [before = "", after = ""] = text.split(how);
      this.shown.replaceChildren(html("p", {}, before, html("code", { class: "command" }, how), after));
      return;
    }
    const also = this.playing
      ? gettext("The PIN is {pin}. The code contains it: everyone who scans it can play.", { pin: this.pin ?? "" })
      : gettext("Those who open it can watch, and need the PIN to play.");
    this.shown.replaceChildren(
      drawn(code),
      html("p", {}, gettext("Scan the code with a phone's camera, or open {address}", { address: link.url })),
      html("p", {}, also),
    );
  }
}

/**
 * Draws a QR code, black on white also with dark colours.
 *
 * @param {Code} code
 */
function drawn({ link, size, path }) {
  const label = gettext("QR code of {address}", { address: link });
  const picture = svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label });
  picture.append(svg("path", { class: "qr-light", d: `M0 0h${size}v${size}h-${size}z` }));
  picture.append(svg("path", { class: "qr-dark", d: path, "shape-rendering": "crispEdges" }));
  return picture;
}
