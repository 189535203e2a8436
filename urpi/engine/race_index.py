"""A minimal perfect index of a race's positions, from the view of the side to throw.

Positions that differ only by swapping the sides have the same index, so a table of exact
values has one entry for both. A position is split into four parts:

- the *layer*: how many pieces the mover and the opponent have borne off;
- the *lane*: the squares that both paths visit, each empty, the mover's or the opponent's. In the
  order of the mover's path they are the digits 0, 1, 2 of a number in base 3, the first square
  the lowest digit;
- two *private sets*: the squares that only one side visits, as bits in the order of its path.

Pieces that are in none of these are in hand, so nothing else has to be stored. Within a layer the
lanes are ordered by the number of pieces on them and then by rank; for each lane follow the
private sets that the remaining pieces allow, sorted by their number of pieces. Every index
from 0 to `size` - 1 is a position of the game that is not over.
"""

from functools import cached_property
from itertools import product
from math import comb
from typing import Final

from urpi.core.errors import UrpiError
from urpi.rules import RULE_SETS, Position, RuleSet, Side, Square, rule_set

EMPTY, MINE, OPPONENTS = range(3)
"""The digits of a lane."""


def has_race_index(rules: RuleSet) -> bool:
    """Return whether each square of a path holds at most one piece, in one state."""
    path = rules.path(Side.LIGHT)
    return rules.bears_off and not rules.piles and len(set(path)) == len(path)


def indexed_rules() -> tuple[str, ...]:
    """Return the ids of the rule sets whose positions have an index."""
    return tuple(name for name in RULE_SETS if has_race_index(rule_set(name)))


def check_indexable(rules: RuleSet) -> None:
    """Check that the positions of a rule set have an index.

    Raises:
        UrpiError: If the rule set has piles, no race, or a path that visits a square twice.
    """
    if not has_race_index(rules):
        message = (
            f"{rules.id} is not possible here, only games on a path that visits each square once: "
            f"{', '.join(indexed_rules())}."
        )
        raise UrpiError(message)


class RaceIndex:
    """The index of a rule set's positions.

    Attributes:
        rules: The rule set.
        pieces: The number of pieces of each side.
        lane_squares: The squares of the lane by side (0 light, 1 dark), in the order of its path.
        private_squares: The squares that only this side visits, likewise.
    """

    def __init__(self, rules: RuleSet) -> None:
        check_indexable(rules)
        self.rules: Final = rules
        self.pieces: Final = rules.pieces
        paths = rules.path(Side.LIGHT), rules.path(Side.DARK)
        shared = set(paths[0]) & set(paths[1])
        self.lane_squares: Final = tuple(
            tuple(square for square in path if square in shared) for path in paths
        )
        self.private_squares: Final = tuple(
            tuple(square for square in path if square not in shared) for path in paths
        )
        self.lane_length: Final = len(self.lane_squares[0])
        self.private_length: Final = len(self.private_squares[0])

    @cached_property
    def private_ranks(self) -> tuple[int, ...]:
        """The rank of each private set among all, sorted by number of pieces and then by value."""
        # Sets with fewer pieces come first, so that those that a number of pieces allows are a
        # prefix.
        ordered = sorted(range(2**self.private_length), key=lambda each: (each.bit_count(), each))
        ranks = dict(zip(ordered, range(len(ordered)), strict=True))
        return tuple(ranks[each] for each in range(len(ordered)))

    @cached_property
    def private_counts(self) -> tuple[int, ...]:
        """The number of private sets with at most this many pieces, by the number of pieces."""
        counts = [0]
        for number in range(self.pieces + 1):
            counts.append(counts[-1] + comb(self.private_length, number))
        return tuple(counts[1:])

    @cached_property
    def offsets(self) -> dict[tuple[int, int, int, int], int]:
        """The first index of each class of positions.

        A class is the number of pieces that the mover and the opponent have borne off, and that
        they have on the lane.
        """
        return self._offsets_and_size[0]

    @cached_property
    def size(self) -> int:
        """The number of positions that are not over."""
        return self._offsets_and_size[1]

    @cached_property
    def _offsets_and_size(self) -> tuple[dict[tuple[int, int, int, int], int], int]:
        offsets, size, length = {}, 0, self.lane_length
        # Layers in which a side has borne off all its pieces are over and have no index.
        for mine_off, other_off in product(range(self.pieces), repeat=2):
            mine, other = self.pieces - mine_off, self.pieces - other_off
            for on_lane in range(min(length, mine) + 1):
                for other_on_lane in range(min(length - on_lane, other) + 1):
                    offsets[mine_off, other_off, on_lane, other_on_lane] = size
                    # The ways to place the mover's pieces, and the opponent's on the squares that
                    # are left.
                    lanes = comb(length, on_lane) * comb(length - on_lane, other_on_lane)
                    size += (
                        lanes
                        * self.private_counts[mine - on_lane]
                        * self.private_counts[other - other_on_lane]
                    )
        return offsets, size

    def __call__(self, position: Position) -> int:
        """Return the index of a position that is not over."""
        mover = position.turn
        assert mover is not None, position
        me, other = mover.number, mover.other.number
        lane = [_digit(position, square, mover) for square in self.lane_squares[me]]
        mine, others = lane.count(MINE), lane.count(OPPONENTS)
        rest = self.pieces - position.off[me] - mine
        others_rest = self.pieces - position.off[other] - others
        width = self.private_counts[others_rest]
        return (
            self.offsets[position.off[me], position.off[other], mine, others]
            + lane_rank(lane) * self.private_counts[rest] * width
            + self._private_rank(position, me) * width
            + self._private_rank(position, other)
        )

    def _private_rank(self, position: Position, side: int) -> int:
        squares = self.private_squares[side]
        return self.private_ranks[
            sum(1 << bit for bit, square in enumerate(squares) if position.board[square])
        ]


def _digit(position: Position, square: Square, mover: Side) -> int:
    pile = position.board[square]
    if not pile:
        return EMPTY
    return MINE if Side.of_letter(pile) is mover else OPPONENTS


def lane_rank(lane: list[int]) -> int:
    """Return the rank of a lane among those with as many pieces of each side.

    The mover's squares are ranked among all sets of as many squares, the opponent's among those of
    the remaining squares, both in colexicographic order.

    >>> [lane_rank(lane) for lane in ([1, 2, 0], [1, 0, 2], [2, 1, 0], [0, 1, 2])]
    [0, 1, 2, 3]
    """
    mine = others = others_rank = mine_rank = free = 0
    for place, digit in enumerate(lane):
        if digit == MINE:
            mine += 1
            # The combinatorial number system: the rank of a set is a sum of binomials of its
            # members.
            mine_rank += comb(place, mine)
            continue
        if digit == OPPONENTS:
            others += 1
            others_rank += comb(free, others)
        free += 1
    return mine_rank * comb(free, others) + others_rank
