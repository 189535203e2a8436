/** Dragging pieces with a mouse, a pen or a finger. */

/** @typedef {import("./physical.js").TablePiece} TablePiece */

/** Distance above the pointer at which a held piece is drawn: a finger would hide it. */
const ABOVE = { touch: 20, pen: 8, mouse: 5 };

export class Drag {
  /**
   * @param {import("./table.js").Table} table
   */
  constructor(table) {
    this.table = table;
    /** @type {number | null} */
    this.pointer = null;
    const { svg } = table.board;
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", (event) => this.lose(event));
    // A touch on a piece drags it; a touch beside the pieces scrolls the page.
    svg.addEventListener("touchstart", (event) => this.grasps(event) && event.preventDefault(), {
      passive: false,
    });
  }

  /** @param {TouchEvent} event */
  grasps(event) {
    const touch = event.changedTouches[0];
    return Boolean(touch && this.pieceAt(event.target, touch).length);
  }

  /**
   * Returns the piece under a pointer with the pieces on it, else the top piece of the place.
   *
   * @param {EventTarget | null} target
   * @param {{clientX: number, clientY: number}} event
   * @returns {TablePiece[]}
   */
  pieceAt(target, event) {
    const node = target instanceof Element ? target.closest("[data-key]") : null;
    const key = node?.getAttribute("data-key");
    if (key) return this.table.withThoseOn(key);
    const place = this.table.board.placeAt(this.table.board.point(event));
    const top = place ? this.table.top(place) : undefined;
    return top ? [top] : [];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (this.pointer !== null || event.button !== 0 || this.table.hand.holds) return;
    const pieces = this.pieceAt(event.target, event);
    if (!pieces.length) return;
    event.preventDefault();
    this.pointer = event.pointerId;
    this.table.board.svg.setPointerCapture(event.pointerId);
    this.follow(event);
    this.table.hand.lift(pieces);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerId !== this.pointer) return;
    this.follow(event);
    const place = this.placeUnder(event);
    this.table.hand.goOver(this.table.isSquare(place) ? place : null);
    this.table.showTarget(place);
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const { x, y } = this.table.board.point(event);
    const above = ABOVE[/** @type {keyof ABOVE} */ (event.pointerType)] ?? ABOVE.mouse;
    this.table.holdAt({ x, y: y - above });
  }

  /** @param {PointerEvent} event */
  placeUnder(event) {
    return this.table.board.placeAt(this.table.board.point(event));
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.table.showTarget(null);
    void this.table.hand.put(this.placeUnder(event) ?? "aside");
  }

  /** @param {PointerEvent} event */
  lose(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.table.showTarget(null);
    void this.table.hand.putBack();
  }
}
