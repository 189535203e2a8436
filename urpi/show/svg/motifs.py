"""The motifs of the British Museum's board 1928,1009.378 as simple shapes, one per kind of square.

Coordinates are those of the unit square, x to the right and y downwards, without its edges. The
shapes of a motif never intersect, and a filled one never lies on another filled one, so they can be
drawn, plotted or engraved in any order. `inlay` is the stone of a shape, which does not matter for
engraving. The squares of the real board differ in detail; these are simplified to remain legible at
10 mm.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square

Point: TypeAlias = tuple[float, float]


class Motif(Enum):
    """Motif of a square."""

    ROSETTE = "rosette"
    EYES = "eyes"
    DOTS = "dots"
    FIVES = "fives"
    ZIGGURAT = "ziggurat"
    GRID = "grid"


class Inlay(Enum):
    """Stone of a shape; the ground is white shell."""

    LAPIS = "lapis"
    RED = "red"


@dataclass(frozen=True, slots=True)
class MotifPolygon:
    """A closed polyline: the last point joins the first, which is not repeated."""

    points: tuple[Point, ...]
    filled: bool = False
    inlay: Inlay = Inlay.LAPIS


@dataclass(frozen=True, slots=True)
class MotifCircle:
    """A circle about (x, y) of radius r."""

    x: float
    y: float
    r: float
    filled: bool = False
    inlay: Inlay = Inlay.LAPIS


MotifShape: TypeAlias = MotifPolygon | MotifCircle

_ROWS: Final = {
    "A": "rosette eyes dots eyes - - rosette ziggurat",
    "B": "grid dots fives rosette dots fives eyes dots",
    "C": "rosette eyes dots eyes - - rosette ziggurat",
}
"""Motifs of each row from column 1 (RULES.md, section 0); - is a missing square."""


def motif_of(square: Square) -> Motif:
    """Return the motif of a square.

    >>> motif_of(0).value
    'rosette'
    """
    return MOTIFS[square]


def _motif(name: str) -> Motif:
    row, column = name[0], int(name[1])
    return Motif(_ROWS[row].split()[column - 1])


MOTIFS: Final[Mapping[Square, Motif]] = MappingProxyType(
    {square: _motif(SQUARE_NAMES[square]) for square in ALL_SQUARES}
)


@cache
def shapes_of(motif: Motif) -> tuple[MotifShape, ...]:
    """Return the shapes of a motif in the unit square."""
    return tuple(_DRAWN[motif]())


CENTRE: Final = 0.5
FRAME: Final = 0.07
"""Distance of a motif's frame from the edge of its square."""
_DICE_FIVE: Final = ((0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
_QUARTERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))


def _frame(inset: float = FRAME) -> MotifPolygon:
    return _box(inset, inset, 1 - 2 * inset)


def _box(x: float, y: float, size: float, *, filled: bool = False) -> MotifPolygon:
    corners = ((x, y), (x + size, y), (x + size, y + size), (x, y + size))
    return MotifPolygon(corners, filled)


def _turned(points: tuple[Point, ...], turn: float) -> tuple[Point, ...]:
    """Return points rotated about the origin by `turn` radians and moved to the centre."""
    c, s = cos(turn), sin(turn)
    return tuple((CENTRE + x * c - y * s, CENTRE + x * s + y * c) for x, y in points)


def _leaf(begin: float, end: float, width: float, steps: int = 16) -> tuple[Point, ...]:
    """Return a leaf along the x axis from `begin` to `end`, pointed at both ends."""
    length = end - begin
    edge = [(begin + length * n / steps, width / 2 * sin(pi * n / steps)) for n in range(1, steps)]
    return ((begin, 0), *edge, (end, 0), *((x, -y) for x, y in reversed(edge)))


