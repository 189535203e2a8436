/** Dragging pieces with a mouse, a pen or a finger, and tapping or clicking on them. */

import { withThoseOn } from "./physical.js";

/** @typedef {import("./physical.js").TablePiece} TablePiece */

/** Distance above the pointer at which a held piece is drawn: a finger would hide it. */
const ABOVE = { touch: 20, pen: 8, mouse: 5 };
/** Distance in pixels from which a press is a drag; a shorter one is a tap. */
const DRAGGED = { touch: 10, pen: 8, mouse: 4 };

/**
 * A press from its begin to its end: where it began, the place that a tap there means, and the pieces
 * that a drag lifts. While the hand still puts others down, a drag waits for the table, and keeps its
 * last event.
 *
 * @typedef {{
 *   id: number, x: number, y: number, target: EventTarget | null, place: string | null,
 *   pieces: TablePiece[], drags: boolean, waits: boolean, last: PointerEvent | null, ended: boolean,
 * }} Press
 */

/**
 * Returns the name of the piece that an element belongs to.
 *
 * @param {EventTarget | null} target
 */
const keyAt = (target) => (target instanceof Element ? target.closest("[data-key]")?.getAttribute("data-key") : null);

export class Drag {
  /**
   * @param {import("./table.js").Table} table
   */
  constructor(table) {
    this.table = table;
    /** @type {Press | null} */
    this.pressed = null;
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
   * Returns the place of the piece under a pointer, else the place at that spot. The top of a high
   * pile is drawn over the next square.
   *
   * @param {EventTarget | null} target
   * @param {{clientX: number, clientY: number}} event
   */
  placeAt(target, event) {
    const key = keyAt(target) ?? "";
    const { board, drawing, physical } = this.table;
    const at = drawing.landed.get(key)?.to ?? physical?.pieces.find(({ id }) => id === key)?.at ?? "";
    return board.places.boxes.has(at) ? at : board.placeAt(board.point(event));
  }

  /**
   * Returns the piece under a pointer with the pieces on it, else the top piece of the place. If
   * these are selected, returns all selected pieces.
   *
   * @param {EventTarget | null} target
   * @param {{clientX: number, clientY: number}} event
   * @returns {TablePiece[]}
   */
  pieceAt(target, event) {
    const { table } = this;
    const key = keyAt(target);
    const place = table.board.placeAt(table.board.point(event));
    const top = place ? table.pile(place).at(-1) : undefined;
    const pieces = key ? withThoseOn(table.physical, key) : top ? [top] : [];
    const selected = pieces.length > 0 && pieces.every(({ id }) => table.selection.includes(id));
    return selected ? table.selection.pieces : pieces;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { hand, selection } = this.table;
    if (this.pressed || event.button !== 0 || (hand.holds && !hand.puts)) return;
    const { target, pointerId: id, clientX: x, clientY: y } = event;
    const waits = hand.puts;
    const pieces = this.pieceAt(target, event);
    if (!waits && !pieces.length && selection.place === null && !selection.taps.length) return;
    if (waits || pieces.length) event.preventDefault();
    const place = this.placeAt(target, event);
    this.pressed = { id, x, y, target, place, pieces, drags: false, waits, last: null, ended: false };
    this.table.board.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { pressed } = this;
    if (event.pointerId !== pressed?.id || pressed.ended) return;
    if (!pressed.drags && !this.begins(event, pressed)) return;
    this.goTo(event);
  }

  /** @param {PointerEvent} event */
  goTo(event) {
    this.follow(event);
    const place = this.placeUnder(event);
    this.table.hand.goOver(this.table.isSquare(place) ? place : null);
    this.table.drawing.showTarget(place);
  }

  /**
   * Lifts the pieces once the pointer has left the spot of the press.
   *
   * @param {PointerEvent} event
   * @param {Press} pressed
   */
  begins(event, pressed) {
    const kind = /** @type {keyof DRAGGED} */ (event.pointerType);
    const distance = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    if (distance < (DRAGGED[kind] ?? DRAGGED.mouse)) return false;
    if (pressed.waits) return (pressed.last = event), false;
    // A press beside all pieces that moves is neither a tap nor a drag.
    if (!pressed.pieces.length || this.table.hand.holds) return (this.pressed = null), false;
    pressed.drags = true;
    this.follow(event);
    this.table.selection.clear();
    this.table.hand.lift(pressed.pieces);
    return true;
  }

  /** Begins the drag that has waited for the table, and ends it if the pointer has left meanwhile. */
  resume() {
    const { pressed } = this;
    if (!pressed?.waits || this.table.drawing.isMoving) return;
    pressed.waits = false;
    pressed.pieces = this.pieceAt(pressed.target, { clientX: pressed.x, clientY: pressed.y });
    if (!pressed.last) return;
    if (this.begins(pressed.last, pressed)) this.goTo(pressed.last);
    if (pressed.ended) this.release(pressed.last);
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const { x, y } = this.table.board.point(event);
    const above = ABOVE[/** @type {keyof ABOVE} */ (event.pointerType)] ?? ABOVE.mouse;
    this.table.drawing.holdAt({ x, y: y - above });
  }

  /** @param {PointerEvent} event */
  placeUnder(event) {
    return this.table.board.placeAt(this.table.board.point(event));
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { pressed } = this;
    if (event.pointerId !== pressed?.id) return;
    if (pressed.waits && pressed.last) {
      pressed.last = event;
      pressed.ended = true;
      return;
    }
    this.pressed = null;
    if (!pressed.drags) return this.table.selection.tap(pressed.place);
    const place = this.placeUnder(event);
    this.table.drawing.showTarget(null);
    void this.table.hand.put(place ?? "aside", place === null ? undefined : this.table.selection.moveTextTo(place));
  }

  /** @param {PointerEvent} event */
  lose(event) {
    const { pressed } = this;
    if (event.pointerId !== pressed?.id) return;
    this.pressed = null;
    if (!pressed.drags) return;
    this.table.drawing.showTarget(null);
    void this.table.hand.putBack();
  }
}
