"""The distribution of a drawing over sheets of paper. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final

from urpi.hardware.template.boxes import Box
from urpi.hardware.template.shapes import (
    CHECK_LINE,
    Drawing,
    DrawingLayer,
    Label,
    Polyline,
    Shape,
    check_line,
    cross,
)

PAPERS: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
"""Width and height in portrait orientation, in millimetres (ISO 216)."""
MARGIN: Final = 7.0
"""Margin of most home printers. Some need more at the lower edge: the foot is there."""
FOOT: Final = 12.0
"""Height of the foot with the sheet's name and its line of 100 mm."""
OVERLAP: Final = 10.0
"""Width of the strip that two adjacent sheets both show."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper.

    Attributes:
        width: width in millimetres.
        height: height in millimetres.
        window: part of the drawing on this sheet, in coordinates of the drawing.
        place: position of the window's upper left corner on the paper.
        marks: shapes of the sheet itself, in coordinates of the paper.
    """

    width: float
    height: float
    window: Box
    place: tuple[float, float]
    marks: tuple[Shape, ...]


def sheets_of(drawing: Drawing, paper: str | None) -> tuple[Sheet, ...]:
    """Return the sheets, row by row, in the orientation that requires fewer.

    Args:
        drawing: the drawing.
        paper: a key of `PAPERS`; None for one sheet as large as the drawing.
    """
    if paper is None:
        whole = Box(0, 0, drawing.width, drawing.height)
        return (Sheet(drawing.width, drawing.height, whole, (0, 0), ()),)
    short, long = PAPERS[paper]
    layouts = (_spread(drawing, long, short), _spread(drawing, short, long))
    return min(layouts, key=len)


def sheet_crosses(drawing: Drawing, sheets: tuple[Sheet, ...]) -> tuple[Shape, ...]:
    """Return crosses in the strips that two sheets share, to align the sheets."""
    lefts = sorted({sheet.window.left for sheet in sheets})
    tops = sorted({sheet.window.top for sheet in sheets})
    xs = [x + OVERLAP / 2 for x in lefts[1:]]
    ys = [y + OVERLAP / 2 for y in tops[1:]]
    places = [(x, y) for x in xs for y in _quarters(tops, drawing.height)]
    places += [(x, y) for y in ys for x in _quarters(lefts, drawing.width)]
    return tuple(line for x, y in places for line in cross(x, y, OVERLAP / 2))


def _quarters(starts: list[float], end: float) -> Iterator[float]:
    """Yield two positions on the side of every sheet, a quarter from its ends."""
    for begin, stop in pairwise([*starts, end]):
        yield begin + (stop - begin) / 4
        yield begin + (stop - begin) * 3 / 4


def _spread(drawing: Drawing, width: float, height: float) -> tuple[Sheet, ...]:
    columns = _stretches(drawing.width, width - 2 * MARGIN)
    rows = _stretches(drawing.height, height - 2 * MARGIN - FOOT)
    return tuple(
        Sheet(width, height, window, (MARGIN, MARGIN), (*_frame(window), *_foot(height, name)))
        for row, (top, bottom) in enumerate(rows, 1)
        for column, (left, right) in enumerate(columns, 1)
        for window in [Box(left, top, right, bottom)]
        for name in [f"row {row} of {len(rows)}, column {column} of {len(columns)}"]
    )


def _stretches(length: float, room: float) -> list[tuple[float, float]]:
    """Return start and end of overlapping windows along a length."""
    # Every window but the first adds its length less the overlap.
    count = max(1, ceil((length - OVERLAP) / (room - OVERLAP)))
    starts = [number * (room - OVERLAP) for number in range(count)]
    return [(start, min(start + room, length)) for start in starts]


def _frame(window: Box) -> Iterator[Shape]:
    """Yield the corner marks of a window, to cut along."""
    right = MARGIN + window.right - window.left
    bottom = MARGIN + window.bottom - window.top
    arm = 4.0
    for x, inwards in ((MARGIN, arm), (right, -arm)):
        for y, down in ((MARGIN, arm), (bottom, -arm)):
            corner = ((x + inwards, y), (x, y), (x, y + down))
            yield Polyline(DrawingLayer.GUIDE, corner, closed=False)


def _foot(height: float, name: str) -> Iterator[Shape]:
    y = height - MARGIN - 3
    yield from check_line(MARGIN, y)
    yield Label(MARGIN + CHECK_LINE + 40, y + 1, name, 3)
