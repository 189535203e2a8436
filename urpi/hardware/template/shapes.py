"""The shapes of a drawing: lines, circles and labels, each on a layer with its colour. Pure.

Lengths are in millimetres. x points to the right, y downwards, and the origin is the upper left
corner. `as_svg`, `as_dxf` and `as_pdf` convert them to the coordinates of their format.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]


class DrawingLayer(Enum):
    """The operation to perform on a shape. The value is the layer's name in every format."""

    CUT = "cut"
    ENGRAVE = "engrave"
    FILL = "engrave-fill"
    """Engrave the inside of the shape, not only its line."""
    DRILL = "drill"
    CHANNEL = "channel"
    GUIDE = "guide"
    """For information only: names, centre crosses, the line of 100 mm."""


@dataclass(frozen=True, slots=True)
class Polyline:
    """A polyline. If closed, its last point is joined to the first, which is not repeated."""

    layer: DrawingLayer
    points: tuple[Point, ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle of radius r, centred on (x, y)."""

    layer: DrawingLayer
    x: float
    y: float
    r: float


@dataclass(frozen=True, slots=True)
class Label:
    """A text whose baseline is centred on (x, y). `height` is the height of its letters."""

    x: float
    y: float
    text: str
    height: float = 4.0
    layer: DrawingLayer = DrawingLayer.GUIDE


Shape: TypeAlias = Polyline | Circle | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet with its size in millimetres and its shapes."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def on(self, layer: DrawingLayer) -> tuple[Shape, ...]:
        """Return the shapes of a layer, in order."""
        return tuple(shape for shape in self.shapes if shape.layer is layer)


def mirrored(shapes: Iterable[Shape], width: float) -> tuple[Shape, ...]:
    """Return shapes as seen from the other side of a sheet of that width; texts stay legible."""
    return tuple(_mirrored(shape, width) for shape in shapes)


def _mirrored(shape: Shape, width: float) -> Shape:
    if isinstance(shape, Polyline):
        return replace(shape, points=tuple((width - x, y) for x, y in shape.points))
    return replace(shape, x=width - shape.x)


CHECK_LINE: Final = 100.0
"""Length in millimetres of the line to check the scale of a print."""
_TICK: Final = 2.0


def check_line(x: float, y: float) -> tuple[Shape, ...]:
    """Return the line to check the scale, from (x, y) to the right, with ticks and a label."""
    end = x + CHECK_LINE
    ends = (x, end)
    ticks = (_open(DrawingLayer.GUIDE, (at, y - _TICK), (at, y + _TICK)) for at in ends)
    label = Label(x + CHECK_LINE / 2, y - 1.5, f"{CHECK_LINE:g} mm: measure it", 3)
    return _open(DrawingLayer.GUIDE, (x, y), (end, y)), *ticks, label


def cross(x: float, y: float, arm: float = 3.0) -> tuple[Shape, ...]:
    """Return a cross that marks the centre of a hole; its arms are 3 mm long by default."""
    return (
        _open(DrawingLayer.GUIDE, (x - arm, y), (x + arm, y)),
        _open(DrawingLayer.GUIDE, (x, y - arm), (x, y + arm)),
    )


def _open(layer: DrawingLayer, *points: Point) -> Polyline:
    return Polyline(layer, points, closed=False)


class Colour(NamedTuple):
    """A colour as red, green and blue, 0 to 255, and the number of the closest AutoCAD colour."""

    rgb: tuple[int, int, int]
    number: int


COLOURS: Final = {
    DrawingLayer.CUT: Colour((255, 0, 0), 1),
    DrawingLayer.ENGRAVE: Colour((0, 0, 255), 5),
    DrawingLayer.FILL: Colour((0, 0, 120), 4),
    DrawingLayer.DRILL: Colour((0, 140, 0), 3),
    DrawingLayer.CHANNEL: Colour((200, 0, 200), 6),
    DrawingLayer.GUIDE: Colour((110, 110, 110), 8),
}
LINE: Final = 0.2
"""Line width in millimetres: thin enough to cut along, but visible on paper."""
