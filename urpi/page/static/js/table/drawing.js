/**
 * Where the pieces of a virtual table are drawn: where they lie, at this page's hand while it holds them, and where
 * it has put them until the table confirms that.
 */

import { drawnPieces } from "./physical.js";

/** @typedef {import("./physical.js").Physical} Physical */
/** @typedef {import("./physical.js").TablePiece} TablePiece */
/** @typedef {import("../places.js").Spot} Spot */

/** Distance above a square at which a held piece is drawn. */
const RAISED = 12;
const STEP_UP = 4;
/** Longest time for which a piece is drawn where the hand put it, before the table confirms it. */
const LANDED_MS = 600;

export class Drawing {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Spot} */
    this.heldAt = { x: 0, y: 0 };
    /** Whether the held pieces move by themselves, and not at a pointer. */
    this.glides = false;
    /** The pieces that were put down, until the table's next document shows where they lie. */
    this.landed = /** @type {Map<string, {spot: Spot, from: string, to: string}>} */ (new Map());
  }

  /**
   * Whether this page is moving pieces: from lifting them to the table's document that shows them
   * on their new place. Until then, the document is no base for the next act.
   */
  get isMoving() {
    return this.table.hand.holds || [...this.landed.values()].some(({ from, to }) => from !== to);
  }

  /** @param {Physical} physical */
  draw(physical) {
    const { board, hand } = this.table;
    const held = new Map([...this.landed].map(([id, { spot }]) => [id, spot]));
    hand.pieces.forEach(({ id }, step) => {
      held.set(id, { ...this.heldAt, y: this.heldAt.y - STEP_UP * step });
    });
    board.show(drawnPieces(physical, board, held));
    const carried = new Set(this.glides ? [] : hand.pieces.map(({ id }) => id));
    for (const { id } of physical.pieces) {
      board.node(id)?.classList.toggle("in-hand", carried.has(id));
    }
    for (const [name, square] of board.squares) {
      square.classList.toggle("ur-closed", physical.closed.includes(name));
    }
  }

  /**
   * Returns where a piece will lie on a place.
   *
   * @param {string} place
   * @param {number} [level] by default on top, or in the next slot
   */
  landing(place, level = this.table.pile(place).length) {
    return this.table.board.spot(place, level, Math.max((this.table.physical?.pieces.length ?? 0) / 2, 7));
  }

  /**
   * Draws pieces where the hand has put them, until the table's next document shows them there.
   *
   * @param {TablePiece[]} pieces
   * @param {string | null} place null if they are put back
   */
  land(pieces, place) {
    const from = pieces[0]?.at ?? "";
    const target = place ?? from;
    if (target === "aside" || target === "held") return;
    const level = place === null ? pieces[0]?.level : undefined;
    const { x, y } = this.landing(target, level);
    pieces.forEach(({ id }, step) => {
      this.landed.set(id, { spot: { x, y: y - STEP_UP * step }, from, to: target });
    });
    setTimeout(() => {
      for (const { id } of pieces) this.landed.delete(id);
      this.table.onMoved();
    }, LANDED_MS);
  }

  /**
   * Removes the pieces that the table's document shows at rest somewhere else than before.
   *
   * @param {Physical} physical
   */
  settle(physical) {
    for (const { id, at } of physical.pieces) {
      const landed = this.landed.get(id);
      if (landed && at !== "held" && at !== landed.from) this.landed.delete(id);
    }
  }

  /**
   * Draws the held pieces at the pointer, without waiting for the table.
   *
   * @param {Spot} spot
   */
  holdAt(spot) {
    this.heldAt = spot;
    this.table.hand.pieces.forEach(({ id }, step) => {
      const node = this.table.board.node(id);
      if (node) node.style.transform = `translate(${spot.x}px, ${spot.y - STEP_UP * step}px)`;
    });
  }

  /**
   * Draws the held pieces above a square, or above the place of `piece` if there is none.
   *
   * @param {string | null} square
   * @param {TablePiece} [piece]
   */
  holdOver(square, piece) {
    const place = square ?? (piece && piece.at !== "aside" ? piece.at : "B1");
    const level = square ? (this.table.board.pile(square).length || 1) - 1 : (piece?.slot ?? 0);
    const spot = this.table.board.spot(place, level);
    this.heldAt = { x: spot.x + 4, y: spot.y - RAISED };
    this.table.draw();
  }

  /** @param {string | null} place */
  showTarget(place) {
    for (const [name, square] of this.table.board.squares) {
      square.classList.toggle("under-hand", name === place);
    }
  }
}
