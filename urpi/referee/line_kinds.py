"""The kinds of values in the lines of facts and decisions, where a type alone does not decide it.

FORMATS.md, Event stream. Numbers have limits; squares, faces and pairs are written as people read
them.
"""

from typing import Annotated, Any, Final, TypeAlias

from urpi.core.codec import Kind, choice, list_of, nested, parse_text, reject, whole
from urpi.core.names import LAST_DIE
from urpi.referee.clock import CLOCK_WORD, TimeControl, parse_time_control
from urpi.referee.seats import Coach, Coaches, Seat, Seats, SharedGame
from urpi.rules import SQUARE_NAMES, Square, Squares, names_of, parse_square, squares_of

LATEST_MS: Final = 2**63 - 1


def _of_sides(kind: Kind, allowed: str) -> Kind:
    """Return the kind of an object with light's and dark's value."""
    convert = kind.format or (lambda value: value)
    return Kind(
        allowed,
        lambda value: (kind.parse(value["light"]), kind.parse(value["dark"])),
        lambda pair: {"light": convert(pair[0]), "dark": convert(pair[1])},
    )


def _parse_squares(value: Any) -> int:
    return squares_of(map(parse_square, value)) if type(value) is list else reject()


def _parse_options(value: Any) -> tuple[tuple[str, str], ...]:
    if type(value) is not dict:
        reject()
    return tuple((parse_text(name), parse_text(text)) for name, text in value.items())


def _parse_face(value: Any) -> str:
    text = str(value) if type(value) is int else value
    return text if text in _FACES else reject()


_FACES: Final = ("g", "s", "-", "1", "2", "3", "4", "5", "6")
_DIE: Final = whole(1, LAST_DIE, f"a die's number, from 1 to {LAST_DIE}")
_DICE: Final = list_of(_DIE, f"a list of dice, each from 1 to {LAST_DIE}")

TIME: Final = whole(0, LATEST_MS, "a whole number of milliseconds, not below 0")
SQUARES: Final = Kind("a list of squares, A1 .. C8", _parse_squares, names_of)
FACE: Final = Kind("one of g s - for a tetrahedron, 1 to 6 for a d6", _parse_face)
OPTIONS: Final = Kind("an object of names and values, both texts", _parse_options, dict)
ANGLE: Final = whole(0, 180, "whole degrees from 0 to 180")
EVIDENCE: Final = whole(0, 65_535)
OWN_DICE: Final = _of_sides(_DICE, 'an object such as {"light":[1,2,3,4],"dark":[5,6,7,8]}')
SHARED: Final = nested(
    SharedGame, 'an object such as {"id":"3f..","table":"lisbon","date":"2026.11.20"}'
)

Milliseconds: TypeAlias = Annotated[int, TIME]
Strength: TypeAlias = Annotated[int, whole(-9999, 9999)]
Percent: TypeAlias = Annotated[int, whole(0, 100)]
Count: TypeAlias = Annotated[int, whole(0, LAST_DIE)]
DieNumber: TypeAlias = Annotated[int, _DIE]
DieNumbers: TypeAlias = Annotated[tuple[int, ...], _DICE]
LineSquare: TypeAlias = Annotated[
    Square, Kind("a square, A1 .. C8", parse_square, SQUARE_NAMES.__getitem__)
]
LineSquares: TypeAlias = Annotated[Squares, SQUARES]
LineSeats: TypeAlias = Annotated[
    Seats,
    _of_sides(choice(Seat), 'an object such as {"light":"person","dark":"engine:hard"}'),
]
LineClock: TypeAlias = Annotated[TimeControl | None, Kind(CLOCK_WORD, parse_time_control, str)]
LineCoaches: TypeAlias = Annotated[
    Coaches, _of_sides(choice(Coach), 'an object such as {"light":"off","dark":"bad"}')
]
