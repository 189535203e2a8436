"""The simulated players' choice of moves. It uses the rules only: no table, no switches."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.rules import Move, Position, Side, Throw

Player: TypeAlias = Callable[[Random, Position, Throw, tuple[Move, ...]], Move]
"""Chooses one of the legal moves, of which there is at least one."""


def any_move(rng: Random, _position: Position, _throw: Throw, legal: tuple[Move, ...]) -> Move:
    """Return any legal move, all with the same probability."""
    return rng.choice(legal)


def greedy(rng: Random, position: Position, throw: Throw, legal: tuple[Move, ...]) -> Move:
    """Return the move that wins, else bears off, captures or throws again; any of the best ones."""
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
    """Return the number of squares with a side's piece on top."""
    return sum(bool(pile) and Side.of_letter(pile[-1]) is side for pile in position.board)


PLAYERS: Final[Mapping[str, Player]] = MappingProxyType({"random": any_move, "greedy": greedy})
"""All players by name."""
