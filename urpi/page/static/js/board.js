/**
 * The board: the squares as the server draws them, with pieces, marks and arrows on them.
 *
 * It contains no rules. For screen readers and the keyboard it is a grid: the arrow keys move
 * between the squares, and each square has a label that describes what stands on it.
 */

import { svg } from "./elements.js";
import { BoardKeys } from "./keys.js";
import { drawPiece, matched, slide, way } from "./pieces.js";
import { Places } from "./places.js";
import { list, gettext, pgettext, sideName } from "./translation.js";

/** @typedef {import("./state.js").Piece} Piece */
/** @typedef {import("./places.js").Spot} Spot */
/** @typedef {"fill" | "clear" | "warned" | "target" | "broken" | "last" | "legal"} Mark */

const MOTIFS = /** @type {Record<string, () => string>} */ ({
  rosette: () => gettext("rosette"),
  eyes: () => gettext("eyes"),
  dots: () => gettext("five dots"),
  fives: () => gettext("four fives"),
  ziggurat: () => gettext("ziggurat"),
  grid: () => gettext("small squares"),
});

/**
 * Returns the name of a motif.
 *
 * @param {string} motif
 */
export const motifName = (motif) => MOTIFS[motif]?.() ?? "";

export class Board {
  /** Returns the board that the server has drawn into the page. */
  static drawn() {
    const picture = document.querySelector("#board .ur-table");
    if (!picture) throw new Error("The page contains no board.");
    return new Board(/** @type {any} */ (picture));
  }

  /** @param {SVGSVGElement} picture */
  constructor(picture) {
    this.svg = picture;
    this.places = new Places(picture);
    /** @type {Map<string, SVGGElement>} */
    this.squares = new Map();
    for (const square of picture.querySelectorAll("[data-square]")) {
      this.squares.set(square.getAttribute("data-square") ?? "", /** @type {any} */ (square));
    }
    this.lamps = svg("g", { class: "ur-lamps" });
    this.marks = svg("g", { class: "ur-marks" });
    this.stones = /** @type {SVGGElement} */ (picture.querySelector(".ur-pieces") ?? svg("g", { class: "ur-pieces" }));
    this.counts = svg("g", { class: "ur-counts" });
    this.ways = svg("g", { class: "ur-ways" });
    for (const layer of [this.lamps, this.marks, this.stones, this.counts, this.ways]) {
      layer.setAttribute("aria-hidden", "true");
      picture.append(layer);
    }
    /** @type {Map<string, Piece>} */
    this.shown = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.nodes = new Map();
    /** The squares of each side's path, along which its pieces are animated. */
    /** @type {import("./state.js").Rules["paths"] | null} */
    this.paths = null;
    /** @type {Map<Mark, string[]>} */
    this.marked = new Map();
    for (const node of this.stones.querySelectorAll("g")) this.adopt(node);
    picture.append(arrowHead());
    new BoardKeys(this);
  }

  /**
   * Continues with a piece that the server has drawn.
   *
   * @param {SVGGElement} node
   */
  adopt(node) {
    const { key = "", place = "", level = "0" } = node.dataset;
    const side = node.classList.contains("ur-is-light") ? "light" : "dark";
    this.nodes.set(key, node);
    this.shown.set(key, { side, place, level: Number(level), turned: node.classList.contains("ur-turned") });
  }

  /** @param {Piece[]} pieces */
  show(pieces) {
    const named = matched(pieces, this.shown);
    for (const [key, node] of this.nodes) {
      if (!named.has(key)) (node.remove(), this.nodes.delete(key));
    }
    const upwards = [...named].sort(([, one], [, other]) => one.level - other.level);
    for (const [key, piece] of upwards) {
      this.set(key, piece);
      this.slide(key, piece);
    }
    this.shown = named;
    this.count();
    this.label();
  }

  /**
   * @param {string} key
   * @param {Piece} piece
   */
  set(key, piece) {
    const node = this.nodes.get(key) ?? this.make(key, piece);
    const { x, y } =
      piece.place === "free"
        ? { x: piece.x ?? 0, y: piece.y ?? 0 }
        : this.places.spot(piece.place, piece.level, piece.of);
    node.classList.toggle("ur-turned", Boolean(piece.turned));
    node.style.transform = `translate(${x}px, ${y}px)`;
    node.dataset.place = piece.place;
    this.stack(node, piece);
  }

