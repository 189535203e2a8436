"""Mischief: what players do wrong on purpose, chosen so that no legal move looks like it."""

from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Final, NamedTuple, TypeAlias

from urpi.rules import ALL_SQUARES, HAND, Move, Position, Side, Square, Squares, owner, squares_of
from urpi.rules.board import ROSETTES
from urpi.table.hands import Place


class Shift(NamedTuple):
    """The top piece of one place goes to another."""

    origin: Place
    target: Place


Act: TypeAlias = tuple[Shift, ...]
_Kind: TypeAlias = Callable[[Random, Position, tuple[Move, ...]], Act]
_TRIES: Final = 12


def illegal_act(
    rng: Random, position: Position, legal: tuple[Move, ...], pictures: Collection[Squares]
) -> Act:
    """Something wrong that at no moment looks like one of those pictures.

    Nothing when none was found.
    """
    for _ in range(_TRIES):
        act = rng.choice(KINDS)(rng, position, legal)
        if act and not _looks_right(position, act, pictures) and not _touches(position, act, legal):
            return act
    return ()


def moments(position: Position, act: Act) -> Iterator[Squares]:
    """The occupied squares after each lifting and each putting down of the act, in order."""
    heights = [len(pile) for pile in position.board]
    for shift in act:
        for place, change in zip(shift, (-1, 1), strict=True):
            if not isinstance(place, Side):
                heights[place] += change
            yield squares_of(square for square, height in enumerate(heights) if height)


def _looks_right(position: Position, act: Act, pictures: Collection[Squares]) -> bool:
    seen = list(moments(position, act))
    return seen[-1] == position.occupancy or not set(pictures).isdisjoint(seen)


def _touches(position: Position, act: Act, legal: tuple[Move, ...]) -> bool:
    """Whether the act lifts a piece where a move that leaves the picture as it is may land.

    Put back there it would look like that move: a piece that enters and captures, or one
    that goes from a pile to another.
    """
    landings = {
        part.target
        for move in legal
        for part in move.parts
        if part.origin == HAND or len(position.board[part.origin]) > 1
    }
    return any(origin in landings for origin, _ in act if not isinstance(origin, Side))


def wrong_distance(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """An own piece goes to some empty square."""
    return _wander(rng, position, _topped(position, _mover(position)))


def enemys_piece(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """An enemy's piece is moved."""
    return _wander(rng, position, _topped(position, _mover(position).other))


def extra_piece(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """A piece enters on some empty square."""
    side = _mover(position)
    empty = _empty(position)
    return (Shift(side, rng.choice(empty)),) if position.hand[side.number] and empty else ()


def captured_piece_left(rng: Random, position: Position, legal: tuple[Move, ...]) -> Act:
    """A capture, and the captured piece stays on the board."""
    if position.rules.piles:
        return ()
    captures = [
        move.parts[0]
        for move in legal
        if len(move.parts) == len(move.parts[0].stops) == 1 and move.parts[0].stops[0].captures
    ]
    empty = _empty(position)
    if not captures or not empty:
        return ()
    part = rng.choice(captures)
    origin = _mover(position) if part.origin == HAND else part.origin
    return Shift(part.target, rng.choice(empty)), Shift(origin, part.target)


def onto_rosette(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """An enemy on a rosette is thrown off it."""
    side = _mover(position)
    own = _topped(position, side)
    enemies = [square for square in _topped(position, side.other) if square in ROSETTES]
    if not own or not enemies:
        return ()
    target = rng.choice(enemies)
    return Shift(target, side.other), Shift(rng.choice(own), target)


def bears_off_anywhere(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """An own piece is taken off the board."""
    own = _topped(position, _mover(position))
    return (Shift(rng.choice(own), _mover(position)),) if own else ()


KINDS: Final[tuple[_Kind, ...]] = (
    wrong_distance,
    enemys_piece,
    extra_piece,
    captured_piece_left,
    onto_rosette,
    bears_off_anywhere,
)
"""Every kind of wrong act."""


def _mover(position: Position) -> Side:
    assert position.turn is not None
    return position.turn


def _topped(position: Position, side: Side) -> list[Square]:
    return [square for square in ALL_SQUARES if owner(position.board[square]) is side]


def _empty(position: Position) -> list[Square]:
    return [square for square in ALL_SQUARES if not position.board[square]]


def _wander(rng: Random, position: Position, pieces: list[Square]) -> Act:
    empty = _empty(position)
    return (Shift(rng.choice(pieces), rng.choice(empty)),) if pieces and empty else ()
