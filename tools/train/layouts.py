"""The layouts of the networks: which squares form patterns, and the sizes of the layers."""

from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from urpi.engine.features import LETTERS, Layout
from urpi.engine.solver.compiled_game import (
    EXTRA,
    MINE_IN_HAND,
    MINE_OFF,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
)
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, RuleSet, Side, Square
from urpi.rules.board import mirror, path_of, turned
from urpi.rules.freecompany import FreeCompany
from urpi.rules.layout import FORTS
from urpi.rules.race import Race
from urpi.rules.ravensburger import FIRST_COMMON, GOAL, Ravensburger

WEIGHTS: Final = 72_000
"""About as many weights a network has: 144 kB."""
SECOND: Final = 32
"""The width of the second layer."""
LARGEST_PATTERN: Final = 125
MAX_ROWS: Final = 64
"""Maximum number of rows of a state; unused places of an array are -1."""
PRISONER: Final = 0.2
BURIED: Final = 0.6
IN_HAND: Final = {"ravensburger": 0.9, "freecompany": 0.0}
"""What a piece counts in `progress_of`; one on top of a pile in `ravensburger` counts 1."""
_FORTS: Final = (path_of("A1 C1 A7 C7"), path_of("A1 C1 B4"), path_of("A7 C7 B4 B6"))
Ints: TypeAlias = NDArray[np.int64]


def layout_of(rules: RuleSet) -> Layout:
    """Return the layout for a rule set with its default options."""
    tops = tuple(_tops(rules, square) for square in ALL_SQUARES)
    found: list[tuple[Square, ...]] = []
    for window in _windows(rules, tops):
        if not any(set(window) <= set(other) for other in found):
            found = [other for other in found if not set(other) <= set(window)]
            found.append(window)
    return Layout(rules.pieces, tops, tuple(found), rules.piles)


