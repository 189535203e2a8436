"""Keys of positions in which a path visits squares twice, or squares hold piles.

`murray` and `skiryuk` have no minimal index like that of other races (`race_index`). A key is a
number that only one position has, from the view of the side to throw, so that positions that
differ only by swapping the sides have the same one.

The lowest two bits are the mover's pieces in hand, the next two the opponent's. The squares follow
in bit order, as the mover sees the board: each piece from the top of its pile down is a 1, a bit
that is set if it is turned, and one that is set if it is the opponent's; a 0 ends the square. What
is missing is off the board. With three pieces on each side a key has at most 42 bits.
"""

from typing import Final

from urpi.rules import ALL_SQUARES, Position, RuleSet, Side
from urpi.rules.board import mirror, turned
from urpi.rules.race import Race

MAX_PIECES: Final = 3
"""The most pieces of a side; with more, there are too many positions to list."""


def has_keys(rules: RuleSet) -> bool:
    """Return whether the positions of a rule set have keys."""
    return isinstance(rules, Race) and rules.pieces <= MAX_PIECES


def key_of(position: Position) -> int:
    """Return the key of a position that is not over."""
    mover = position.turn
    assert mover is not None, position
    key = position.hand[mover.number] | position.hand[mover.other.number] << 2
    bit = 4
    for square in ALL_SQUARES:
        seen = square if mover is Side.LIGHT else mirror(square)
        # From the top down: the solver moves top pieces, which are then the lowest bits of a pile.
        for piece in reversed(position.board[seen]):
            others = Side.of_letter(piece) is not mover
            key |= (1 | turned(piece) << 1 | others << 2) << bit
            bit += 3
        # The 0 that ends the square is already there.
        bit += 1
    return key
