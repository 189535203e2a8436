/**
 * The places on the board's picture, in its units (see urpi/show/svg/plan.py): the twenty squares, and a
 * tray for each side's hand and home.
 */

const PITCH = 40;
const PIECE = 14;
const STEP_UP = 4;
/** A pile is not drawn higher than this; the number beside it shows its height. */
const HIGHEST = 4;

/** @typedef {{x: number, y: number}} Spot */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

export class Places {
  /** @param {SVGSVGElement} picture */
  constructor(picture) {
    /** @type {Map<string, Box>} */
    this.boxes = new Map();
    for (const group of picture.querySelectorAll("[data-square]")) {
      this.add(group, group.getAttribute("data-square") ?? "", PITCH - 2, PITCH - 2);
    }
    for (const group of picture.querySelectorAll(".ur-tray")) {
      const width = Number(group.getAttribute("data-width"));
      const height = Number(group.getAttribute("data-height"));
      this.add(group, group.getAttribute("data-place") ?? "", width, height);
    }
  }

  /**
   * @param {Element} group
   * @param {string} name
   * @param {number} width
   * @param {number} height
   */
  add(group, name, width, height) {
    const [x, y] = (group.getAttribute("transform") ?? "").match(/-?[\d.]+/g) ?? [];
    this.boxes.set(name, { x: Number(x), y: Number(y), width, height });
  }

  /**
   * Returns the centre of a piece: in a square's pile by its height, in a tray by its slot among
   * `of` slots.
   *
   * @param {string} place
   * @param {number} [level]
   * @param {number} [of]
   * @returns {Spot}
   */
  spot(place, level = 0, of = 7) {
    const box = this.boxes.get(place);
    if (!box) throw new Error(`The board has no place ${place}.`);
    if (!place.includes(":")) {
      const up = STEP_UP * Math.min(level, HIGHEST);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 - up };
    }
    const room = box.width - 2 * (PIECE + 4);
    const step = of > 1 ? Math.min(28, room / (of - 1)) : 0;
    const x = box.x + PIECE + 4 + step * level;
    return { x, y: box.y + box.height / 2 };
  }

  /**
   * Returns the name of the place at a spot, null if there is none.
   *
   * @param {Spot} spot
   * @returns {string | null}
   */
  at({ x, y }) {
    for (const [name, box] of this.boxes) {
      const inside = x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
      if (inside) return name;
    }
    return null;
  }
}
