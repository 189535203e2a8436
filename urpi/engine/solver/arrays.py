"""The rules of a race as arrays, for the kernels."""

from collections.abc import Sequence
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
BEFORE: Final = 4
"""The number of places before the lane."""
SETS: Final = 2**BEFORE


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
    exits: Ints
    """The sets of places behind the lane by falling progress, bit 0 the first of these places."""
    sets: Ints
    """The sets of places before the lane; those with fewer pieces have lower numbers."""
    set_bits: Ints
    """The number of pieces of each of these sets, by its number."""
    sets_within: Ints
    """How many of them have at most so many pieces."""
    set_order: Ints
    """Their numbers by falling progress."""
    without: Ints
    """The number of a set without a piece, by its bit, or -1: set x bit."""
    steps: Ints
    """Moves that end before the lane: 2 x the number of the new set + 1 if the same side throws
    again: set x throw x move. A move from the hand is the last one."""
    inner: Ints
    """The number of these moves: without or with a piece in hand x set x throw."""
    offsets: Ints
    """The first index of each class: borne off, opponent's borne off, on the lane, opponent's."""


def unpacked_size(index: RaceIndex) -> int:
    """Return the number of values of an unpacked layer."""
    return int(4 ** (index.private_length - BEFORE) * 3**index.lane_length * SETS**2)


def arrays_of(index: RaceIndex) -> Arrays:
    """Return the arrays of a rule set."""
    rules = index.rules
    assert isinstance(rules, Race), rules
    path, lane, private = rules.path(Side.LIGHT), index.lane_squares[0], index.private_squares[0]
    lane_places = [path.index(square) for square in lane]
    private_places = [path.index(square) for square in private]
    # The kernels rely on the first four places being private.
    assert private_places[:BEFORE] == list(range(BEFORE)), private_places
    extra_value = -1 if rules.throws_again_with is None else rules.throws_again_with
    sets = sorted(range(SETS), key=lambda each: (each.bit_count(), each))
    extra = np.array(
        [*(rules.throws_again_on_rosettes and square in ROSETTES for square in path), False]
    )
    # The digit of the opponent's lane that is the same square.
    others_digit = [index.lane_squares[1].index(square) for square in lane]
    chance = np.zeros(HIGHEST_THROW + 1)
    for throw, probability in rules.dice.outcomes:
        chance[throw.value] += float(probability)
    rosette = [square in ROSETTES for square in path]
    steps, inner = _steps(sets, extra, extra_value)
    lanes = np.arange(3 ** len(lane))
    digits = (lanes[:, None] // 3 ** np.arange(len(lane)) % 3).astype(np.uint8)
    mine, others = digits == MINE, digits == OPPONENTS
    swapped = np.select([mine, others], [OPPONENTS, MINE], 0) @ (3 ** np.array(others_digit))
    bits = len(private)
    return Arrays(
        pieces=rules.pieces,
        length=len(path),
        chance=chance,
        extra_value=extra_value,
        extra_capture=rules.throws_again_on_captures,
        on_lane=np.array([square in lane for square in path]),
        part=np.array([(lane if square in lane else private).index(square) for square in path]),
        place_of_digit=np.array(lane_places),
        place_of_bit=np.array(private_places),
        safe=np.array([rules.safe_rosettes and each for each in rosette]),
        extra=extra,
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
        exits=_by_falling_progress(range(2 ** (bits - BEFORE))),
        sets=np.array(sets),
        set_bits=np.array([each.bit_count() for each in sets]),
        sets_within=np.array(
            [sum(each.bit_count() <= most for each in sets) for most in range(BEFORE + 1)]
        ),
        set_order=_by_falling_progress(sets),
        without=np.array(
            [
                [sets.index(each ^ 1 << bit) if each >> bit & 1 else -1 for bit in range(BEFORE)]
                for each in sets
            ]
        ),
        steps=steps,
        inner=inner,
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


def _by_falling_progress(sets: Sequence[int]) -> Ints:
    """Return the numbers of sets of places, those whose pieces are farthest first."""

    def progress(number: int) -> int:
        return sum(place + 1 for place in range(BEFORE) if sets[number] >> place & 1)

    return np.array(sorted(range(len(sets)), key=progress, reverse=True))


def _steps(sets: Sequence[int], extra: NDArray[np.bool_], extra_value: int) -> tuple[Ints, Ints]:
    """Return the moves that end before the lane and their numbers, see `Arrays`."""
    steps = np.zeros((SETS, HIGHEST_THROW + 1, BEFORE), np.int64)
    inner = np.zeros((2, SETS, HIGHEST_THROW + 1), np.int64)
    for number, each in enumerate(sets):
        for throw in range(1, HIGHEST_THROW + 1):
            # The hand (-1) comes last: without a piece in hand the list is cut short by one.
            for place in reversed(range(-1, BEFORE - throw)):
                piece, target = (1 << place if place >= 0 else 0), place + throw
                if each & piece != piece or each >> target & 1:
                    continue
                again = bool(extra[target]) or throw == extra_value
                new = each ^ piece | 1 << target
                steps[number, throw, inner[1, number, throw]] = 2 * sets.index(new) + again
                inner[int(place < 0) :, number, throw] += 1
    return steps, inner


def _offsets(index: RaceIndex) -> Ints:
    pieces, most = index.pieces, min(index.pieces, index.lane_length) + 1
    offsets = np.full((pieces, pieces, most, most), -1)
    for place, offset in index.offsets.items():
        offsets[place] = offset
    return offsets
