"""Kinds of mistakes: what the best move does that the played one does not."""

from typing import Final, Literal, TypeAlias, get_args

from urpi.rules import HAND, OFF, Move, Position, Side, Throw
from urpi.rules.position import EXTRA_USED

Mistake: TypeAlias = Literal[
    "no-capture", "not-home", "no-extra-throw", "open", "not-entered", "other"
]
MISTAKES: Final[tuple[Mistake, ...]] = get_args(Mistake)
"""All kinds; a mistake of several kinds counts as the first of them.

- ``no-capture``: the best move captures, or captures more.
- ``not-home``: the best move bears a piece off.
- ``no-extra-throw``: after the best move the same side throws again.
- ``open``: after the played move the opponent's next throw captures with a higher probability.
- ``not-entered``: the best move brings a new piece to the board.
- ``other``: any other mistake.
"""


def mistake_of(position: Position, throw: Throw, played: Move, best: Move) -> Mistake:
    """Return what kind of mistake a legal move is, compared with the best one."""
    side, rules = position.turn, position.rules
    assert side is not None, position
    if _captures(played) < _captures(best):
        return "no-capture"
    if _pieces_home(played) < _pieces_home(best):
        return "not-home"
    after, after_best = (rules.play(position, throw, move) for move in (played, best))
    if after_best.turn is side and after.turn is not side:
        return "no-extra-throw"
    if exposure(after, side) > exposure(after_best, side):
        return "open"
    if _entered(played) < _entered(best):
        return "not-entered"
    return "other"


def exposure(position: Position, side: Side) -> float:
    """Return the probability that the opponent could capture a side's piece with the next throw.

    The opponent is assumed to throw next, also if the side throws again. 0 if the game is over.
    """
    if position.turn is None:
        return 0.0
    rules = position.rules
    threat = Position(rules, position.state & ~EXTRA_USED, side.other)
    chance = sum(
        chance
        for throw, chance in rules.dice.outcomes
        if any(map(_captures, rules.legal_moves(threat, throw)))
    )
    return float(chance)


def _captures(move: Move) -> int:
    return sum(stop.captures for part in move.parts for stop in part.stops)


def _pieces_home(move: Move) -> int:
    return sum(part.target == OFF for part in move.parts)


def _entered(move: Move) -> int:
    return sum(part.origin == HAND for part in move.parts)
