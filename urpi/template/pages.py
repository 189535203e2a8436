"""How a drawing is spread over sheets of paper that a printer at home takes. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final

from urpi.template.boxes import Box
from urpi.template.shapes import (
    CHECK_LINE,
    Drawing,
    Label,
    Layer,
    Outline,
    Shape,
    check_line,
    cross,
)

PAPERS: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
"""Width and height upright, in millimetres (ISO 216)."""
MARGIN: Final = 7.0
"""What printers at home leave white at most, but for some at the lower end: the foot is there."""
FOOT: Final = 12.0
"""Room within the margins for the page's name and its own line of 100 mm."""
OVERLAP: Final = 10.0
"""What two pages beside each other both show."""


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet: its size, what part of the drawing it shows, and its own marks.

    `window` is in the drawing's coordinates; its left upper corner comes to `place` on the
    paper. `marks` are in the paper's coordinates, from its left upper corner.
    """

    width: float
    height: float
    window: Box
    place: tuple[float, float]
    marks: tuple[Shape, ...]


def pages_of(drawing: Drawing, paper: str | None) -> tuple[Page, ...]:
    """The sheets, row by row; one as large as the drawing for a paper of None.

    The paper lies upright or across, whichever takes fewer sheets.
    """
    if paper is None:
        whole = Box(0, 0, drawing.width, drawing.height)
        return (Page(drawing.width, drawing.height, whole, (0, 0), ()),)
    short, long = PAPERS[paper]
    layouts = (_spread(drawing, long, short), _spread(drawing, short, long))
    return min(layouts, key=len)


def page_crosses(drawing: Drawing, pages: tuple[Page, ...]) -> tuple[Shape, ...]:
    """Crosses of the drawing that two pages both show, to lay one over the other."""
    lefts = sorted({page.window.left for page in pages})
    tops = sorted({page.window.top for page in pages})
    xs = [x + OVERLAP / 2 for x in lefts[1:]]
    ys = [y + OVERLAP / 2 for y in tops[1:]]
    places = [(x, y) for x in xs for y in _quarters(tops, drawing.height)]
    places += [(x, y) for y in ys for x in _quarters(lefts, drawing.width)]
    return tuple(line for x, y in places for line in cross(x, y, OVERLAP / 2))


def _quarters(starts: list[float], end: float) -> Iterator[float]:
    """Two places on every page's side, a quarter from its ends."""
    for begin, stop in pairwise([*starts, end]):
        yield begin + (stop - begin) / 4
        yield begin + (stop - begin) * 3 / 4


def _spread(drawing: Drawing, width: float, height: float) -> tuple[Page, ...]:
    """The sheets when the paper is so wide and so high."""
    columns = _stretches(drawing.width, width - 2 * MARGIN)
    rows = _stretches(drawing.height, height - 2 * MARGIN - FOOT)
    return tuple(
        Page(width, height, window, (MARGIN, MARGIN), (*_frame(window), *_foot(height, name)))
        for row, (top, bottom) in enumerate(rows, 1)
        for column, (left, right) in enumerate(columns, 1)
        for window in [Box(left, top, right, bottom)]
        for name in [f"row {row} of {len(rows)}, column {column} of {len(columns)}"]
    )


def _stretches(length: float, room: float) -> list[tuple[float, float]]:
    """Where the windows of that room begin and end along a length, each overlapping the next."""
    count = max(1, ceil((length - OVERLAP) / (room - OVERLAP)))
    starts = [number * (room - OVERLAP) for number in range(count)]
    return [(start, min(start + room, length)) for start in starts]


def _frame(window: Box) -> Iterator[Shape]:
    """The window's corners on the paper, to cut along."""
    right = MARGIN + window.right - window.left
    bottom = MARGIN + window.bottom - window.top
    arm = 4.0
    for x, inwards in ((MARGIN, arm), (right, -arm)):
        for y, down in ((MARGIN, arm), (bottom, -arm)):
            corner = ((x + inwards, y), (x, y), (x, y + down))
            yield Outline(Layer.GUIDE, corner, closed=False)


def _foot(height: float, name: str) -> Iterator[Shape]:
    y = height - MARGIN - 3
    yield from check_line(MARGIN, y)
    yield Label(MARGIN + CHECK_LINE + 40, y + 1, name, 3)
