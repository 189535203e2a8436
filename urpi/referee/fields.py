"""Fields: what Hall sensors show of the poles and strengths on the squares, beside the occupancy.

Light's and dark's magnets have opposite poles up, and a piece that is turned over shows the other
one. A reading excludes moves that it contradicts, and shows a piece of the wrong side; where there
is none, or where a hand has emptied the square since, it decides nothing, and everything is as with
switches alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from urpi.referee.facts import Field
from urpi.rules import ALL_SQUARES, Position, Side, Square, Squares, each_square, squares_of
from urpi.rules.board import Pile

SHARES: Final = (1000, 130, 40, 17, 9, 5, 3)
"""Strengths of the pieces of a pile from the bottom up, in thousandths of the lowest one's.

Those of discs of 3 x 1 mm in pieces of 5.6 mm, 5 mm above the sensor (wiring/hall.py). Stronger
magnets and wider gaps have larger ones.
"""
OF_SHARE: Final = (0.15, 2.0)
"""What remains of a piece's share with a weak magnet 4 mm off the middle if the piece of the
calibration had a strong one, and the other way round (wiring/hall.py)."""
LAG_MS: Final = 100
"""How long after a change a reading shows it at most: the field must have come to rest."""
_UNKNOWN: Final[tuple[Field | None, ...]] = (None,) * len(ALL_SQUARES)


@dataclass(frozen=True, slots=True)
class Fields:
    """The readings of all squares; None where there is none.

    Attributes:
        before: Those when the position was last known; None also where a square has been emptied
            or filled since, because its pieces stand elsewhere on it now.
        now: The newest ones.
        since: Since when each has been what it is, within its error.
        doubted: The squares whose pole the players have contradicted; it is unknown until their
            pieces are lifted.
    """

    before: tuple[Field | None, ...] = _UNKNOWN
    now: tuple[Field | None, ...] = _UNKNOWN
    since: tuple[int, ...] = (0,) * len(ALL_SQUARES)
    doubted: Squares = 0


NO_FIELDS: Final = Fields()


def pole(piece: str) -> Side:
    """Return the side whose pole a piece shows.

    >>> pole("L"), pole("l")
    (<Side.LIGHT: 'light'>, <Side.DARK: 'dark'>)
    """
    side = Side.of_letter(piece)
    return side if piece.isupper() else side.other


def sensed(fields: Fields, fact: Field) -> Fields:
    """Return the fields after a reading; a finer one that changes nothing replaces an older one."""
    square = fact.square
    if fields.doubted >> square & 1:
        fact = replace(fact, pole=None)
    before, last, since = fields.before[square], fields.now[square], fields.since
    if last is None or _differ(last, fact):
        since = (*since[:square], fact.t, *since[square + 1 :])
    fields = replace(fields, now=_with(fields.now, square, fact), since=since)
    if before is None or before.error <= fact.error or has_changed(fields, square):
        return fields
    return replace(fields, before=_with(fields.before, square, fact))


def shows_hand(fields: Fields, fact: Field) -> bool:
    """Return whether a reading shows a change since the last one, which no edge has shown."""
    last = fields.now[fact.square]
    return last is not None and _differ(last, fact)


def unsure(fields: Fields, square: Square) -> Fields:
    """Return the fields after a change that was no move: a piece of a pile was only adjusted."""
    return replace(fields, before=_with(fields.before, square, None))


def edged(fields: Fields, square: Square) -> Fields:
    """Return the fields after a square was emptied or filled."""
    if fields is NO_FIELDS:
        return fields
    before, now = (_with(each, square, None) for each in (fields.before, fields.now))
    return Fields(before, now, fields.since, fields.doubted & ~(1 << square))


def poles(fields: Fields) -> tuple[Side | None, ...]:
    """Return the side whose pole each square shows, None where that is not certain."""
    return tuple(None if each is None else each.pole for each in fields.now)


def misplaced(fields: Fields, position: Position, closed: Squares) -> Squares:
    """Return the squares of a position whose pole is certain, and that of another piece."""
    if fields is NO_FIELDS:
        return 0
    board = faces(position)
    return squares_of(
        square
        for square in each_square(closed & position.occupancy)
        if (now := fields.now[square]) and now.pole not in {None, pole(board[square][0])}
    )


def doubted(fields: Fields, squares: Squares) -> Fields:
    """Return the fields without the poles of some squares: the players say that they are right."""
    for square in each_square(squares):
        now = fields.now[square]
        if now is not None:
            fields = replace(fields, now=_with(fields.now, square, replace(now, pole=None)))
    return replace(fields, doubted=fields.doubted | squares)


def has_changed(fields: Fields, square: Square) -> bool:
    """Return whether a square's strength has changed by more than readings may be wrong."""
    before, now = fields.before[square], fields.now[square]
    return before is not None and now is not None and _differ(before, now)


def _differ(one: Field, other: Field) -> bool:
    return abs(one.strength - other.strength) > one.error + other.error


def contradicts(fields: Fields, square: Square, was: Pile, pile: Pile) -> bool:
    """Return whether a square cannot hold `pile`, if it held `was` when the position was known."""
    before, now = fields.before[square], fields.now[square]
    if now is None or not pile:
        return False
    # The lowest piece, next to the sensor, outweighs all others.
    if now.pole is not None and now.pole is not pole(pile[0]):
        return True
    if before is None or not was:
        return False
    low, high = _change(was, pile)
    doubt = now.error + before.error
    return not low - doubt <= now.strength - before.strength <= high + doubt


def excludes(fields: Fields, known: Position, position: Position, mask: Squares) -> bool:
    """Return whether a square that is not left out contradicts a position after a known one."""
    if fields is NO_FIELDS:
        return False
    was, board = faces(known), faces(position)
    return any(
        contradicts(fields, square, was[square], board[square])
        for square in ALL_SQUARES
        if not mask >> square & 1
    )


def faces(position: Position) -> Sequence[Pile]:
    """Return the board as magnets show it: pieces with one face do not turn on a second visit."""
    board = position.board
    return board if position.rules.two_faced else [pile.upper() for pile in board]


def rebased(fields: Fields, known: Position, position: Position, closed: Squares) -> Fields:
    """Return the fields with the newest readings as those of a position that has become known.

    Where they contradict it, or the switch does, a hand is at work there again: nothing is known.
    """
    if fields is NO_FIELDS:
        return fields
    was, board = faces(known), faces(position)
    before = list(fields.before)
    for square in ALL_SQUARES:
        fits = closed >> square & 1 and board[square]
        if not fits or contradicts(fields, square, was[square], board[square]):
            before[square] = None
        elif before[square] is None or was[square] != board[square]:
            before[square] = fields.now[square]
    return replace(fields, before=tuple(before))


def _change(was: Pile, pile: Pile) -> tuple[float, float]:
    """Return the least and the greatest change of a pile's strength; the lowest pieces stay."""
    pairs = zip(was, pile, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    low = high = 0.0
    for pieces, sign in ((was, -1), (pile, 1)):
        for piece, share in list(zip(pieces, SHARES, strict=False))[same:]:
            ends = sorted(
                (sign if pole(piece) is Side.LIGHT else -sign) * share * each for each in OF_SHARE
            )
            low, high = low + ends[0], high + ends[1]
    return low, high


def _with(
    readings: tuple[Field | None, ...], square: Square, reading: Field | None
) -> tuple[Field | None, ...]:
    return (*readings[:square], reading, *readings[square + 1 :])