  /**
   * Animates a piece from the place where it was drawn, along the squares of its side's path.
   *
   * @param {string} key
   * @param {Piece} piece
   */
  slide(key, { side, place, level, of }) {
    const before = this.shown.get(key);
    const node = this.nodes.get(key);
    if (!node || !before || !this.paths || before.place === place) return;
    const places = way(this.paths[side], before.place, place);
    if (!places || places.length < 3) return;
    const between = places.slice(1, -1).map((name) => this.places.spot(name));
    const first = this.places.spot(before.place, before.level, before.of);
    slide(node, [first, ...between, this.places.spot(place, level, of)]);
  }

  /**
   * Keeps a pile's upper pieces in front. Moves a node only if necessary, because the transition of
   * a node that is appended again does not run.
   *
   * @param {SVGGElement} node
   * @param {Piece} piece
   */
  stack(node, piece) {
    const before = [...this.stones.children].indexOf(node);
    for (const [key, other] of this.nodes) {
      const shown = this.shown.get(key);
      if (!shown || shown.place !== piece.place || shown.level >= piece.level) continue;
      if ([...this.stones.children].indexOf(other) > before) return void this.stones.append(node);
    }
  }

  /**
   * @param {string} key
   * @param {Piece} piece
   */
  make(key, piece) {
    const node = drawPiece(piece.side);
    node.dataset.key = key;
    this.nodes.set(key, node);
    this.stones.append(node);
    return node;
  }

  /** Shows the height of each pile beside it. */
  count() {
    this.counts.replaceChildren();
    for (const name of this.squares.keys()) {
      const pile = this.pile(name);
      if (pile.length < 2) continue;
      const { x, y } = this.places.spot(name);
      const label = svg("text", { x: x + 12, y: y + 17, "text-anchor": "middle" });
      label.textContent = String(pile.length);
      this.counts.append(label);
    }
  }

  /**
   * Returns the pieces on a place, from bottom to top.
   *
   * @param {string} place
   */
  pile(place) {
    const here = [...this.shown.values()].filter((piece) => piece.place === place);
    return here.sort((one, other) => one.level - other.level);
  }

  /** Labels every square with what stands on it, for screen readers. */
  label() {
    // Translators: The wooden board with its squares, for screen readers.
    this.svg.setAttribute("aria-label", pgettext("playing board", "Board"));
    for (const [name, square] of this.squares) {
      const motif = motifName(square.getAttribute("data-motif") ?? "");
      const parts = [name, motif, pileText(this.pile(name)), ...this.marksOf(name)];
      square.setAttribute("aria-label", parts.filter(Boolean).join(", "));
    }
  }

  /** @param {string} name */
  *marksOf(name) {
    if (this.marked.get("fill")?.includes(name)) yield gettext("to be filled");
    if (this.marked.get("clear")?.includes(name)) yield gettext("to be cleared");
    if (this.marked.get("broken")?.includes(name)) yield gettext("its switch is broken");
    if (this.marked.get("legal")?.includes(name)) yield gettext("the piece may go here");
  }

  /**
   * @param {Mark} kind
   * @param {string[]} squares
   */
  mark(kind, squares) {
    if (String(this.marked.get(kind) ?? []) === String(squares)) return;
    this.marked.set(kind, squares);
    for (const old of this.marks.querySelectorAll(`.ur-mark-${kind}`)) old.remove();
    for (const name of squares) {
      const box = this.places.boxes.get(name);
      const isDrawn = box && (this.squares.has(name) || kind === "legal");
      if (isDrawn) this.marks.append(drawMark(kind, box));
    }
    this.label();
  }

  /**
   * Shows the lights below the squares.
   *
   * @param {Record<string, string>} lit the colour and mode of each square that is lit
   */
  light(lit) {
    const key = JSON.stringify(lit);
    if (this.lamps.dataset.lit === key) return;
    this.lamps.dataset.lit = key;
    this.lamps.replaceChildren();
    for (const [name, light] of Object.entries(lit)) {
      const box = this.places.boxes.get(name);
      if (!box) continue;
      const { x, y, width, height } = box;
      const [colour, mode] = light.split(" ");
      const size = { x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 6 };
      this.lamps.append(svg("rect", { ...size, class: `ur-lamp ur-lamp-${colour} ur-lamp-${mode}` }));
    }
  }

