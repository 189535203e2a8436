"""Simulated players: which legal move they choose. They know the game and nothing of sensors."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.rules import Move, Position, Side, Throw

Player: TypeAlias = Callable[[Random, Position, Throw, tuple[Move, ...]], Move]
"""Chooses one of the legal moves, of which there is one at least."""


def any_move(rng: Random, _position: Position, _throw: Throw, legal: tuple[Move, ...]) -> Move:
    """Any legal move, each as likely."""
    return rng.choice(legal)


def greedy(rng: Random, position: Position, throw: Throw, legal: tuple[Move, ...]) -> Move:
    """The move that wins, else bears off, captures, throws again; any of equally good ones."""
    return max(legal, key=lambda move: (_worth(position, throw, move), rng.random()))


def _worth(position: Position, throw: Throw, move: Move) -> tuple[bool, int, int, bool]:
    side = position.turn
    assert side is not None
    after = position.rules.play(position, throw, move)
    return (
        position.rules.winner(after) is side,
        after.off[side.number] - position.off[side.number],
        _topped(position, side.other) - _topped(after, side.other),
        after.turn is side,
    )


def _topped(position: Position, side: Side) -> int:
    """How many squares a side tops."""
    return sum(bool(pile) and Side.of_letter(pile[-1]) is side for pile in position.board)


PLAYERS: Final[Mapping[str, Player]] = MappingProxyType({"random": any_move, "greedy": greedy})
"""Every player by name."""
