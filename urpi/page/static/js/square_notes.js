/**
 * Explains a square: what its motif means in the current rule set. The note is shown while a mouse
 * rests on the square, while the square has the keyboard's focus, and after a touch on a square
 * without a piece.
 */

import { html } from "./elements.js";
import { motifName } from "./board.js";
import { rulesPage } from "./rules.js";
import { gettext } from "./translation.js";

const REST_MS = 600;
const GAP = 8;

export class SquareNotes {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.rules = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Element | null} */
    this.square = null;
    /** Where the mouse was released last: a player who has just moved there asks nothing. */
    this.released = /** @type {Element | null} */ (null);
    this.note = html("div", { id: "square-note", class: "square-note", role: "tooltip", hidden: true });
    document.body.append(this.note);
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.hide());
    document.addEventListener("pointerdown", () => this.hide());
    document.addEventListener("scroll", () => this.hide(), { passive: true });
  }

  /** @param {import("./state.js").State} state */
  show(state) {
    const rules = state.rules?.text ?? "";
    if (rules !== this.rules) this.hide();
    this.rules = rules;
  }

  /**
   * Handles what happens on the board.
   *
   * @param {Event} event
   */
  handle(event) {
    const pointer = /** @type {PointerEvent} */ (event);
    const isMouse = pointer.pointerType === "mouse";
    if (event.type === "pointerover") isMouse && this.rest(pointer);
    else if (event.type === "pointerleave") isMouse && this.hide();
    else if (event.type === "pointerup") this.released = this.squareAt(pointer);
    else if (event.type === "click") this.touch(pointer);
    else if (event.type === "focusin") this.focus(event.target);
    else this.hide();
  }

  /** @param {EventTarget | null} target */
  focus(target) {
    const square = squareOf(target);
    // Not after a click, which moves the focus too.
    if (square?.matches(":focus-visible")) void this.explain(square);
  }

  /** @param {PointerEvent} event */
  rest({ target, clientX, clientY, buttons }) {
    clearTimeout(this.timer);
    const square = squareOf(target) ?? this.squareAt({ clientX, clientY });
    if (square === this.square && !this.note.hidden) return;
    this.hide();
    if (square === this.released) return;
    this.released = null;
    if (square && !buttons) this.timer = setTimeout(() => void this.explain(square), REST_MS);
  }

  /**
   * A touch on a piece lifts or selects it, and does not ask what is below it.
   *
   * @param {MouseEvent} event
   */
  touch(event) {
    const square = squareOf(event.target);
    const name = square?.getAttribute("data-square") ?? "";
    const byTouch = /** @type {PointerEvent} */ (event).pointerType === "touch";
    if (square && byTouch && !this.board.pile(name).length) void this.explain(square);
  }

  /**
   * Returns the square below a piece.
   *
   * @param {{clientX: number, clientY: number}} event
   */
  squareAt(event) {
    const place = this.board.placeAt(this.board.point(event));
    return (place && this.board.squares.get(place)) || null;
  }

  /** @param {Element} square */
  async explain(square) {
    const { rules } = this;
    if (!rules) return;
    this.square = square;
    const page = await rulesPage(rules);
    // While the texts were loaded, the pointer may have moved on or the rules changed.
    if (!page || this.square !== square || rules !== this.rules) return;
    const name = square.getAttribute("data-square") ?? "";
    const motif = motifName(square.getAttribute("data-motif") ?? "");
    const sentences = page.squares[name] ?? [gettext("An ordinary square.")];
    this.note.replaceChildren(
      html("strong", {}, gettext("{label}: {text}", { label: name, text: motif })),
      ...sentences.map((sentence) => html("p", {}, sentence)),
    );
    this.note.hidden = false;
    square.setAttribute("aria-describedby", this.note.id);
    this.place(square.getBoundingClientRect());
  }

  /**
   * Places the note below its square, or above it if there is no room.
   *
   * @param {DOMRect} box
   */
  place(box) {
    const { width, height } = this.note.getBoundingClientRect();
    const middle = box.left + box.width / 2 - width / 2;
    const left = Math.max(GAP, Math.min(middle, document.documentElement.clientWidth - width - GAP));
    const below = box.bottom + GAP;
    const top = below + height < innerHeight ? below : Math.max(GAP, box.top - height - GAP);
    this.note.style.translate = `${left}px ${top}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.square?.removeAttribute("aria-describedby");
    this.square = null;
    this.note.hidden = true;
  }
}

/** @param {EventTarget | null} target */
const squareOf = (target) => (target instanceof Element ? target.closest("[data-square]") : null);