def _rosette() -> Iterator[MotifShape]:
    """Yield eight petals around a centre, with red drops between them."""
    yield _frame()
    yield MotifCircle(CENTRE, CENTRE, 0.41)
    petal, drop = _leaf(0.12, 0.395, 0.15), _leaf(0.27, 0.385, 0.055)
    for eighth in range(8):
        yield MotifPolygon(_turned(petal, eighth * pi / 4), filled=True)
        yield MotifPolygon(_turned(drop, (eighth + 0.5) * pi / 4), filled=True, inlay=Inlay.RED)
    yield MotifCircle(CENTRE, CENTRE, 0.1)
    yield MotifCircle(CENTRE, CENTRE, 0.06, filled=True, inlay=Inlay.RED)


def _eyes() -> Iterator[MotifShape]:
    """Yield four eyes within a double frame, and a red dot in the centre."""
    yield _frame()
    yield _frame(FRAME + 0.05)
    lid = _leaf(-0.165, 0.165, 0.2)
    for right, down in _QUARTERS:
        x, y = CENTRE + 0.185 * right, CENTRE + 0.185 * down
        yield MotifPolygon(tuple((x + dx, y + dy) for dx, dy in lid))
        yield MotifCircle(x, y, 0.075)
        yield MotifCircle(x, y, 0.04, filled=True)
    yield MotifCircle(CENTRE, CENTRE, 0.03, filled=True, inlay=Inlay.RED)


def _dots() -> Iterator[MotifShape]:
    """Yield five ringed dots, arranged as on a die, within a double frame."""
    yield _frame()
    yield _frame(FRAME + 0.05)
    for right, down in _DICE_FIVE:
        x, y = CENTRE + 0.22 * right, CENTRE + 0.22 * down
        inlay = Inlay.LAPIS if right else Inlay.RED
        yield MotifCircle(x, y, 0.1)
        yield MotifCircle(x, y, 0.055, filled=True, inlay=inlay)


def _fives() -> Iterator[MotifShape]:
    """Yield four quarters with five dots each."""
    yield _frame()
    side = 0.36
    for right, down in _QUARTERS:
        x, y = CENTRE + 0.2 * right, CENTRE + 0.2 * down
        yield _box(x - side / 2, y - side / 2, side)
        for dx, dy in _DICE_FIVE:
            inlay = Inlay.LAPIS if dx else Inlay.RED
            yield MotifCircle(x + 0.1 * dx, y + 0.1 * dy, 0.036, filled=True, inlay=inlay)


def _ziggurat() -> Iterator[MotifShape]:
    """Yield a stepped tower from each side towards a ringed dot."""
    yield _frame()
    tower = tuple(_steps(base=0.56, height=0.24, steps=4))
    for quarter in range(4):
        yield MotifPolygon(_turned(tower, quarter * pi / 2), filled=True)
    yield MotifCircle(CENTRE, CENTRE, 0.1)
    yield MotifCircle(CENTRE, CENTRE, 0.05, filled=True, inlay=Inlay.RED)


def _steps(base: float, height: float, steps: int) -> Iterator[Point]:
    """Yield the corners of a stepped tower on the frame's lower side, relative to the centre."""
    foot, tread, rise = CENTRE - FRAME - 0.03, base / 2 / steps, height / steps
    for step in range(steps):
        yield -base / 2 + step * tread, foot - step * rise
        yield -base / 2 + step * tread, foot - (step + 1) * rise
    for step in reversed(range(steps)):
        yield base / 2 - step * tread, foot - (step + 1) * rise
        yield base / 2 - step * tread, foot - step * rise


def _grid() -> Iterator[MotifShape]:
    """Yield sixteen small squares, alternately filled and with a red dot."""
    yield _frame()
    cells, pitch = 4, 0.2
    small = pitch - 0.035
    begin = CENTRE - (cells * pitch - 0.035) / 2
    for row in range(cells):
        for column in range(cells):
            x, y = begin + column * pitch, begin + row * pitch
            full = (row + column) % 2 == 0
            yield _box(x, y, small, filled=full)
            if not full:
                yield MotifCircle(x + small / 2, y + small / 2, 0.03, filled=True, inlay=Inlay.RED)


_DRAWN: Final = {
    Motif.ROSETTE: _rosette,
    Motif.EYES: _eyes,
    Motif.DOTS: _dots,
    Motif.FIVES: _fives,
    Motif.ZIGGURAT: _ziggurat,
    Motif.GRID: _grid,
}