  /**
   * Draws an arrow for each part of each move; `hand` and `off` are the side's trays. A move that was
   * not the best one is dashed.
   *
   * @param {{from: string[], to: string[], worse?: boolean}[]} moves
   * @param {import("./state.js").Side} side
   */
  arrows(moves, side = "light") {
    this.ways.replaceChildren();
    for (const { from, to, worse } of moves) {
      const kind = worse ? "ur-way ur-way-worse" : "ur-way";
      from.forEach((origin, part) => {
        const path = this.curve(this.endpoint(origin, side), this.endpoint(to[part] ?? "", side));
        this.ways.append(svg("path", { d: path, class: "ur-way-under" }));
        this.ways.append(svg("path", { d: path, class: kind, "marker-end": "url(#ur-tip)" }));
      });
    }
  }

  /**
   * @param {string} place
   * @param {import("./state.js").Side} side
   */
  endpoint(place, side) {
    if (place !== "hand" && place !== "off") return this.places.spot(place);
    const name = `${place === "hand" ? "hand" : "home"}:${side}`;
    return this.places.spot(name, Math.max(this.pile(name).length - 1, 0));
  }

  /**
   * Returns the path of a curve from one spot to another that ends just before it.
   *
   * @param {Spot} from
   * @param {Spot} to
   */
  curve(from, to) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const bow = Math.min(16, length / 6);
    const x = (from.x + to.x) / 2 + (bow * dy) / length;
    const y = (from.y + to.y) / 2 - (bow * dx) / length;
    const short = 1 - 8 / length;
    return `M${from.x} ${from.y}Q${x} ${y} ${from.x + dx * short} ${from.y + dy * short}`;
  }

  /** @param {string} key */
  node(key) {
    return this.nodes.get(key);
  }

  /**
   * @param {string} place
   * @param {number} [level]
   * @param {number} [of]
   */
  spot(place, level, of) {
    return this.places.spot(place, level, of);
  }

  /** @param {Spot} spot */
  placeAt(spot) {
    return this.places.at(spot);
  }

  /**
   * Returns the position of a pointer in the board's units.
   *
   * @param {{clientX: number, clientY: number}} event
   * @returns {Spot}
   */
  point(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y };
  }
}

/**
 * Describes a pile, which is listed from bottom to top; an empty one by an empty text.
 *
 * @param {{side: import("./state.js").Side, turned?: boolean}[]} pile
 */
export function pileText(pile) {
  const top = pile.at(-1);
  if (!top) return "";
  const side = sideName(top.side);
  const one = top.turned ? gettext("{side}'s turned piece", { side }) : gettext("{side}'s piece", { side });
  if (pile.length === 1) return one;
  const under = pile.slice(0, -1).map((piece) => sideName(piece.side));
  return gettext("{top} on top of {under}", { top: one, under: list(under.reverse()) });
}

/**
 * @param {Mark} kind
 * @param {import("./places.js").Box} box
 */
function drawMark(kind, box) {
  const { x, y, width, height } = box;
  if (kind === "legal") return drawTarget(box);
  const frame = svg("rect", { x, y, width, height, rx: 2 });
  const mark = svg("g", { class: `ur-mark ur-mark-${kind}` }, frame);
  const sign = { fill: "+", clear: "−", broken: "!" }[/** @type {string} */ (kind)];
  if (sign) {
    mark.append(svg("circle", { cx: x + width - 5, cy: y + 5, r: 7 }));
    mark.append(svg("text", { x: x + width - 5, y: y + 9, "text-anchor": "middle" }, sign));
  }
  return mark;
}

/**
 * Draws a square or tray that is a target: a frame, which a piece does not cover, and a disc.
 *
 * @param {import("./places.js").Box} box
 */
function drawTarget({ x, y, width, height }) {
  const frame = svg("rect", { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 3 });
  const disc = svg("circle", { cx: x + width / 2, cy: y + height / 2, r: 7 });
  return svg("g", { class: "ur-mark ur-mark-legal" }, frame, disc);
}

function arrowHead() {
  const tip = svg("path", { d: "M0 0L8 4L0 8z" });
  const size = { viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 3.2, markerHeight: 3.2 };
  return svg("defs", {}, svg("marker", { id: "ur-tip", orient: "auto", ...size }, tip));
}
