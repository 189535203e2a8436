/** Pieces dragged by a mouse, a pen or a finger: lifted where pressed, put where let go. */

/** @typedef {import("./physical.js").TablePiece} TablePiece */

/** A finger hides what is under it, so its piece is drawn a little above. */
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
    svg.addEventListener("pointerup", (event) => this.letGo(event));
    svg.addEventListener("pointercancel", (event) => this.lose(event));
    // A finger on a piece drags it; one beside the pieces scrolls the page.
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
   * The piece under a pointer, with those that lie on it; else the top one of the place there.
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
  letGo(event) {
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
