"""A rule set's way drawn on the board: a line with an arrow, and each square's numbers on it.

A picture of its own, to stand in a file. A rule set whose pieces go both ways along tracks has all
tracks drawn, and no numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, RuleSet, Side, Square
from urpi.rules.layout import PATHS
from urpi.svg.elements import element, escaped
from urpi.svg.empty_board import empty_board, motif_symbols
from urpi.svg.plan import HEIGHT, PITCH, WIDTH, centre

LANE: Final = 6
"""A line keeps so far to the right of its squares' middle, so that the way back lies beside it."""
ENLARGED: Final = 1.5
"""A unit of the drawing is so many pixels where nobody says otherwise."""
MARGIN: Final = 26
"""Room around the board for the arrow that leaves it."""

STYLE: Final = """
svg { color: #808080; }
.ur-way, .ur-way-ground { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.ur-way { stroke: #d9480f; stroke-width: 2.6; }
.ur-way-ground { stroke: #fbf4e4; stroke-width: 5; opacity: .8; }
.ur-way-begin, .ur-way-head { fill: #d9480f; }
.ur-number-ground { fill: #fbf4e4; stroke: #1f4e8c; stroke-width: .6; }
.ur-number { font: 700 9px system-ui, sans-serif; fill: #1f4e8c; }
"""
"""The grey is for what stands beside the wood: it shows on a light page and on a dark one."""

Point: TypeAlias = tuple[float, float]


def way_picture(rules: RuleSet, side: Side, title: str) -> str:
    """The board with a side's way, as the text of an SVG file; `title` is for who cannot see it.

    A race's way leaves the board; another's ends on its last square.
    """
    drawn = _tracks(rules.options["path"]) if "path" in rules.options else _path(rules, side)
    width, height = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    return element(
        "svg",
        element("title", escaped(title)),
        element("style", STYLE),
        motif_symbols(),
        element("defs", _head()),
        empty_board(),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        width=ENLARGED * width,
        height=ENLARGED * height,
        viewBox=f"{-MARGIN} {-MARGIN} {width} {height}",
        role="img",
    )


def _head() -> str:
    tip = element("path", d="M0 0L8 4L0 8z", class_="ur-way-head")
    return element(
        "marker",
        tip,
        id="ur-way-head",
        viewBox="0 0 8 8",
        refX=6,
        refY=4,
        markerWidth=4,
        markerHeight=4,
        orient="auto",
    )


def _tracks(kind: str) -> Iterator[str]:
    """Every edge between squares, once."""
    for square, beside in enumerate(PATHS[kind]):
        for other in beside:
            if square < other:
                ends = [centre(square), centre(other)]
                yield from _drawn(_line(ends))


def _drawn(line: str, head: str | None = None) -> Iterator[str]:
    """A line, and below it a wider one that parts it from the motifs."""
    yield element("path", d=line, class_="ur-way-ground")
    yield element("path", d=line, class_="ur-way", marker_end=head)


def _path(rules: RuleSet, side: Side) -> Iterator[str]:
    path = rules.path(side)
    centres = [centre(square) for square in path]
    if rules.win_code == "off":
        centres.append(_outside(path[-1]))
    line = [*_kept_right(centres)]
    yield from _drawn(_line(line), head="url(#ur-way-head)")
    (x, y), *_ = line
    yield element("circle", cx=x, cy=y, r=4.5, class_="ur-way-begin")
    yield from _numbers(path)


def _outside(square: Square) -> Point:
    """Beside the board, where a piece goes that leaves it from there."""
    x, y = centre(square)
    match SQUARE_NAMES[square]:
        case "B1":
            return x - PITCH - LANE, y
        case name if name.startswith("C"):
            return x, y - PITCH - LANE
        case _:
            return x, y + PITCH


def _line(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _kept_right(points: Sequence[Point]) -> Iterator[Point]:
    """The line moved to the right of the way that it goes, its corners cut where they meet."""
    normals = [_right_of(one, other) for one, other in pairwise(points)]
    yield _moved(points[0], [normals[0]])
    for point, (before, after) in zip(points[1:-1], pairwise(normals), strict=True):
        yield _moved(point, {before, after})
    yield _moved(points[-1], [normals[-1]])


def _right_of(one: Point, other: Point) -> Point:
    """The unit vector to the right of who goes from one point to the other; y grows downwards."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = abs(dx) + abs(dy)
    return -dy / length, dx / length


def _moved(point: Point, normals: Iterable[Point]) -> Point:
    return (
        point[0] + LANE * sum(x for x, _ in normals),
        point[1] + LANE * sum(y for _, y in normals),
    )


def _numbers(path: Sequence[Square]) -> Iterator[str]:
    """Each square's numbers in its upper corner, both of them where the way comes by twice."""
    for square in ALL_SQUARES:
        visits = " ".join(str(n) for n, visited in enumerate(path, 1) if visited == square)
        x, y = centre(square)
        if visits:
            yield element(
                "rect",
                x=x - 18.5,
                y=y - 18.5,
                width=5 + 5.4 * len(visits),
                height=11,
                rx=3,
                class_="ur-number-ground",
            )
            yield element("text", visits, x=x - 16, y=y - 9.8, class_="ur-number")
