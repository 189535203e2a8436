"""The drawings of a board. Pure.

`top` is the thin engraved plate, `drill` the base plate from above, `channels` the base plate from
below and therefore mirrored, and `all` every layer.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from urpi.hardware.template.boxes import Area, Box, union
from urpi.hardware.template.channels import Channels
from urpi.hardware.template.checks import check
from urpi.hardware.template.measures import Measures
from urpi.hardware.template.plate import NUT_ROOM, Plate
from urpi.hardware.template.shapes import (
    CHECK_LINE,
    Circle,
    Drawing,
    DrawingLayer,
    Label,
    Polyline,
    Shape,
    check_line,
    cross,
    mirrored,
)
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square
from urpi.show.svg import motifs

AROUND: Final = 3.0
"""Margin around the plate."""
FOOT: Final = 10.0
"""Margin below it, for the title and the line of 100 mm."""
FIELD_GAP: Final = 0.5
"""Distance of a square's engraved border from its side, which leaves wood between two borders."""
NAME_AWAY: Final = 0.3
"""Distance of a square's name from its centre to the right, relative to its side. No channel runs
there."""


class DrawingPart(Enum):
    """A drawing of a part of the board."""

    TOP = "top"
    DRILL = "drill"
    CHANNELS = "channels"
    ALL = "all"


TITLES: Final = {
    DrawingPart.TOP: "top plate",
    DrawingPart.DRILL: "base plate from above",
    DrawingPart.CHANNELS: "base plate from below",
    DrawingPart.ALL: "all layers from above",
}


def draw(measures: Measures, part: DrawingPart) -> Drawing:
    """Return the drawing of a part.

    Raises:
        UrpiError: if a board with those measures cannot be made.
    """
    channels = Channels(Plate(measures))
    check(channels)
    plate = channels.plate
    shapes = tuple(_DRAWINGS[part](channels))
    if part is DrawingPart.CHANNELS:
        shapes = mirrored(shapes, plate.width)
    return _sheet(plate, part, shapes)


def _sheet(plate: Plate, part: DrawingPart, shapes: tuple[Shape, ...]) -> Drawing:
    title = f"urpi: {TITLES[part]}, squares of {plate.measures.square:g} mm"
    y = plate.height + FOOT - 3
    label = Label((plate.width + CHECK_LINE) / 2, y, title)
    moved = (_moved(shape, AROUND) for shape in (*shapes, *check_line(0, y), label))
    width, height = plate.width + 2 * AROUND, plate.height + AROUND + FOOT
    return Drawing(title, width, height, tuple(moved))


def _top(channels: Channels) -> Iterator[Shape]:
    plate = channels.plate
    yield from _edge(plate)
    yield from _engraved(plate)
    if plate.window is not None:
        yield _outline(DrawingLayer.CUT, plate.window)
    for button in plate.buttons():
        yield _outline(DrawingLayer.DRILL, button)
    yield from (_outline(DrawingLayer.CUT, chute) for chute in plate.chutes)


def _engraved(plate: Plate) -> Iterator[Shape]:
    for square in ALL_SQUARES:
        field = plate.field(square).grown(-FIELD_GAP)
        yield _outline(DrawingLayer.ENGRAVE, field)
        for shape in motifs.shapes_of(motifs.motif_of(square)):
            yield _placed(shape, field)
    if plate.chutes:
        yield from (
            _outline(DrawingLayer.ENGRAVE, blank.grown(-FIELD_GAP)) for blank in plate.blanks
        )


def _placed(shape: motifs.MotifShape, field: Box) -> Shape:
    """Return a shape of a motif, scaled from the unit square to a field."""
    size = field.right - field.left
    layer = DrawingLayer.FILL if shape.filled else DrawingLayer.ENGRAVE
    if isinstance(shape, motifs.MotifCircle):
        return Circle(
            layer, field.left + size * shape.x, field.top + size * shape.y, size * shape.r
        )
    points = ((field.left + size * x, field.top + size * y) for x, y in shape.points)
    return Polyline(layer, tuple(points))


def _base(channels: Channels) -> Iterator[Shape]:
    """Yield the openings of the base plate, with the names of the squares."""
    plate = channels.plate
    yield from _edge(plate)
    if plate.module is not None:
        yield _outline(DrawingLayer.CUT, plate.module)
    yield from (_outline(DrawingLayer.DRILL, button) for button in plate.buttons(NUT_ROOM))
    yield from (_outline(DrawingLayer.CUT, chute) for chute in plate.chutes)
    yield from _drilled(channels.exit)
    for square in ALL_SQUARES:
        yield from _drilled(plate.reed(square))
        yield _name(plate, square)


def _drill(channels: Channels) -> Iterator[Shape]:
    yield from _base(channels)
    yield from (_outline(DrawingLayer.GUIDE, field) for field in channels.plate.fields)


def _channels(channels: Channels) -> Iterator[Shape]:
    yield from _base(channels)
    yield from _cut_in(channels)


def _cut_in(channels: Channels) -> Iterator[Shape]:
    yield from (Polyline(DrawingLayer.CHANNEL, points) for points in union(channels.boxes))
    yield from (_outline(DrawingLayer.CHANNEL, channels.pocket(square)) for square in ALL_SQUARES)


def _all(channels: Channels) -> Iterator[Shape]:
    yield from _top(channels)
    # Both plates have the same edge and chutes; each is drawn once.
    edges = {
        *_edge(channels.plate),
        *(_outline(DrawingLayer.CUT, c) for c in channels.plate.chutes),
    }
    yield from (shape for shape in _channels(channels) if shape not in edges)


_DRAWINGS: Final[dict[DrawingPart, Callable[[Channels], Iterator[Shape]]]] = {
    DrawingPart.TOP: _top,
    DrawingPart.DRILL: _drill,
    DrawingPart.CHANNELS: _channels,
    DrawingPart.ALL: _all,
}


def _edge(plate: Plate) -> Iterator[Shape]:
    yield from (Polyline(DrawingLayer.CUT, points) for points in union(plate.wood))


def _drilled(hole: Area) -> Iterator[Shape]:
    yield _outline(DrawingLayer.DRILL, hole)
    if not isinstance(hole, Box):
        yield from cross(hole.x, hole.y)


def _outline(layer: DrawingLayer, area: Area) -> Shape:
    if isinstance(area, Box):
        return Polyline(layer, area.corners)
    return Circle(layer, area.x, area.y, area.r)


def _name(plate: Plate, square: Square) -> Label:
    x, y = plate.field(square).middle
    return Label(x + NAME_AWAY * plate.measures.square, y + 1.5, SQUARE_NAMES[square])


def _moved(shape: Shape, by: float) -> Shape:
    if isinstance(shape, Polyline):
        points = tuple((x + by, y + by) for x, y in shape.points)
        return Polyline(shape.layer, points, shape.closed)
    if isinstance(shape, Circle):
        return Circle(shape.layer, shape.x + by, shape.y + by, shape.r)
    return Label(shape.x + by, shape.y + by, shape.text, shape.height, shape.layer)
