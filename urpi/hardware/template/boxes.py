"""Axis-aligned boxes and discs, their distances, and the union of boxes. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import TypeAlias

from urpi.hardware.template.shapes import Point


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned rectangle, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def about(cls, x: float, y: float, width: float, height: float) -> "Box":
        """Return the box of that size centred on (x, y)."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """Corners, clockwise from the upper left."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )

    def grown(self, by: float) -> "Box":
        """Return the box with every side moved outwards, or inwards for a negative value."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class Disc:
    """A round hole of radius r, centred on (x, y)."""

    x: float
    y: float
    r: float

    @property
    def bounds(self) -> Box:
        return Box.about(self.x, self.y, 2 * self.r, 2 * self.r)


Area: TypeAlias = Box | Disc


def bounds_of(area: Area) -> Box:
    return area if isinstance(area, Box) else area.bounds


def gap(one: Area, other: Area) -> float:
    """Return the distance between two areas in millimetres, 0 or less if they touch.

    >>> gap(Box(0, 0, 1, 1), Box(4, 5, 6, 6))
    5.0
    >>> gap(Disc(0, 0, 1), Box(3, -1, 4, 1))
    2.0
    """
    (one_box, one_r), (other_box, other_r) = _core(one), _core(other)
    across = max(one_box.left - other_box.right, other_box.left - one_box.right)
    down = max(one_box.top - other_box.bottom, other_box.top - one_box.bottom)
    # Diagonal distance if the boxes overlap on neither axis, else that along the other axis.
    apart = hypot(across, down) if across > 0 and down > 0 else max(across, down)
    return apart - one_r - other_r


def _core(area: Area) -> tuple[Box, float]:
    """Return the area as a box grown by a distance: a disc is its centre, grown by its radius."""
    if isinstance(area, Box):
        return area, 0.0
    return Box(area.x, area.y, area.x, area.y), area.r


Step: TypeAlias = tuple[int, int]
"""Column and row of a point or cell of the grid that all edges of the boxes form."""


def union(boxes: Iterable[Box]) -> list[tuple[Point, ...]]:
    """Return the outlines of the union of boxes; holes are outlines too.

    Outer outlines are clockwise (y points downwards), those of holes counterclockwise.

    >>> union([Box(0, 0, 2, 1), Box(1, 0, 3, 1)])
    [((0, 0), (3, 0), (3, 1), (0, 1))]
    """
    boxes = list(boxes)
    xs = sorted({x for box in boxes for x in (box.left, box.right)})
    ys = sorted({y for box in boxes for y in (box.top, box.bottom)})
    follows = _edges(_cells(boxes, xs, ys))
    outlines = []
    while follows:
        loop = _corners(_loop(follows))
        outlines.append(tuple((xs[column], ys[row]) for column, row in loop))
    return outlines


def _cells(boxes: Sequence[Box], xs: Sequence[float], ys: Sequence[float]) -> set[Step]:
    """Return the cells of the grid that any box covers."""
    return {
        (column, row)
        for box in boxes
        for column in range(xs.index(box.left), xs.index(box.right))
        for row in range(ys.index(box.top), ys.index(box.bottom))
    }


def _edges(cells: set[Step]) -> dict[Step, list[Step]]:
    """Return the sides of cells without a neighbour, directed so that the cell is on the right.

    Maps each start to its ends; where two cells meet at a corner there are two.
    """
    follows: dict[Step, list[Step]] = {}
    for column, row in sorted(cells):
        for beyond, begin, end in _sides(column, row):
            if beyond not in cells:
                follows.setdefault(begin, []).append(end)
    return follows


def _sides(column: int, row: int) -> Iterator[tuple[Step, Step, Step]]:
    right, below = column + 1, row + 1
    yield (column, row - 1), (column, row), (right, row)
    yield (right, row), (right, row), (right, below)
    yield (column, below), (right, below), (column, below)
    yield (column - 1, row), (column, below), (column, row)


def _loop(follows: dict[Step, list[Step]]) -> list[Step]:
    """Remove one closed loop from `follows` and return it."""
    here = begin = next(iter(follows))
    walk = []
    while True:
        walk.append(here)
        here = _pop_end(follows, here)
        if here == begin:
            return walk


def _pop_end(follows: dict[Step, list[Step]], here: Step) -> Step:
    ends = follows[here]
    # Two ends where cells meet at a corner only; either one leads to a closed loop.
    end = ends.pop()
    if not ends:
        del follows[here]
    return end


def _corners(walk: Sequence[Step]) -> list[Step]:
    """Return the points of a loop at which its direction changes."""
    around = [walk[-1], *walk, walk[0]]
    turns = [
        _direction(before, here) != _direction(here, after)
        for (before, here), (_, after) in pairwise(pairwise(around))
    ]
    return [point for point, turned in zip(walk, turns, strict=True) if turned]


def _direction(one: Step, other: Step) -> Step:
    dx, dy = other[0] - one[0], other[1] - one[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
