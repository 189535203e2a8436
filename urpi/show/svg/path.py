"""A picture of the path of a rule set: a line on the board, with the numbers of its squares.

It is a complete SVG document. For a rule set whose pieces move both ways along tracks, all tracks
are drawn, without numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, RuleSet, Side, Square
from urpi.rules.layout import PATHS
from urpi.show.svg.elements import arrow_head, element, escaped
from urpi.show.svg.empty_board import empty_board, motif_symbols
from urpi.show.svg.plan import HEIGHT, PITCH, WIDTH, centre

LANE: Final = 6
"""Offset of the line to the right of the centres, so that a returning path lies beside itself."""
SCALE: Final = 1.5
"""Default size of a unit of the drawing, in pixels."""
MARGIN: Final = 26
"""Margin around the board for an arrow that leaves it."""

STYLE: Final = """
svg { color: #808080; }
.ur-way, .ur-way-ground { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.ur-way { stroke: #d9480f; stroke-width: 2.6; }
.ur-way-ground { stroke: #fbf4e4; stroke-width: 5; opacity: .8; }
.ur-way-begin, .ur-way-head { fill: #d9480f; }
.ur-number-ground { fill: #fbf4e4; stroke: #1f4e8c; stroke-width: .6; }
.ur-place-ground { fill: #1f4e8c; }
.ur-place { font-family: system-ui, sans-serif; font-weight: 600; fill: #fff; text-anchor: middle; }
.ur-number { font: 700 9px system-ui, sans-serif; fill: #1f4e8c; }
"""
"""The grey of the names in the notches is legible on light and dark pages."""

NO_PLACES: Final[Mapping[Square, str]] = MappingProxyType({})

Point: TypeAlias = tuple[float, float]


def path_picture(
    rules: RuleSet, side: Side, title: str, places: Mapping[Square, str] = NO_PLACES
) -> str:
    """Return the board with the path of a side as an SVG document.

    The path of a race leaves the board; that of another rule set ends on its last square.

    Args:
        rules: the rule set.
        side: the side whose path is drawn.
        title: alternative text of the picture.
        places: names of squares, which are written on them.
    """
    drawn = _tracks(rules.options["path"]) if "path" in rules.options else _path(rules, side)
    width, height = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    return element(
        "svg",
        element("title", escaped(title)),
        element("style", STYLE),
        motif_symbols(),
        element("defs", arrow_head("ur-way-head", class_="ur-way-head")),
        empty_board(),
        *drawn,
        *(_place(square, name) for square, name in places.items()),
        xmlns="http://www.w3.org/2000/svg",
        width=SCALE * width,
        height=SCALE * height,
        viewBox=f"{-MARGIN} {-MARGIN} {width} {height}",
        role="img",
    )


def _place(square: Square, name: str) -> str:
    """Return the name of a square, at its lower edge."""
    x, y = centre(square)
    place = {"x": x - PITCH / 2 + 1.5, "y": y + 8, "width": PITCH - 3, "height": 11}
    ground = element("rect", rx=2, class_="ur-place-ground", **place)
    # About 0.56 of the size is the width of a letter.
    size = min(7.5, (PITCH - 4) / 0.56 / len(name))
    text = element("text", escaped(name), x=x, y=y + 16, class_="ur-place", font_size=size)
    return ground + text


def _tracks(kind: str) -> Iterator[str]:
    """Yield a line for each pair of connected squares."""
    for square, neighbours in enumerate(PATHS[kind]):
        for other in neighbours:
            if square < other:
                ends = [centre(square), centre(other)]
                yield from _drawn(_line(ends))


def _drawn(line: str, head: str | None = None) -> Iterator[str]:
    """Yield a line and, below it, a wider one that sets it off from the motifs."""
    yield element("path", d=line, class_="ur-way-ground")
    yield element("path", d=line, class_="ur-way", marker_end=head)


def _path(rules: RuleSet, side: Side) -> Iterator[str]:
    path = rules.path(side)
    centres = [centre(square) for square in path]
    if rules.win_code == "off":
        centres.append(_outside(path[-1]))
    line = [*_offset_right(centres)]
    yield from _drawn(_line(line), head="url(#ur-way-head)")
    (x, y), *_ = line
    yield element("circle", cx=x, cy=y, r=4.5, class_="ur-way-begin")
    yield from _numbers(path)


def _outside(square: Square) -> Point:
    """Return the point beside the board to which a piece leaves a square."""
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


def _offset_right(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the points of a line moved to its right, with adjusted corners."""
    normals = [_right_of(one, other) for one, other in pairwise(points)]
    yield _moved(points[0], [normals[0]])
    for point, (before, after) in zip(points[1:-1], pairwise(normals), strict=True):
        # A set, so that a straight stretch is moved once and a corner in both directions.
        yield _moved(point, {before, after})
    yield _moved(points[-1], [normals[-1]])


def _right_of(one: Point, other: Point) -> Point:
    """Return the unit vector to the right of the direction from one point to the other.

    y points downwards. Lines are horizontal or vertical.
    """
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = abs(dx) + abs(dy)
    return -dy / length, dx / length


def _moved(point: Point, normals: Iterable[Point]) -> Point:
    return (
        point[0] + LANE * sum(x for x, _ in normals),
        point[1] + LANE * sum(y for _, y in normals),
    )


def _numbers(path: Sequence[Square]) -> Iterator[str]:
    """Yield the numbers of the squares; a square that the path visits twice has two."""
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
