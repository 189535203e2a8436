"""Marks of throws and moves by how much they changed the probability to win.

Both follow GNU Backgammon, whose defaults (`arSkillLevel` and `arLuckLevel` in its gnubg.c) are
points of equity, from -1 to 1; a probability goes from 0 to 1, so a point is half as much here. Its
moves are doubtful from a loss of 0.04, bad from 0.08 and very bad from 0.16; the limits here are
half of these.

Its throws are lucky from 0.3 and very lucky from 0.6, which would be 0.15 and 0.3. A game of Ur has
about four times as many throws as one of backgammon, each of which changes less: in games of
`finkel` between the networks at the level `hard` one throw of 250 would be lucky or unlucky. The
limits here are a third of that: one throw of 20 has a mark, one of 80 that of a very lucky or
unlucky one.
"""

from typing import Final, Literal, TypeAlias, get_args

from urpi.rules import HAND, OFF, Move, Position, Side, Throw
from urpi.rules.position import EXTRA_USED

MistakeMark: TypeAlias = Literal["doubtful", "bad", "very-bad"]
LuckMark: TypeAlias = Literal["very-lucky", "lucky", "unlucky", "very-unlucky"]
MISTAKE_MARKS: Final[tuple[MistakeMark, ...]] = get_args(MistakeMark)

DOUBTFUL: Final = 0.02
BAD: Final = 0.04
VERY_BAD: Final = 0.08
LUCKY: Final = 0.05
VERY_LUCKY: Final = 0.10


def mistake_mark(loss: float) -> MistakeMark | None:
    """Return the mark of a move, None if it gives away less than a doubtful one.

    >>> [mistake_mark(loss) for loss in (0.019, 0.02, 0.05, 0.3)]
    [None, 'doubtful', 'bad', 'very-bad']
    """
    if loss < DOUBTFUL:
        return None
    if loss < BAD:
        return "doubtful"
    return "bad" if loss < VERY_BAD else "very-bad"


def luck_mark(luck: float) -> LuckMark | None:
    """Return the mark of a throw, None if it changed less than a lucky or an unlucky one.

    >>> [luck_mark(luck) for luck in (-0.1, -0.05, 0.04, 0.06, 0.5)]
    ['very-unlucky', 'unlucky', None, 'lucky', 'very-lucky']
    """
    if abs(luck) < LUCKY:
        return None
    if luck > 0:
        return "very-lucky" if luck >= VERY_LUCKY else "lucky"
    return "very-unlucky" if luck <= -VERY_LUCKY else "unlucky"


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
