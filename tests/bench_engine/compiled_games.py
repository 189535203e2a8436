"""Random games of a race, compiled by numba.

A side's pieces are one number, a *mask*: bit 0 is set if a piece is in hand, bit n if a piece is on
the n-th square of its path, and the counts of pieces in hand and off follow in higher bits. The
legal moves of a throw are the bits of one such number. Every throw takes one number of the
generator SplitMix64 (Steele, Lea and Flood, 2014): its low half chooses among the equally likely
faces of the dice, its high half among the legal moves, in the order of the path. So the same games
can be played with `urpi.rules`, throw by throw.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from urpi.engine.race_index import check_indexable
from urpi.rules import RuleSet, Side
from urpi.rules.board import ROSETTES
from urpi.rules.race import Race

Masks: TypeAlias = NDArray[np.int64]

GOLDEN: Final = 0x9E3779B97F4A7C15
FACTORS: Final = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""The constants of SplitMix64."""
HAND: Final = 20
OFF: Final = 24
"""Where in a mask the counts of pieces in hand and off begin."""
_COUNT: Final = 15
_TAIL: Final = 12
"""The bit from which on a square that both sides visit may differ in its place."""


class Setup(NamedTuple):
    """The rules of a race for the kernels."""

    pieces: int
    squares: int
    """The bits of all squares of the path."""
    off_bit: int
    values: Masks
    """The values of the equally likely throws."""
    origins: Masks
    """The bits from which a piece can move, by the value of the throw."""
    same: int
    """The bits of squares that both sides visit at the same place of their paths."""
    tail: Masks
    """The opponent's bits of the other squares from `_TAIL` on, by those bits."""
    safe: int
    again: int
    """The bits on which landing grants another throw."""
    again_with: int
    again_captures: bool


def setup_of(rules: RuleSet) -> Setup:
    """Return the rules of a race for the kernels.

    Raises:
        UrpiError: If it is no race on a path that visits each square once.
    """
    check_indexable(rules)
    assert isinstance(rules, Race), rules
    light, dark = rules.path(Side.LIGHT), rules.path(Side.DARK)
    length = len(light)
    bits = {square: 2 << place for place, square in enumerate(light)}
    others = {square: 2 << place for place, square in enumerate(dark)}
    same = sum(bit for square, bit in bits.items() if others.get(square) == bit)
    tail = np.zeros(1 << max(0, length + 1 - _TAIL), np.int64)
    for number in range(len(tail)):
        tail[number] = sum(
            others.get(square, 0) for square, bit in bits.items() if number << _TAIL & bit & ~same
        )
    rosettes = sum(bits[square] for square in light if square in ROSETTES)
    # A multiple of every denominator of the dice: 4, 8 and 16.
    total = 48
    values = [
        throw.value for throw, chance in rules.dice.outcomes for _ in range(int(chance * total))
    ]
    assert len(values) == total, rules.dice
    again_with = rules.throws_again_with
    return Setup(
        pieces=rules.pieces,
        squares=(2 << length) - 2,
        off_bit=2 << length,
        values=np.array(values),
        # A throw of 0 has no origins. Bit length + 1 is bearing off: an exact throw may reach it,
        # but not pass it.
        origins=np.array([0, *((1 << (length + 2 - value)) - 1 for value in range(1, 5))]),
        same=same,
        tail=tail,
        safe=rosettes if rules.safe_rosettes else 0,
        again=rosettes if rules.throws_again_on_rosettes else 0,
        again_with=-1 if again_with is None else again_with,
        again_captures=rules.throws_again_on_captures,
    )


