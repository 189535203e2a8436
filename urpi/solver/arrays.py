"""The rules of a race as arrays, for the kernels."""

from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from urpi.engine.race_index import MINE, OPPONENTS, RaceIndex
from urpi.rules import Side
from urpi.rules.board import ROSETTES
from urpi.rules.race import Race

Ints: TypeAlias = NDArray[np.int64]
HIGHEST_THROW: Final = 4


class Arrays(NamedTuple):
    """The rules and the index of a race; the arrays are indexed as their comments say.

    A place is an index into a path, from 0. It is on the lane or private, see `RaceIndex`.
    """

    pieces: int
    length: int
    """The number of places."""
    chance: NDArray[np.float64]
    """The probability of each throw, by its value."""
    extra_value: int
    """The value that grants another throw, -1 for none."""
    extra_capture: bool
    """Whether a capture grants another throw."""
    on_lane: NDArray[np.bool_]
    """Whether a place is on the lane, by place."""
    part: Ints
    """The digit of the lane, or the bit of the private set, by place."""
    place_of_digit: Ints
    place_of_bit: Ints
    safe: NDArray[np.bool_]
    """Whether a piece cannot be captured, by place."""
    extra: NDArray[np.bool_]
    """Whether landing grants another throw, by place; bearing off is the last one."""
    power: Ints
    """The powers of 3."""
    digits: NDArray[np.uint8]
    """The digits of each lane: lane x digit."""
    mine: NDArray[np.uint8]
    """The mover's pieces on each lane; `others` are the opponent's."""
    others: NDArray[np.uint8]
    rank: NDArray[np.int32]
    """The rank of each lane in its class."""
    swapped: NDArray[np.int32]
    """The lane with the sides swapped."""
    order: NDArray[np.int32]
    """The lanes, so that every move but a capture leads to an earlier one."""
    bits: Ints
    """The number of pieces of each private set."""
    private_rank: Ints
    private_counts: Ints
    entries: Ints
    """The private sets before the lane by falling progress; `exits` are those behind it."""
    exits: Ints
    offsets: Ints
    """The first index of each class: borne off, opponent's borne off, on the lane, opponent's."""


def arrays_of(index: RaceIndex) -> Arrays:
    """Return the arrays of a rule set."""
    rules = index.rules
    assert isinstance(rules, Race), rules
    path, lane, private = rules.path(Side.LIGHT), index.lane_squares[0], index.private_squares[0]
    lane_places = [path.index(square) for square in lane]
    private_places = [path.index(square) for square in private]
    entry_length = sum(place < lane_places[0] for place in private_places)
    # The digit of the opponent's lane that is the same square.
    others_digit = [index.lane_squares[1].index(square) for square in lane]
    chance = np.zeros(HIGHEST_THROW + 1)
    for throw, probability in rules.dice.outcomes:
        chance[throw.value] += float(probability)
    rosette = [square in ROSETTES for square in path]
    lanes = np.arange(3 ** len(lane))
    digits = (lanes[:, None] // 3 ** np.arange(len(lane)) % 3).astype(np.uint8)
    mine, others = digits == MINE, digits == OPPONENTS
    swapped = np.select([mine, others], [OPPONENTS, MINE], 0) @ (3 ** np.array(others_digit))
    bits = len(private)
    return Arrays(
        pieces=rules.pieces,
        length=len(path),
        chance=chance,
        extra_value=-1 if rules.throws_again_with is None else rules.throws_again_with,
        extra_capture=rules.throws_again_on_captures,
        on_lane=np.array([square in lane for square in path]),
        part=np.array([(lane if square in lane else private).index(square) for square in path]),
        place_of_digit=np.array(lane_places),
        place_of_bit=np.array(private_places),
        safe=np.array([rules.safe_rosettes and each for each in rosette]),
        extra=np.array([*(rules.throws_again_on_rosettes and each for each in rosette), False]),
        power=3 ** np.arange(len(lane)),
        digits=digits,
        mine=mine.sum(1, dtype=np.uint8),
        others=others.sum(1, dtype=np.uint8),
        rank=_lane_ranks(mine, others).astype(np.int32),
        swapped=swapped.astype(np.int32),
        order=_order(digits, others_digit).astype(np.int32),
        bits=np.array([each.bit_count() for each in range(2**bits)]),
        private_rank=np.array(index.private_ranks),
        private_counts=np.array(index.private_counts),
        entries=_by_falling_progress(entry_length),
        exits=_by_falling_progress(bits - entry_length) << entry_length,
        offsets=_offsets(index),
    )


def _lane_ranks(mine: NDArray[np.bool_], others: NDArray[np.bool_]) -> Ints:
    """Return the rank of every lane, see `urpi.engine.race_index.lane_rank`."""
    lanes, length = mine.shape
    binomial = np.array([[comb(n, k) for k in range(length + 2)] for n in range(length + 1)])
    counted, others_counted, free, rank, others_rank = np.zeros((5, lanes), np.int64)
    for digit in range(length):
        counted += mine[:, digit]
        rank += np.where(mine[:, digit], binomial[digit, counted], 0)
        others_counted += others[:, digit]
        others_rank += np.where(others[:, digit], binomial[free, others_counted], 0)
        free += ~mine[:, digit]
    result: Ints = rank * binomial[free, others_counted] + others_rank
    return result


def _order(digits: NDArray[np.uint8], others_digit: list[int]) -> Ints:
    """Return the lanes in an order in which every move but a capture leads to an earlier one.

    On the first squares both sides move in the same direction, so a move there raises the number
    whose digits they are. Behind them the sum of all pieces' places rises. Lanes that differ only
    on the first squares follow each other, which keeps the values that they need in the caches.
    """
    lanes, length = digits.shape
    same = next((digit for digit in range(length) if others_digit[digit] != digit), length)
    behind, places = digits[:, same:], np.array(others_digit[same:], np.int64)
    progress = (behind == MINE) @ np.arange(same + 1, length + 1)
    progress += (behind == OPPONENTS) @ (places + 1)
    result: Ints = np.lexsort((-np.arange(lanes), -progress))
    return result


def _by_falling_progress(length: int) -> Ints:
    """Return all sets of that many places, those whose pieces are farthest first."""

    def progress(each: int) -> int:
        return sum(place + 1 for place in range(length) if each >> place & 1)

    return np.array(sorted(range(2**length), key=progress, reverse=True))


def _offsets(index: RaceIndex) -> Ints:
    pieces, most = index.pieces, min(index.pieces, index.lane_length) + 1
    offsets = np.full((pieces, pieces, most, most), -1)
    for place, offset in index.offsets.items():
        offsets[place] = offset
    return offsets
