"""Drawing of the squares' two boards on the holes of the template, from above."""

from collections.abc import Iterator
from typing import Final

from urpi.hardware.template.drawing import AROUND, DrawingPart, draw
from urpi.hardware.template.measures import Measures
from urpi.hardware.template.plate import Plate
from urpi.hardware.template.shapes import Circle, Drawing, DrawingLayer, Label, Polyline, Shape
from wiring.boards.design import Board, Part, Point
from wiring.boards.router import inside
from wiring.boards.squares import COLUMNS, FIRST_HALL, SECOND_HALL, SIDE

MEASURES: Final = Measures(square=SIDE)
TITLE: Final = "urpi: both boards of the squares on the template, from above"
_LIGHT: Final = 2.5
"""Radius of the hole in the top plate above an LED."""
_LEGEND: Final = (
    "red: wood; green: drill; blue: boards, connectors below them; purple: cut off here, LEDs"
)


def on_template(board: Board) -> Drawing:
    """Return the drawing."""
    plain = draw(MEASURES, DrawingPart.DRILL)
    plate = Plate(MEASURES)
    shapes = [one for one in plain.shapes if not _is_title(one)]
    for half, variant in enumerate((FIRST_HALL, SECOND_HALL)):
        corner = (AROUND + plate.left + COLUMNS * SIDE * half, AROUND + plate.top)
        cuts = board.cuts if half else ()
        shapes += _board(board.variant(variant), cuts, corner)
    width, height = plain.width, plain.height + 6
    shapes += [Label(width / 2, height - 7, TITLE, 4), Label(width / 2, height - 2, _LEGEND, 3)]
    return Drawing(TITLE, width, height, tuple(shapes))


def _is_title(shape: Shape) -> bool:
    return isinstance(shape, Label) and shape.text.startswith("urpi: ")


def _board(board: Board, cuts: tuple[tuple[Point, ...], ...], corner: Point) -> Iterator[Shape]:
    yield Polyline(DrawingLayer.ENGRAVE, tuple(_moved(at, corner) for at in board.outline))
    for area in cuts:
        yield Polyline(DrawingLayer.CHANNEL, tuple(_moved(at, corner) for at in area))
    for part in board.parts:
        if any(inside(area, *part.place[:2]) for area in cuts):
            continue
        x, y = _moved(part.place[:2], corner)
        if part.symbol == "WS2812B":
            yield Circle(DrawingLayer.CHANNEL, x, y, _LIGHT)
        if part.footprint.startswith("MountingHole"):
            yield Circle(DrawingLayer.DRILL, x, y, 1.35)
        if part.reference.startswith("J"):
            yield from _plug(part, corner)


def _plug(part: Part, corner: Point) -> Iterator[Shape]:
    """Yield the contacts' rectangle of a connector, and its name."""
    xs, ys = zip(*(pad.at for pad in part.pads()), strict=True)
    left, top = _moved((min(xs) - 1.5, min(ys) - 1.5), corner)
    right, bottom = _moved((max(xs) + 1.5, max(ys) + 1.5), corner)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    yield Polyline(DrawingLayer.ENGRAVE, corners)
    middle = ((left + right) / 2, (top + bottom) / 2)
    yield Label(middle[0], middle[1] + 1.2, part.reference, 3.5, DrawingLayer.ENGRAVE)


def _moved(at: Point, corner: Point) -> Point:
    return round(at[0] + corner[0], 3), round(at[1] + corner[1], 3)
