"""Evaluators and what follows from the value of a position: moves, luck and loss.

The *value* of a position is the probability, from 0 to 1, that the side to throw wins under best
play of both sides; a draw counts one half. For the side that has moved it is the value of the new
position where the same side throws again, and one minus that value where the turn changes.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from urpi.rules import PASS, Move, Position, Side, Throw

DRAW: Final = 0.5
"""The value of a draw."""
EvaluatorKind: TypeAlias = Literal["exact", "network"]


class Evaluator(Protocol):
    """A source of values."""

    kind: EvaluatorKind
    """Where its values come from: ``network`` for every estimate, with or without a network."""

    def value(self, position: Position) -> float:
        """Return the value of a position that is not over, for the side to throw."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move, or the pass, and its mover's probability to win after it."""

    move: Move
    value: float


def value_for(evaluator: Evaluator, position: Position, side: Side) -> float:
    """Return the value of any position for the given side."""
    if position.turn is None:
        winner = position.rules.winner(position)
        return DRAW if winner is None else float(winner is side)
    value = evaluator.value(position)
    return value if position.turn is side else 1 - value


def value_after(evaluator: Evaluator, position: Position, side: Side) -> float:
    """Return the value of the position after a move of the given side, for this side.

    Where the move grants an extra throw that may be declined, it is the better of both.
    """
    value = value_for(evaluator, position, side)
    if position.turn is side and position.rules.may_decline:
        value = max(value, declined_value(evaluator, position))
    return value


def declined_value(evaluator: Evaluator, position: Position) -> float:
    """Return the value of declining an extra throw, for the side that has it."""
    return 1 - evaluator.value(position.rules.decline(position))


def should_decline(evaluator: Evaluator, position: Position) -> bool:
    """Return whether the side to throw, which has an extra throw, should decline it.

    An estimating evaluator compares both one throw ahead.
    """
    deeper = Lookahead(evaluator) if evaluator.kind == "network" else evaluator
    return declined_value(deeper, position) > deeper.value(position)


def move_values(
    evaluator: Evaluator, position: Position, throw: Throw, seen: Container[Position] = ()
) -> list[MoveValue]:
    """Return every legal move with its value, best first; equal values in the order of the rules.

    A throw without a legal move has one entry, the pass. Empty if the game is over.

    Args:
        evaluator: The source of values.
        position: The position before the move.
        throw: The throw.
        seen: The positions of the game up to now. Where a repetition leads to a draw
            (`freecompany`), a move back to one of them has the value of a draw, so that a player
            who is ahead does not repeat the same moves forever.
    """
    side = position.turn
    if side is None:
        return []
    rules = position.rules
    found = []
    # A pass is valued like a move, so that the values of all throws add up.
    for move in rules.legal_moves(position, throw) or (PASS,):
        after = rules.play(position, throw, move)
        repeated = rules.draws and after in seen
        found.append(MoveValue(move, DRAW if repeated else value_after(evaluator, after, side)))
    # A stable sort by the negated value: `reverse=True` would reverse the order of equal ones, too.
    return sorted(found, key=lambda each: -each.value)


class Lookahead:
    """An evaluator that computes values from those of another one, a throw and a move ahead."""

    def __init__(self, inner: Evaluator) -> None:
        self.kind = inner.kind
        self._inner = inner

    def value(self, position: Position) -> float:
        """Return the value of a position that is not over, for the side to throw."""
        return expected_value(self._inner, position)


CANDIDATES: Final = 5
"""Moves that are evaluated two plies deep, the best ones of one ply."""


def deep_move_values(
    evaluator: Evaluator, position: Position, throw: Throw, seen: Container[Position] = ()
) -> list[MoveValue]:
    """Return every legal move with its value two plies deep, best first.

    The second ply is the opponent's throw, or the same side's, with its best move. Only the best
    moves of one ply get a second one; the others follow, with values of one ply that are lowered to
    that of the last of these. See `move_values` for the arguments.
    """
    side = position.turn
    if side is None:
        return []
    found = move_values(evaluator, position, throw, seen)
    rules, deeper, again = position.rules, Lookahead(evaluator), []
    # Two plies cost as many evaluations for each move as there are throws and replies.
    for each in found[:CANDIDATES]:
        after = rules.play(position, throw, each.move)
        repeated = rules.draws and after in seen
        again.append(each if repeated else MoveValue(each.move, value_after(deeper, after, side)))
    again.sort(key=lambda each: -each.value)
    # A value of one ply may exceed those of two plies, but the move was judged worse than these.
    last = again[-1].value
    return again + [MoveValue(each.move, min(each.value, last)) for each in found[CANDIDATES:]]


def best_value(evaluator: Evaluator, position: Position, throw: Throw) -> float:
    """Return the mover's probability to win after the best move with a throw."""
    return move_values(evaluator, position, throw)[0].value


def expected_value(evaluator: Evaluator, position: Position) -> float:
    """Return the value of a position computed from the values of all throws' best moves.

    An exact evaluator returns the same as `Evaluator.value`; another one a better estimate, one
    throw ahead.
    """
    outcomes = position.rules.dice.outcomes
    return sum(float(chance) * best_value(evaluator, position, each) for each, chance in outcomes)


def luck(evaluator: Evaluator, position: Position, throw: Throw) -> float:
    """Return how much the throw raised the thrower's probability to win, -1 to 1."""
    return best_value(evaluator, position, throw) - expected_value(evaluator, position)


def loss(evaluator: Evaluator, position: Position, throw: Throw, move: Move) -> float:
    """Return how much probability to win a legal move gives away, 0 for the best one."""
    values = move_values(evaluator, position, throw)
    played = next(each.value for each in values if each.move == move)
    return values[0].value - played
