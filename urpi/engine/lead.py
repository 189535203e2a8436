"""The lead as an evaluator: how far both sides have come, for rule sets without a network."""

from math import exp
from typing import Final

from urpi.engine.evaluator import EvaluatorKind
from urpi.rules import Position, RuleSet, Side
from urpi.rules.board import owner, turned

STEEPNESS: Final = 1.5
"""A lead of one piece is worth 82 %. Only the order of the moves matters for `best`."""
TEMPO: Final = 0.1
"""What the next throw is worth, in pieces; by it an extra throw is preferred."""


class Lead:
    """An evaluator that knows the path of a rule set, and nothing else of it.

    A piece counts the part of its path that it has covered, and 1 once it is borne off. If pieces
    do not leave the board, one that is in hand or on top of a pile counts 1, and a little for its
    way.
    """

    kind: EvaluatorKind = "network"

    def __init__(self, rules: RuleSet) -> None:
        self._bears_off = rules.bears_off
        self._covered: Final = tuple(_covered(rules, side) for side in Side)

    def value(self, position: Position) -> float:
        """Return the estimated value of a position that is not over."""
        mover = position.turn
        assert mover is not None
        lead = self._advance(position, mover) - self._advance(position, mover.other)
        return 1 / (1 + exp(-STEEPNESS * (lead + TEMPO)))

    def _advance(self, position: Position, side: Side) -> float:
        covered = self._covered[side.number]
        tops = ((square, pile[-1]) for square, pile in enumerate(position.board) if pile)
        mine = [
            covered.get((square, turned(top)), 0.0) for square, top in tops if owner(top) is side
        ]
        if self._bears_off:
            below = ("".join(pile[:-1] for pile in position.board)).upper().count(side.letter)
            return sum(mine) + below / 2 + position.off[side.number]
        return len(mine) + sum(mine) / 10 + position.hand[side.number]


def _covered(rules: RuleSet, side: Side) -> dict[tuple[int, bool], float]:
    """Return the part of its path that a piece has covered, by its square and whether it turned."""
    path = rules.path(side)
    found: dict[tuple[int, bool], float] = {}
    for place, square in enumerate(path, 1):
        share = place / (len(path) + 1)
        # A turned piece is on its second visit, and a square is visited twice at most.
        found.setdefault((square, False), share)
        found[square, True] = share
    return found
