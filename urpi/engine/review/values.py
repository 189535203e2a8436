"""The values of a review, which an analysis has too: those of an evaluator one throw ahead."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from urpi.engine.evaluator import (
    CANDIDATES,
    Evaluator,
    Lookahead,
    MoveValue,
    move_values,
    value_for,
)
from urpi.rules import Move, Position, Side, Throw

MAX_REMEMBERED: Final = 4096
"""Estimates that are kept: as many as a review needs for a few turns in a row."""

# A throw can have hundreds of moves there, and each would be evaluated one throw ahead.
_FEW: Final = {"freecompany": 1}
"""Number of moves that are evaluated besides the played one, for rule sets with very many moves."""


class _Remembered:
    """An evaluator that keeps the last values: different moves lead to the same positions."""

    def __init__(self, inner: Evaluator) -> None:
        self.kind = inner.kind
        self.value: Callable[[Position], float] = lru_cache(MAX_REMEMBERED)(inner.value)


class ReviewValues:
    """The values of the positions of one game, or of one analysis, each computed once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.kind = _Remembered(evaluator), evaluator.kind
        self._deeper = Lookahead(self.evaluator)
        self._known: dict[Position, float] = {}

    def __len__(self) -> int:
        """The number of known positions."""
        return len(self._known)

    def of(self, position: Position, side: Side) -> float:
        """Return the value of any position for a side."""
        if position.turn is None:
            return value_for(self.evaluator, position, side)
        if position not in self._known:
            self._known[position] = self._deeper.value(position)
        value = self._known[position]
        return value if position.turn is side else 1 - value

    def after(self, position: Position, side: Side) -> float:
        """Return the value of the position after a move of a side, as `value_after` does."""
        value = self.of(position, side)
        if position.turn is side and position.rules.may_decline:
            value = max(value, self.of(position.rules.decline(position), side))
        return value

    def moves(self, position: Position, throw: Throw, played: Move | None) -> list[MoveValue]:
        """Return the moves that may be best, and the one that was played, which comes first.

        Only the best moves of one ply are evaluated further, because others are hardly ever better.
        The first of equal values is the best move: the played one, if it is no worse.
        """
        side = position.turn
        assert side is not None, position
        ordered = [each.move for each in move_values(self.evaluator, position, throw)]
        rules = position.rules
        moves = ordered[: _FEW.get(rules.id, CANDIDATES)]
        if played is not None:
            # First, so that `max` prefers it among equal values: it is then no mistake.
            moves = [played, *(move for move in moves if move != played)]
        return [
            MoveValue(move, self.after(rules.play(position, throw, move), side)) for move in moves
        ]

    def all_moves(self, position: Position, throw: Throw, played: Move | None) -> list[MoveValue]:
        """Return every legal move, or the pass, best first.

        Those that `moves` leaves out follow with values of one ply. The move that was played comes
        first among equal ones.
        """
        best = self.moves(position, throw, None)
        known = {each.move: each.value for each in best}
        last = min(known.values())
        if played is not None:
            known[played] = self.moves(position, throw, played)[0].value
        found = [
            # A value of one ply may exceed those of two, but the move was judged worse than these.
            MoveValue(each.move, known.get(each.move, min(each.value, last)))
            for each in move_values(self.evaluator, position, throw)
        ]
        return sorted(found, key=lambda each: (-each.value, each.move != played))
