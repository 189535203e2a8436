"""Assembly drawings: where each part is on a side of a board, with its designator and contact 1.

Bodies are those of the footprints' fabrication layer. The back is drawn as seen from below.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from urpi.hardware.template.shapes import (
    Circle,
    Drawing,
    DrawingLayer,
    Label,
    Polyline,
    Shape,
    mirrored,
)
from wiring.boards import library
from wiring.boards.design import Board, Part, PlacedPad, Point
from wiring.boards.library import turned
from wiring.boards.sexpr import Node, child
from wiring.boards.supply import is_listed, is_placed

_WIDTH: Final = 250.0
"""Of the board on the drawing, in millimetres."""
_MARGIN: Final = 12.0
_LETTER: Final = 0.62
"""Width of a letter, relative to its height."""
_LARGEST: Final = 6.0
_SMALLEST: Final = 2.2
_LEGEND: Final = "blue: by an assembler; purple: by hand; grey: pads; dot: contact 1 or cathode"
_UNMARKED: Final = ("C_", "R_", "nRF24L01_Module")
"""Footprints of parts that can be turned, or whose first contact is not the one at an end."""


def sides(board: Board) -> tuple[bool, ...]:
    """Return False for the front, and True for the back if it has parts."""
    return (False, True) if any(part.back for part in board.parts) else (False,)


def assembly(board: Board, *, back: bool) -> Drawing:
    """Return the drawing of a side."""
    xs, ys = zip(*board.outline, strict=True)
    scale = _WIDTH / (max(xs) - min(xs))
    width, height = _WIDTH + 2 * _MARGIN, scale * (max(ys) - min(ys)) + 2 * _MARGIN

    def at(point: Point) -> Point:
        return (
            round(_MARGIN + scale * (point[0] - min(xs)), 3),
            round(_MARGIN + scale * (point[1] - min(ys)), 3),
        )

    shapes: list[Shape] = [Polyline(DrawingLayer.CUT, tuple(at(one) for one in board.outline))]
    for part in board.parts:
        shapes += [
            Polyline(DrawingLayer.GUIDE, tuple(at(one) for one in _corners(pad)))
            for pad in part.pads()
            if (pad.pad.back if back else pad.pad.front) or pad.pad.through
        ]
        if part.back != back or part.symbol == "MountingHole":
            continue
        layer = _layer(part)
        lines = list(_body(part))
        shapes += [Polyline(layer, (at(start), at(end)), closed=False) for start, end in lines]
        corners = [at(point) for line in lines for point in line]
        corners = corners or [at(one) for pad in part.pads() for one in _corners(pad)]
        shapes += _mark(part, at, scale)
        shapes.append(_designator(part, corners, layer))
    if back:
        shapes = list(mirrored(shapes, width))
    side = "back, seen from below" if back else "front"
    title = f"urpi {board.name}, revision {board.revision}: {side}"
    shapes.append(Label(width / 2, 8, title, 5, DrawingLayer.CUT))
    shapes.append(Label(width / 2, height - 4, _LEGEND, 4))
    return Drawing(title, width, height, tuple(shapes))


def _layer(part: Part) -> DrawingLayer:
    """Return the layer, and so the colour, of a part or of mere pads."""
    if is_placed(part):
        return DrawingLayer.ENGRAVE
    return DrawingLayer.CHANNEL if is_listed(part) else DrawingLayer.GUIDE


def _corners(pad: PlacedPad) -> Iterator[Point]:
    x, y = pad.pad.width / 2, pad.pad.height / 2
    for u, v in ((-x, -y), (x, -y), (x, y), (-x, y)):
        dx, dy = turned(u, v, pad.turn + pad.pad.angle)
        yield pad.at[0] + dx, pad.at[1] + dy


def _body(part: Part) -> Iterator[tuple[Point, Point]]:
    """Yield the lines of a part's body on the board."""
    x, y, angle = part.place

    def placed(u: float, v: float) -> Point:
        dx, dy = turned(u, -v if part.back else v, angle)
        return x + dx, y + dy

    for item in library.footprint(part.footprint):
        if not isinstance(item, list) or item[0] not in {"fp_line", "fp_rect", "fp_poly"}:
            continue
        if child(item, "layer")[1] != "F.Fab":
            continue
        points = list(_points(item))
        for (a, b), (c, d) in pairwise(points):
            yield placed(a, b), placed(c, d)


def _points(item: Node) -> Iterator[Point]:
    """Yield the corners of a line, rectangle or polygon; a closed one ends where it begins."""
    if item[0] == "fp_poly":
        corners = [(float(one[1]), float(one[2])) for one in child(item, "pts")[1:]]
        yield from (*corners, corners[0])
        return
    (a, b), (c, d) = ([float(one) for one in child(item, end)[1:3]] for end in ("start", "end"))
    yield from ((a, b), (c, d)) if item[0] == "fp_line" else (
        (a, b), (c, b), (c, d), (a, d), (a, b),
    )  # fmt: skip


def _mark(part: Part, at: Callable[[Point], Point], scale: float) -> Iterator[Shape]:
    """Yield a dot on contact 1, the cathode of a diode."""
    if part.footprint.startswith(_UNMARKED):
        return
    for pad in part.pads():
        if pad.pad.number == "1":
            x, y = at(pad.at)
            radius = scale * min(pad.pad.width, pad.pad.height, 1.6) / 4
            yield Circle(DrawingLayer.FILL, x, y, round(radius, 3))


def _designator(part: Part, corners: list[Point], layer: DrawingLayer) -> Label:
    """Return a part's designator in the middle of its body, as large as fits."""
    xs, ys = zip(*corners, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    fits = min(width / (_LETTER * len(part.reference)), 0.8 * height, _LARGEST)
    size = max(fits, _SMALLEST)
    middle = (max(ys) + min(ys)) / 2
    return Label((max(xs) + min(xs)) / 2, round(middle + 0.36 * size, 3), part.reference,
                 round(size, 2), layer)  # fmt: skip
