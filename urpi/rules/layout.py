"""The board of "UR: Royal Game" as data: its special squares and its paths.

The figures of the rulebook are lost, so this layout is an assumption (RULES.md 8, Layout). If you
own the printed board, correct it here.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from urpi.rules.board import ALL_SQUARES, P14, SQUARE_NAMES, Square, mirror, parse_square, path_of

EARTH: Final = path_of("A1 C1")
HEAVEN: Final = path_of("A7 C7")
FORTS: Final = EARTH + HEAVEN
ENTRANCE: Final = parse_square("B1")
ROYAL_REALM: Final = path_of("A3 B3 C3")
ISHTAR: Final = parse_square("B4")
MARDUK: Final = parse_square("B6")


def _tracks() -> Iterable[tuple[Square, Square]]:
    """Yield the edges of light's and dark's path P14."""
    for one, other in pairwise(P14):
        yield one, other
        yield mirror(one), mirror(other)


def _orthogonal() -> Iterable[tuple[Square, Square]]:
    """Yield the edges between all adjacent squares."""
    spots = {(ord(name[0]), int(name[1])): parse_square(name) for name in SQUARE_NAMES}
    for (row, column), square in spots.items():
        for beside in ((row + 1, column), (row, column + 1)):
            if beside in spots:
                yield square, spots[beside]


def _neighbours(edges: Iterable[tuple[Square, Square]]) -> tuple[tuple[Square, ...], ...]:
    beside: list[set[Square]] = [set() for _ in ALL_SQUARES]
    for one, other in edges:
        beside[one].add(other)
        beside[other].add(one)
    return tuple(tuple(sorted(squares)) for squares in beside)


PATHS: Final = {"tracks": _neighbours(_tracks()), "orthogonal": _neighbours(_orthogonal())}
"""The neighbours of every square in bit order, by the option `path`."""
