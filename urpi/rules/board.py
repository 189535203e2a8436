"""The board: its twenty squares, their order, the paths, and the piles on the squares.

Inside the program a square is its bit number (0 = A1 .. 19 = C8, FORMATS.md), and a set of
squares is an integer with those bits. A pile is a string from bottom to top with one letter
per piece, ``L`` or ``D``, in lower case if the piece has turned (dotted, red, or on the second
visit of a square). In text formats a turned piece is ``L'``, see `pile_text`.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError

Square: TypeAlias = int
Squares: TypeAlias = int
Pile: TypeAlias = str

SQUARE_NAMES: Final = (
    *("A1", "A2", "A3", "A4", "A7", "A8"),
    *("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"),
    *("C1", "C2", "C3", "C4", "C7", "C8"),
)
ALL_SQUARES: Final = range(len(SQUARE_NAMES))
ROSETTES: Final = frozenset({0, 4, 9, 14, 18})
"""A1, A7, B4, C1 and C7, the five rosettes carved into the board (RULES.md 0)."""

EMPTY_SIDES: Final = (0, 0)

_NUMBERS: Final = {name: number for number, name in enumerate(SQUARE_NAMES)}


class Side(Enum):
    """One of the two players; ``Side("light")`` and ``Side("dark")`` parse the text form."""

    LIGHT = "light"
    DARK = "dark"

    other: "Side"
    letter: str
    number: int
    """0 for light, 1 for dark: the index in every pair with one item per side."""

    @classmethod
    def of_letter(cls, letter: str) -> "Side":
        """Return the side of a piece's letter, ``L`` or ``D`` in either case."""
        return cls.LIGHT if letter in {"L", "l"} else cls.DARK


for _number, _side in enumerate(Side):
    _side.letter = _side.name[0]
    _side.number = _number
Side.LIGHT.other, Side.DARK.other = Side.DARK, Side.LIGHT


def parse_square(name: str) -> Square:
    """Return the bit number of a square.

    Raises:
        UrpiError: If the board has no square with this name.

    >>> parse_square("B1")
    6
    """
    number = _NUMBERS.get(name)
    if number is None:
        message = f"There is no square {name!r}; the squares are {', '.join(SQUARE_NAMES)}."
        raise UrpiError(message)
    return number


def squares_of(numbers: Iterable[Square]) -> Squares:
    """Return the set of the given squares as an integer.

    >>> bin(squares_of([0, 5]))
    '0b100001'
    """
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


def each_square(squares: Squares) -> Iterator[Square]:
    """Yield the squares of a set in bit order."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def names_of(squares: Squares) -> list[str]:
    """Return the names of the squares of a set in bit order.

    >>> names_of(0b1000001)
    ['A1', 'B1']
    """
    return [SQUARE_NAMES[square] for square in each_square(squares)]


def mirror(square: Square) -> Square:
    """Return the corresponding square of the other side: rows A and C are swapped.

    >>> SQUARE_NAMES[mirror(parse_square("A4"))]
    'C4'
    """
    name = SQUARE_NAMES[square]
    return _NUMBERS[name.translate({ord("A"): "C", ord("C"): "A"})]


def path_of(names: str) -> tuple[Square, ...]:
    """Return a path from the names of its squares, first to last, separated by spaces."""
    return tuple(parse_square(name) for name in names.split())


HOME: Final = "A4 A3 A2 A1 "
MIDDLE: Final = "B1 B2 B3 B4 B5 B6 B7 "
LOOPS: Final = {"opponent-first": "C7 C8 B8 A8 A7 ", "own-first": "A7 A8 B8 C8 C7 "}
BACK: Final = "B7 B6 B5 B4 B3 B2 B1 "
"""Sections of light's paths (RULES.md 0)."""

P14: Final = path_of(HOME + MIDDLE + "B8 A8 A7")
P16: Final = path_of(HOME + MIDDLE + LOOPS["opponent-first"])
"""Light's paths (RULES.md 0); index 1 of the rules is index 0 here."""


def owner(pile: Pile) -> Side | None:
    """Return the side whose piece is on top, None for an empty square."""
    return Side.of_letter(pile[-1]) if pile else None


def turned(piece: str) -> bool:
    """Return whether a piece has turned: dotted, red, or on a second visit."""
    return piece.islower()


def pile_text(pile: Pile) -> str:
    """Return a pile in the text form of FORMATS.md.

    >>> pile_text("LDd")
    "LDD'"
    """
    return "".join(f"{piece.upper()}'" if turned(piece) else piece for piece in pile)


def parse_pile(text: str) -> Pile:
    """Parse the text form of a pile.

    Raises:
        UrpiError: If the text is invalid.

    >>> parse_pile("LDD'")
    'LDd'
    """
    pile = text.replace("L'", "l").replace("D'", "d")
    if not pile or set(pile) - set("LDld") or set(text) - set("LD'"):
        message = (
            f"{text!r} is not a pile; a pile consists of the letters L and D, with ' after "
            "a turned piece."
        )
        raise UrpiError(message)
    return pile