def _count_bits(_context: Any, number: Any) -> Any:
    """Return the type of the result, and what generates the processor's instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(number), generate


_bit_count: Any = intrinsic(_count_bits)
"""Return the number of bits that are set."""


@njit(cache=True, inline="always")
def _random(state: Any) -> Any:
    """Return the next state of SplitMix64, and the random number that it yields."""
    # numba turns an operation of a signed and an unsigned integer into a float, so every constant
    # is converted.
    state += np.uint64(GOLDEN)
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(FACTORS[0])
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(FACTORS[1])
    return state, mixed ^ (mixed >> np.uint64(31))


@njit(cache=True, inline="always")
def _play(setup: Setup, me: Any, other: Any, number: Any) -> Any:
    """Play a throw.

    Returns:
        The masks after it, the value of the throw, the bit that moved (0 for a pass), and whether
        the side throws again.
    """
    low, high = np.int64(number & np.uint64(0xFFFFFFFF)), np.int64(number >> np.uint64(32))
    # A multiplication and a shift choose a face with an error of less than 1 in 2**26.
    value = setup.values[low * len(setup.values) >> 32]
    there = other & setup.same
    if len(setup.tail) > 0:
        there |= setup.tail[other >> _TAIL & (len(setup.tail) - 1)]
    in_hand = me >> HAND & _COUNT
    mine = me & setup.squares
    legal = (mine | np.int64(in_hand > 0)) & setup.origins[value]
    # A piece is blocked by an own one, and by an opponent's on a safe square, `value` further on.
    legal &= ~((mine | (there & setup.safe)) >> value)
    choice = high * _bit_count(legal) >> 32
    # Drop the lowest bit `choice` times. The fixed number of steps leaves no branch to mispredict.
    for place in range(1, 7):
        legal = legal & (legal - 1) if choice >= place else legal
    # The lowest bit, 0 for a pass; everything below must leave both masks as they are then.
    origin = legal & -legal
    target = origin << value
    captured = there & target
    # Bit 0 stands for the count in hand, which is decreased instead of the bit being cleared.
    me = (me & ~(origin & ~1)) - ((origin & 1) << HAND) | (target & setup.squares)
    # A pass has target 0, which is never `off_bit`.
    me += np.int64(target == setup.off_bit) << OFF
    gone = captured & setup.same
    if captured != gone:
        gone |= setup.tail[captured >> _TAIL & (len(setup.tail) - 1)]
    other = (other & ~gone) + (np.int64(captured != 0) << HAND)
    again = (target & setup.again) != 0
    again |= (origin != 0) & (value == setup.again_with)
    again |= setup.again_captures & (captured != 0)
    return me, other, value, origin, again


@njit(cache=True, nogil=True)
def play_throws(setup: Setup, seed: int, throws: int) -> Any:
    """Play random games until so many throws were made, the last one perhaps incomplete.

    Two sequences of games are played in turn, the second one with the next seed, because a
    processor computes two throws that do not depend on each other in little more time than one.
    Light begins every other game of a sequence, the first one too.

    Args:
        setup: the rules.
        seed: the seed of the first sequence.
        throws: the number of throws of both sequences, an even number.

    Returns:
        The numbers of games that light and that dark has won.
    """
    start = np.int64(setup.pieces << HAND)
    wins = np.zeros(2, np.int64)
    state, me, other, turn, first = np.uint64(seed), start, start, 0, 0
    state2, me2, other2, turn2, first2 = np.uint64(seed + 1), start, start, 0, 0
    for _ in range(throws // 2):
        state, number = _random(state)
        state2, number2 = _random(state2)
        me, other, _, _, again = _play(setup, me, other, number)
        me2, other2, _, _, again2 = _play(setup, me2, other2, number2)
        if me >> OFF == setup.pieces:
            wins[turn] += 1
            first = 1 - first
            me, other, turn = start, start, first
        elif not again:
            me, other, turn = other, me, 1 - turn
        if me2 >> OFF == setup.pieces:
            wins[turn2] += 1
            first2 = 1 - first2
            me2, other2, turn2 = start, start, first2
        elif not again2:
            me2, other2, turn2 = other2, me2, 1 - turn2
    return wins[0], wins[1]
