"""Deduction: what a rule set permits of pieces of which a switch only shows that they stand.

It asks the rule set whether positions are possible, and knows nothing of any rule set itself.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from urpi.core.errors import UrpiError
from urpi.referee.fields import pole
from urpi.rules import ALL_SQUARES, Position, RuleSet, Side, Square
from urpi.rules.board import EMPTY_SIDES, Pile
from urpi.rules.position import DIGITS, EMPTY_BOARD, position_of

LETTERS: Final = "".join(letter for letter in DIGITS if letter)
"""The pieces of both sides, with both faces."""
Poles: TypeAlias = tuple[Side | None, ...]
"""The side whose pole each square shows, None where that is not known."""
NO_POLES: Final[Poles] = (None,) * len(ALL_SQUARES)


class Turn(NamedTuple):
    """The side to throw, and whether its one extra throw is used up (`freecompany`)."""

    side: Side
    extra_used: bool = False


def with_pile(board: tuple[Pile, ...], square: Square, pile: Pile) -> tuple[Pile, ...]:
    """Return a board with another pile on a square."""
    return (*board[:square], pile, *board[square + 1 :])


def not_on_board(rules: RuleSet, board: tuple[Pile, ...], side: Side) -> int:
    """Return how many of a side's pieces do not stand on the board; negative if too many do."""
    return rules.pieces - "".join(board).upper().count(side.letter)


def placed(
    rules: RuleSet, board: tuple[Pile, ...], off: tuple[int, int], turn: Turn
) -> Position | None:
    """Return the position with this board, None if it is impossible in the rule set.

    Args:
        rules: The rule set.
        board: The pile on each square. The pieces that are neither on it nor off are in hand.
        off: The numbers of pieces that have left the game.
        turn: The side to throw; it is no one's turn if a side has won.
    """
    light, dark = (
        not_on_board(rules, board, side) - gone for side, gone in zip(Side, off, strict=True)
    )
    if min(light, dark) < 0:
        return None
    side, extra_used = turn
    position = position_of(rules, board, (light, dark), off, side, extra_used=extra_used)
    if rules.winner(position) is not None:
        position = Position(rules, position.state, None)
    try:
        rules.check(position)
    except UrpiError:
        return None
    return position


def _is_possible(rules: RuleSet, board: tuple[Pile, ...]) -> bool:
    return placed(rules, board, EMPTY_SIDES, Turn(Side.LIGHT)) is not None


@cache
def turns(rules: RuleSet) -> tuple[Turn, ...]:
    """Return the turns that there may be, those of an extra throw where it counts."""
    every = (Turn(side, extra_used) for extra_used in (False, True) for side in Side)
    return tuple(turn for turn in every if placed(rules, EMPTY_BOARD, EMPTY_SIDES, turn))


@cache
def _alone(rules: RuleSet, square: Square) -> str:
    """Return the pieces that may be the only one on a square."""
    return "".join(
        piece for piece in LETTERS if _is_possible(rules, with_pile(EMPTY_BOARD, square, piece))
    )


@cache
def _of_single(rules: RuleSet, square: Square, side: Side | None) -> str:
    """Return the pieces of a pole that may be on a square, of any where there may be a pile.

    A sensor shows the lowest piece of a pile, not the one on top.
    """
    letters = _alone(rules, square)
    alone = (with_pile(EMPTY_BOARD, square, each) for each in letters)
    if rules.piles and any(put_below(rules, board, square) for board in alone):
        return letters
    return of_pole(rules, letters, side)


def of_pole(rules: RuleSet, letters: str, side: Side | None) -> str:
    """Return those of some pieces that show a side's pole; all if none does, or it is not known."""
    faces = {each: each if rules.two_faced else each.upper() for each in letters}
    return "".join(each for each in letters if pole(faces[each]) is side) or letters


def possible_pieces(
    rules: RuleSet,
    squares: Collection[Square],
    known: Mapping[Square, Pile],
    poles: Poles = NO_POLES,
) -> dict[Square, str]:
    """Return the pieces that may be on top of each of these squares.

    A side that has no piece left for a square leaves it to the other one. A square for which
    neither has one is left with none.
    """
    found = {
        square: known[square][-1] if square in known else _of_single(rules, square, poles[square])
        for square in squares
    }
    left = {side: not_on_board(rules, tuple(known.values()), side) for side in Side}
    unknown = [square for square in squares if square not in known]
    has_changed = True
    while has_changed:
        has_changed = False
        for side in Side:
            own = {square for square in unknown if _sides(found[square]) == {side}}
            room = left[side] - len(own)
            for square in unknown:
                excess = room < 0 if square in own else room < 1
                if excess and side in _sides(found[square]):
                    other = (each for each in found[square] if Side.of_letter(each) is not side)
                    found[square], has_changed = "".join(other), True
    return found


def _sides(letters: str) -> set[Side]:
    return {Side.of_letter(letter) for letter in letters}


def put_below(rules: RuleSet, board: tuple[Pile, ...], square: Square) -> str:
    """Return the pieces that may be below the pile on a square."""
    pile = board[square]
    return "".join(
        piece for piece in LETTERS if _is_possible(rules, with_pile(board, square, piece + pile))
    )


def most_below(rules: RuleSet, board: tuple[Pile, ...], square: Square) -> int:
    """Return the largest number of pieces that may be below the pile on a square."""
    count = 0
    while below := put_below(rules, board, square):
        board = with_pile(board, square, below[0] + board[square])
        count += 1
    return count


def off_counts(rules: RuleSet, board: tuple[Pile, ...], side: Side) -> tuple[int, ...]:
    """Return how many pieces of a side may have left the game without ending it."""
    counts: list[int] = []
    for gone in range(not_on_board(rules, board, side) + 1):
        off = (gone, 0) if side is Side.LIGHT else (0, gone)
        position = placed(rules, board, off, Turn(Side.LIGHT))
        if position is not None and position.turn is not None:
            counts.append(gone)
    return tuple(counts)
