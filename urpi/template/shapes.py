"""What a drawing is made of: lines, circles and words, each on a layer. Pure.

Lengths are millimetres; x to the right, y downwards, the origin at the left upper corner of what
is drawn. The writers (`as_svg`, `as_dxf`, `as_pdf`) turn that into their format's own way.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]


class Layer(Enum):
    """What is done along a shape; the value is the layer's name in every format."""

    CUT = "cut"
    ENGRAVE = "engrave"
    FILL = "engrave-fill"
    """The whole inside of the shape is engraved, not its line alone."""
    DRILL = "drill"
    CHANNEL = "channel"
    GUIDE = "guide"
    """Only to look at: names, centre crosses, the line that checks the printer."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A polyline; when it is closed, its last point joins the first and is not repeated."""

    layer: Layer
    points: tuple[Point, ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle about (x, y) of radius r."""

    layer: Layer
    x: float
    y: float
    r: float


@dataclass(frozen=True, slots=True)
class Label:
    """Words whose foot's middle stands at (x, y); `height` is that of the letters."""

    x: float
    y: float
    text: str
    height: float = 4.0
    layer: Layer = Layer.GUIDE


Shape: TypeAlias = Outline | Circle | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet of so many millimetres with everything on it."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def on(self, layer: Layer) -> tuple[Shape, ...]:
        """The shapes of one layer, in their order."""
        return tuple(shape for shape in self.shapes if shape.layer is layer)


def mirrored(shapes: Iterable[Shape], width: float) -> tuple[Shape, ...]:
    """The same seen from the other side of a sheet of that width; words stay readable."""
    return tuple(_mirrored(shape, width) for shape in shapes)


def _mirrored(shape: Shape, width: float) -> Shape:
    if isinstance(shape, Outline):
        return replace(shape, points=tuple((width - x, y) for x, y in shape.points))
    return replace(shape, x=width - shape.x)


CHECK_LINE: Final = 100.0
"""Millimetres of the line that shows whether a printer kept the scale."""
_TICK: Final = 2.0


def check_line(x: float, y: float) -> tuple[Shape, ...]:
    """The line, from (x, y) to the right, with a tick at each end and its length above it."""
    end = x + CHECK_LINE
    ends = (x, end)
    ticks = (_open(Layer.GUIDE, (at, y - _TICK), (at, y + _TICK)) for at in ends)
    words = Label(x + CHECK_LINE / 2, y - 1.5, f"{CHECK_LINE:g} mm: measure it", 3)
    return _open(Layer.GUIDE, (x, y), (end, y)), *ticks, words


def cross(x: float, y: float, arm: float = 3.0) -> tuple[Shape, ...]:
    """A cross to set a drill's tip on."""
    return (
        _open(Layer.GUIDE, (x - arm, y), (x + arm, y)),
        _open(Layer.GUIDE, (x, y - arm), (x, y + arm)),
    )


def _open(layer: Layer, *points: Point) -> Outline:
    return Outline(layer, points, closed=False)
