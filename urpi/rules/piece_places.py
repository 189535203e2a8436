"""Which pieces each square of a rule set can hold, for hands and pages that set up a position."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from urpi.rules.board import ALL_SQUARES, Pile, Side, Square
from urpi.rules.impossible import ImpossiblePositionError
from urpi.rules.position import EMPTY_BOARD, Position, position_of
from urpi.rules.ruleset import RuleSet

LETTERS: Final = "LlDd"
"""The letters of all pieces in a pile, lower case if turned."""


class SquareUse(NamedTuple):
    """The letters of the pieces that can be on a square, and whether it can hold a pile."""

    letters: str
    piles: bool


class PiecePlaces(NamedTuple):
    """Where pieces can be in a rule set.

    Attributes:
        squares: What each square can hold.
        leave: Whether pieces leave the board for good.
        extra: Whether a position knows of an extra throw that is used up.
    """

    squares: Mapping[Square, SquareUse]
    leave: bool
    extra: bool


@cache
def piece_places(rules: RuleSet) -> PiecePlaces:
    """Return where pieces can be in a rule set, found by its own check of positions.

    >>> from urpi.rules import parse_square, rule_set
    >>> piece_places(rule_set("murray")).squares[parse_square("A4")].letters
    'Ll'
    """
    squares = {square: _use(rules, square) for square in ALL_SQUARES}
    leave = _is_possible(_with(rules, {}, off=1))
    extra = _is_possible(_with(rules, {}, extra_used=True))
    return PiecePlaces(MappingProxyType(squares), leave, extra)


def _use(rules: RuleSet, square: Square) -> SquareUse:
    def can_hold(pile: Pile) -> bool:
        return _is_possible(_with(rules, {square: pile}))

    # A prisoner stands on some squares only below another piece.
    pairs = [(below, top) for below in LETTERS for top in LETTERS if can_hold(below + top)]
    letters = (one for one in LETTERS if can_hold(one) or any(one in pair for pair in pairs))
    return SquareUse("".join(letters), bool(pairs))


def _with(
    rules: RuleSet, piles: Mapping[Square, Pile], *, off: int = 0, extra_used: bool = False
) -> Position:
    """Return the start position with some pieces on squares, and some of light's off the board."""
    board = [piles.get(square, pile) for square, pile in enumerate(EMPTY_BOARD)]
    letters = "".join(board).upper()
    light, dark = (rules.pieces - letters.count(side.letter) for side in Side)
    return position_of(
        rules, board, (light - off, dark), (off, 0), Side.LIGHT, extra_used=extra_used
    )


def _is_possible(position: Position) -> bool:
    try:
        position.rules.check(position)
    except ImpossiblePositionError:
        return False
    return True