def width_of(layout: Layout) -> int:
    """Return the width of the first layer."""
    return max(24, WEIGHTS // layout.size // 8 * 8)


def _tops(rules: RuleSet, square: Square) -> str:
    if isinstance(rules, FreeCompany):
        return "LD"
    if isinstance(rules, Race):
        tracks = rules._tracks  # noqa: SLF001 - where each piece can be
        places = tracks[0].place_of.keys() | tracks[1].place_of.keys()
        return "".join(letter for letter in LETTERS if (square, letter) in places)
    return "".join(letter for letter in LETTERS if _may_stand(rules, square, letter))


def _may_stand(rules: RuleSet, square: Square, letter: str) -> bool:
    """Return whether a piece may be on top of a square in `ravensburger`."""
    path = rules.path(Side.of_letter(letter))
    if square not in path:
        return False
    place = path.index(square)
    if place == GOAL:
        return turned(letter)
    return place >= FIRST_COMMON or not turned(letter)


def _windows(rules: RuleSet, tops: tuple[str, ...]) -> Iterator[tuple[Square, ...]]:
    paths = [rules.path(Side.LIGHT), rules.path(Side.DARK)]
    if isinstance(rules, FreeCompany):
        yield from _FORTS
        paths = [paths[0], tuple(mirror(square) for square in paths[0])]
    for path in paths:
        yield from _windows_along(path, tops)


def _windows_along(path: Iterable[Square], tops: tuple[str, ...]) -> Iterator[tuple[Square, ...]]:
    squares = tuple(path)
    for start in range(len(squares)):
        window: list[Square] = []
        for square in squares[start:]:
            if square in window or prod(_states(tops, [*window, square])) > LARGEST_PATTERN:
                break
            window.append(square)
        yield tuple(window)


def _states(tops: tuple[str, ...], squares: Iterable[Square]) -> Iterator[int]:
    return (len(tops[square]) + 1 for square in squares)


def progress_of(rules: RuleSet, layout: Layout) -> NDArray[np.float32]:
    """Return what each row adds to the lead of the side to throw, in pieces.

    In a race the lead is the difference of the squares that both sides have advanced, in paths. In
    `ravensburger` it is that of the pieces which are not prisoners, with a little for the way to
    the goal; in `freecompany` of the pieces on forts, and less of the others, which count more near
    the two distant forts. A network that begins with it learns several times faster.
    """
    found = np.zeros(layout.size, np.float32)
    covers = {square: sum(square in each for each in layout.patterns) for square in ALL_SQUARES}
    for start, squares in zip(layout.pattern_starts, layout.patterns, strict=False):
        factor = 1
        for square in squares:
            tops = layout.tops[square]
            for digit, letter in enumerate(tops, 1):
                worth = _worth(rules, square, letter) / covers[square]
                end = start + prod(_states(layout.tops, squares))
                rows = np.arange(start, end)
                found[rows[(rows - start) // factor % (len(tops) + 1) == digit]] += worth
            factor *= len(tops) + 1
    counts, width = layout.pattern_starts[-1], layout.pieces + 1
    every = np.arange(width, dtype=np.float64)
    if rules.bears_off:
        worths = np.tile(every, width)
    else:
        worths = np.repeat(every, width) * IN_HAND[rules.id]
    found[counts : counts + width**2] = worths
    found[counts + width**2 : counts + 2 * width**2] = -worths
    if layout.piles:
        for square in ALL_SQUARES:
            for number, letter in enumerate(LETTERS * 2):
                worth = _worth(rules, square, letter)
                if isinstance(rules, Ravensburger):
                    # A held piece is its opponent's prisoner; others lie below one of their own.
                    below = PRISONER if number < len(LETTERS) else BURIED
                    worth = below if letter in "Ll" else -below
                found[layout.below_start + 8 * square + number] = worth
    return found


def _worth(rules: RuleSet, square: Square, letter: str) -> float:
    """Return how far a piece has advanced, 0 to 1, negative for the opponent's."""
    side = Side.of_letter(letter)
    sign = 1 if side is Side.LIGHT else -1
    if isinstance(rules, FreeCompany):
        column = int(SQUARE_NAMES[square][1])
        return sign * (1.0 if square in FORTS else 0.3 + 0.05 * column)
    if isinstance(rules, Ravensburger):
        path = rules.path(side)
        return sign * (1 + 0.1 * path.index(square) / len(path)) if square in path else 0.0
    if isinstance(rules, Race):
        track = rules._tracks[side.number]  # noqa: SLF001 - where each piece can be
        place = track.place_of.get((square, letter), track.length // 2)
        return sign * (place + 1) / (track.length + 1)
    return 0.0


class Inputs(NamedTuple):
    """A layout as arrays: see `urpi.engine.features`."""

    starts: Ints
    lengths: Ints
    squares: Ints
    """By pattern and place in it; `digits` also by the top of a state's pile."""
    digits: Ints
    counts_start: int
    below_start: int
    piles: bool
    pieces: int


def inputs_of(layout: Layout) -> Inputs:
    """Return a layout as arrays."""
    number, longest = len(layout.patterns), max(map(len, layout.patterns))
    squares = np.zeros((number, longest), np.int64)
    digits = np.zeros((number, longest, 8), np.int64)
    for pattern, places in enumerate(layout.patterns):
        factor = 1
        for place, square in enumerate(places):
            squares[pattern, place] = square
            for digit, letter in enumerate(layout.tops[square], 1):
                digits[pattern, place, 1 + 2 * LETTERS.index(letter)] = digit * factor
            factor *= len(layout.tops[square]) + 1
    return Inputs(
        starts=np.array(layout.pattern_starts[:-1]),
        lengths=np.array([len(each) for each in layout.patterns]),
        squares=squares,
        digits=digits,
        counts_start=layout.pattern_starts[-1],
        below_start=layout.below_start,
        piles=layout.piles,
        pieces=layout.pieces,
    )


@njit(cache=True, fastmath=True)
def rows_of(inputs: Inputs, state: Any, rows: Any) -> int:
    """Store the rows of a state, and return their number."""
    count = 0
    for pattern in range(len(inputs.starts)):
        row = inputs.starts[pattern]
        for place in range(inputs.lengths[pattern]):
            square = inputs.squares[pattern, place]
            row += inputs.digits[pattern, place, state[square] & 7]
        rows[count] = row
        count += 1
    width = inputs.pieces + 1
    start = inputs.counts_start
    rows[count] = start + state[MINE_IN_HAND] * width + state[MINE_OFF]
    rows[count + 1] = start + width * width + state[OTHERS_IN_HAND] * width + state[OTHERS_OFF]
    rows[count + 2] = start + 2 * width * width + state[MINE_OFF] * width + state[OTHERS_OFF]
    count += 3
    if state[EXTRA]:
        rows[count] = inputs.below_start - 1
        count += 1
    if inputs.piles:
        for square in range(20):
            pile = state[square]
            top, pile, held = pile & OTHERS, pile >> 3, True
            while pile:
                held = held and pile & OTHERS != top
                letter = (pile & 7) >> 1
                rows[count] = inputs.below_start + 8 * square + letter + (0 if held else 4)
                count += 1
                pile >>= 3
    for place in range(count, len(rows)):
        rows[place] = -1
    return count
