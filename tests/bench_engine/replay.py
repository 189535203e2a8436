"""The games of `compiled_games`, played with `urpi.rules` and the same random numbers."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.bench_engine import compiled_games as games
from urpi.rules import PASS, Position, RuleSet, Side
from urpi.rules.moves import HAND, Move

_LOW = 2**32 - 1
_ALL = 2**64 - 1


def random_numbers(seed: int) -> Iterator[int]:
    """Yield the numbers of SplitMix64.

    >>> [hex(number) for number, _ in zip(random_numbers(0), range(2))]
    ['0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4']
    """
    state = seed
    while True:
        state = (state + games.GOLDEN) & _ALL
        mixed = (state ^ (state >> 30)) * games.FACTORS[0] & _ALL
        mixed = (mixed ^ (mixed >> 27)) * games.FACTORS[1] & _ALL
        yield mixed ^ (mixed >> 31)


class Played(NamedTuple):
    """A throw: its value, the place it moved from (-1 a pass, 0 the hand), and what followed."""

    value: int
    origin: int
    after: Position


def play(rules: RuleSet, seed: int) -> Iterator[Played]:
    """Yield the throws of random games without end; light begins every other game."""
    throw_of = {outcome.value: outcome for outcome, _ in rules.dice.outcomes}
    values = [each.value for each, chance in rules.dice.outcomes for _ in range(int(chance * 48))]
    position, first = rules.start(Side.LIGHT), Side.LIGHT
    for number in random_numbers(seed):
        side = position.turn
        assert side is not None
        throw = throw_of[values[(number & _LOW) * len(values) >> 32]]

        def place(move: Move, side: Side = side) -> int:
            origin = move.parts[0].origin
            return 0 if origin == HAND else rules.path(side).index(origin) + 1

        moves = sorted(rules.legal_moves(position, throw), key=place)
        move = moves[(number >> 32) * len(moves) >> 32] if moves else PASS
        position = rules.play(position, throw, move)
        yield Played(throw.value, place(move) if moves else -1, position)
        if position.turn is None:
            first = first.other
            position = rules.start(first)


def mask(position: Position, side: Side) -> int:
    """Return a side's pieces as a number, see `tests.bench_engine.compiled_games`."""
    counts = position.hand[side.number] << games.HAND | position.off[side.number] << games.OFF
    return counts | sum(
        2 << place
        for place, square in enumerate(position.rules.path(side))
        if position.board[square] == side.letter
    )
