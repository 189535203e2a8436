"""The inputs of a network: the rows of its first layer that a position adds up.

A position is seen from the side to throw, which is always *light* here: with dark to throw, rows A
and C and the letters of the pieces are swapped. Each of the following selects one row:

- every *pattern*, a few squares together: the pieces on top of them are the digits of a number;
- each side's pieces in hand and off, as a pair, and both sides' pieces off, as a pair;
- a used extra throw (`freecompany`);
- with piles, every piece that is not on top: its square, its letter, and whether it is in the run
  of the other side's pieces directly below the top, which can be moved along or set free.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Final

from urpi.rules import ALL_SQUARES, Position, Side, Square
from urpi.rules.board import mirror
from urpi.rules.position import EMPTY, PLANE_BITS, digits_of, on_top, pile_of

LETTERS: Final = "LlDd"
"""The pieces of the side to throw and of its opponent; those in lower case have turned."""
MAX_ROWS: Final = 32_767
_SWAPPED: Final = str.maketrans("LlDd", "DdLl")


@dataclass(frozen=True)
class Layout:
    """Which rows a network has.

    Attributes:
        pieces: The number of pieces of each side.
        tops: The pieces that can be on top of each square, in bit order, with light to throw; the
            first one is digit 1 of a pattern. Digit 0 is any other state, such as empty.
        patterns: The squares of each pattern, the lowest digit first.
        piles: Whether there are rows for the pieces below the top.
    """

    pieces: int
    tops: tuple[str, ...]
    patterns: tuple[tuple[Square, ...], ...]
    piles: bool

    @cached_property
    def pattern_starts(self) -> tuple[int, ...]:
        """The first row of each pattern, and the first row after all patterns."""
        starts = [0]
        for squares in self.patterns:
            starts.append(starts[-1] + prod(len(self.tops[square]) + 1 for square in squares))
        return tuple(starts)

    @cached_property
    def below_start(self) -> int:
        """The first row for pieces below the top."""
        # Three tables of two counts, each count from 0 to `pieces`, and one row for the extra
        # throw.
        return self.pattern_starts[-1] + 3 * (self.pieces + 1) ** 2 + 1

    @cached_property
    def size(self) -> int:
        """The number of rows."""
        # Each piece on each square is either held by the pile's top or free.
        below = len(ALL_SQUARES) * 2 * len(LETTERS) if self.piles else 0
        return self.below_start + below


class Features:
    """The rows of positions, by a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout: Final = layout
        self._patterns: Final = tuple(_patterns(layout, side) for side in Side)

    def rows(self, position: Position) -> list[int]:
        """Return the rows of a position that is not over; a row may occur more than once.

        A race with fewer pieces than the layout is the same race with the others borne off.
        """
        side, layout = position.turn, self.layout
        assert side is not None, position
        state = position.state
        rows = [found[state & found.mask] for found in self._patterns[side.number]]
        # From here on the rows after those of the patterns, in the order of `Layout.below_start`.
        me, other, width = side.number, side.other.number, layout.pieces + 1
        missing = layout.pieces - position.rules.pieces
        hand, counts = position.hand, position.off
        off, others_off = counts[me] + missing, counts[other] + missing
        row = layout.pattern_starts[-1]
        rows.append(row + hand[me] * width + off)
        rows.append(row + width * width + hand[other] * width + others_off)
        rows.append(row + 2 * width * width + off * width + others_off)
        if position.extra_used:
            rows.append(layout.below_start - 1)
        if layout.piles:
            rows += self._below(position, side)
        return rows

    def _below(self, position: Position, side: Side) -> list[int]:
        rows = []
        # Most squares have no second piece.
        for square, second in enumerate(digits_of(position.state >> PLANE_BITS)):
            if second != EMPTY:
                pile = pile_of(position.state, square)
                if side is Side.DARK:
                    place, seen = mirror(square), pile.translate(_SWAPPED)
                else:
                    place, seen = square, pile
                # Eight rows for each square: four letters, held or free.
                row = self.layout.below_start + 8 * place
                rows += [row + each for each in _below_top(seen)]
        return rows


# The piles of one game are few, and of each a network asks thousands of times in an analysis.
@lru_cache(256)
def _below_top(pile: str) -> tuple[int, ...]:
    """Return a number from 0 to 7 for each piece below the top: the letter, plus 4 if not held."""
    others = "Dd" if pile[-1] in "Ll" else "Ll"
    # Only the unbroken run of the other side's pieces right below the top is held by it.
    held = len(pile) - 1 - len(pile[:-1].rstrip(others))
    free = len(pile) - 1 - held
    return tuple(
        LETTERS.index(piece) + (4 if number < free else 0) for number, piece in enumerate(pile[:-1])
    )


class _Pattern(dict[int, int]):
    """The row of a pattern by the bits of a state that are its squares; found when first needed."""

    def __init__(self, start: int, digits: dict[int, int]) -> None:
        super().__init__()
        self.mask = 0
        self._start = start
        self._digits = digits
        for bits in digits:
            self.mask |= bits

    def __missing__(self, state: int) -> int:
        # An empty square is digit 0 and adds nothing; so does a piece that cannot be on top there.
        row = self._start + sum(each for bits, each in self._digits.items() if state & bits)
        self[state] = row
        return row


def _patterns(layout: Layout, side: Side) -> tuple[_Pattern, ...]:
    found = []
    for start, squares in zip(layout.pattern_starts, layout.patterns, strict=False):
        factor = 1
        digits: dict[int, int] = {}
        for square in squares:
            letters = layout.tops[square]
            seen = letters if side is Side.LIGHT else letters.translate(_SWAPPED)
            place = square if side is Side.LIGHT else mirror(square)
            digits |= {on_top(place, letter): factor * n for n, letter in enumerate(seen, 1)}
            factor *= len(letters) + 1
        found.append(_Pattern(start, digits))
    return tuple(found)
