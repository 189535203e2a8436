"""The analysis of any position: the values of its moves, and what each throw is worth there.

`urpi evaluate` and the page's analysis show it. With two plies, the default of an analysis, all
values are those that a review of a game with the position has.
"""

from dataclasses import dataclass
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.engine.evaluator import Evaluator, EvaluatorKind, MoveValue, move_values
from urpi.engine.review.values import ReviewValues
from urpi.rules import PASS, Move, Position, Side, Throw

DIGITS: Final = 6
"""Decimal digits of a value in a document."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The values of a position; all of them are those of the side to throw.

    Attributes:
        value: The value before the throw.
        by: Where the values come from.
        moves: The legal moves with the throw, or the pass, best first; empty without a throw.
    """

    value: float
    by: EvaluatorKind
    moves: tuple[MoveValue, ...] = ()

    def document(self, throw: Throw | None) -> dict[str, Any]:
        """Return the values for JSON, with `moves` if there is a throw."""
        found: dict[str, Any] = {"value": round(self.value, DIGITS), "by": self.by}
        if throw is not None:
            found["moves"] = [
                {"move": each.move.text, "value": round(each.value, DIGITS)} for each in self.moves
            ]
        return found


@dataclass(frozen=True, slots=True)
class ThrowValue:
    """A throw, its probability, and the value after its best move."""

    throw: Throw
    chance: float
    best: Move
    value: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The values of a position, and those of every throw in it."""

    evaluation: Evaluation
    throws: tuple[ThrowValue, ...]

    def document(self, throw: Throw | None) -> dict[str, Any]:
        """Return the analysis for JSON."""
        before = self.evaluation.value
        throws = [
            {
                "faces": each.throw.faces,
                "value": each.throw.value,
                "chance": round(each.chance, DIGITS),
                "best": each.best.text,
                "after": round(each.value, DIGITS),
                "luck": round(each.value - before, DIGITS),
            }
            for each in self.throws
        ]
        return {**self.evaluation.document(throw), "throws": throws}


def evaluate(
    evaluator: Evaluator,
    position: Position,
    throw: Throw | None = None,
    played: Move | None = None,
    *,
    plies: int = 1,
) -> Evaluation:
    """Return the values of a position.

    Args:
        evaluator: The source of values.
        position: The position.
        throw: The throw whose moves are evaluated; by default none.
        played: A legal move that is evaluated like the best ones, as in a review of a game in which
            it was played; by default none. It comes first among moves of equal value.
        plies: How far the moves are looked ahead: 2 also evaluates those of the next throw. Only
            the best moves of one ply get a second one; the others follow, with values of one ply
            that are lowered to that of the last of these.

    Raises:
        UrpiError: If the game is over, or the move is not legal.
    """
    side = _side_to_throw(position)
    _check_legal(position, throw, played)
    if plies == 1:
        value = evaluator.value(position)
        moves = [] if throw is None else move_values(evaluator, position, throw)
        return Evaluation(value, evaluator.kind, tuple(moves))
    return _two_plies(ReviewValues(evaluator), position, throw, played, side)


def analyse(
    values: ReviewValues,
    position: Position,
    throw: Throw | None = None,
    played: Move | None = None,
) -> Analysis:
    """Return the values of a position with two plies, and the best move of every throw.

    With the same `values`, a throw of a position that was analysed before costs little. See
    `evaluate` for the other arguments and the errors.
    """
    side = _side_to_throw(position)
    _check_legal(position, throw, played)
    throws = []
    for each, chance in position.rules.dice.outcomes:
        best = max(values.moves(position, each, None), key=lambda move: move.value)
        throws.append(ThrowValue(each, float(chance), best.move, best.value))
    return Analysis(_two_plies(values, position, throw, played, side), tuple(throws))


def _two_plies(
    values: ReviewValues, position: Position, throw: Throw | None, played: Move | None, side: Side
) -> Evaluation:
    moves = [] if throw is None else values.all_moves(position, throw, played)
    return Evaluation(values.of(position, side), values.kind, tuple(moves))


def _side_to_throw(position: Position) -> Side:
    if position.turn is None:
        message = "The game is over; only a position in which a side is to throw has a value."
        raise UrpiError(message)
    return position.turn


def _check_legal(position: Position, throw: Throw | None, played: Move | None) -> None:
    if played is None:
        return
    if throw is None:
        message = f"The move {played.text} needs a throw; add the faces of the dice."
        raise UrpiError(message)
    if played not in (position.rules.legal_moves(position, throw) or (PASS,)):
        message = f"The move {played.text} is not legal after the throw {throw.faces}."
        raise UrpiError(message)
