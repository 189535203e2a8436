/** Keys: the letters of shortcuts, and the board as a grid, of which Tab reaches one square and the arrow keys the others. */

import { isFlipped } from "./view.js";

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
});
const ROWS = "CBA";
const COLUMNS = 8;

export class BoardKeys {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.here = "A4";
    board.svg.setAttribute("role", "grid");
    for (const row of board.svg.querySelectorAll("[data-row]")) row.setAttribute("role", "row");
    for (const [name, square] of board.squares) {
      square.setAttribute("role", "gridcell");
      square.setAttribute("aria-colindex", name[1] ?? "");
      square.setAttribute("tabindex", name === this.here ? "0" : "-1");
      square.addEventListener("focus", () => this.stand(name));
    }
    board.svg.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const square = event.target instanceof Element && event.target.closest("[data-square]");
    if (!square) return;
    const step = STEPS[event.key];
    if (step) this.go(step);
    else if (event.key === "Enter" || event.key === " ") this.choose(square);
    else return;
    event.preventDefault();
  }

  /** @param {Element} square */
  choose(square) {
    const detail = { place: square.getAttribute("data-square") };
    square.dispatchEvent(new CustomEvent("board-choose", { bubbles: true, detail }));
  }

  /**
   * Moves the focus to the next square in a direction, across the places where the wood is cut out.
   *
   * @param {[number, number]} step
   */
  go([down, right]) {
    // Seen from the other side, every direction is the opposite one.
    const way = isFlipped() ? -1 : 1;
    let row = ROWS.indexOf(this.here[0] ?? "");
    let column = Number(this.here[1]);
    do {
      row += way * down;
      column += way * right;
      const square = this.board.squares.get(`${ROWS[row]}${column}`);
      if (square) return square.focus();
    } while (row >= 0 && row < ROWS.length && column >= 1 && column <= COLUMNS);
  }

  /** @param {string} name */
  stand(name) {
    this.board.squares.get(this.here)?.setAttribute("tabindex", "-1");
    this.board.squares.get(name)?.setAttribute("tabindex", "0");
    this.here = name;
  }
}

/**
 * Returns the letter of a key, in lower case, independent of CapsLock: the one that it types, or, where the layout has other
 * scripts (Cyrillic, Greek), the one at this place of a Latin keyboard. Empty for other keys, and
 * with Ctrl, Alt or Meta, which belong to the browser.
 *
 * @param {KeyboardEvent} event
 */
export function letterOf({ key, code, ctrlKey, altKey, metaKey }) {
  if (ctrlKey || altKey || metaKey || key.length !== 1) return "";
  if (/[a-z]/i.test(key)) return key.toLowerCase();
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? "";
}
