"""Moves and their text form (FORMATS.md, Moves)."""

import re
from functools import cache
from typing import Final, NamedTuple

from urpi.core.errors import UrpiError
from urpi.rules.board import SQUARE_NAMES, Square, parse_square

HAND: Final = -1
"""The origin of a piece that enters."""
OFF: Final = 20
"""The target of a piece that bears off."""


class Stop(NamedTuple):
    """One landing of a moving piece: a square or `OFF`, and whether it captures there."""

    square: Square
    captures: bool = False


class Part(NamedTuple):
    """The movement of one piece from a square or `HAND` to its stops.

    There is one stop, except in `freecompany` with Earth mastered, where a piece may capture on
    the way. With `prisoners`, the opponent's pieces directly below it move along (`ravensburger`).
    """

    origin: Square
    stops: tuple[Stop, ...]
    prisoners: bool = False

    @property
    def target(self) -> Square:
        """The last stop: a square or `OFF`."""
        return self.stops[-1].square

    def __str__(self) -> str:
        """Return the text form."""
        text = "+" if self.origin == HAND else SQUARE_NAMES[self.origin]
        for number, stop in enumerate(self.stops):
            if stop.captures:
                text += "x"
            elif self.origin != HAND or number > 0:
                text += "-"
            text += "off" if stop.square == OFF else SQUARE_NAMES[stop.square]
        return text + ("*" if self.prisoners else "")


class Move(NamedTuple):
    """A move: its parts in the order played, empty for a pass. Moves sort by their text."""

    text: str
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        """Return the text form."""
        return self.text


def move_of(*parts: Part) -> Move:
    return Move(",".join(str(part) for part in parts), parts)


@cache
def simple_move(
    origin: Square, target: Square, *, captures: bool = False, prisoners: bool = False
) -> Move:
    """Return the move of one piece with one stop, by default without a capture and prisoners.

    Equal moves are the same object.

    >>> str(simple_move(HAND, parse_square("A4")))
    '+A4'
    >>> str(simple_move(parse_square("A1"), parse_square("B2"), captures=True))
    'A1xB2'
    """
    return move_of(Part(origin, (Stop(target, captures),), prisoners))


PASS: Final = Move("pass", ())
"""Played when there is no legal move."""

_PART: Final = re.compile(r"(?:\+x?[ABC][1-8]|[ABC][1-8](?:-off|(?:[-x][ABC][1-8]){1,3}\*?))\Z")
_STOP: Final = re.compile(r"([-+x])(off|[ABC][1-8])")


def parse_move(text: str) -> Move:
    """Parse the text form of a move. Its legality is not checked.

    Raises:
        UrpiError: If the text is invalid.
    """
    if text == "pass":
        return PASS
    return move_of(*(_parse_part(part) for part in text.split(",")))


def _parse_part(text: str) -> Part:
    if not _PART.match(text):
        message = (
            f"{text!r} is not a move; moves look like +A4, A4-A2, A1xB2, B3-B6*, A7-off or pass."
        )
        raise UrpiError(message)
    if text[0] == "+":
        return Part(HAND, (Stop(parse_square(text[-2:]), "x" in text),))
    stops = tuple(
        Stop(OFF if name == "off" else parse_square(name), sign == "x")
        for sign, name in _STOP.findall(text[2:])
    )
    return Part(parse_square(text[:2]), stops, text.endswith("*"))
