"""The small board: twenty squares of seven pixels, light's pieces lit and dark's rings.

Light's row is the lower one, as for light's player; columns run as in RULES.md 0. A turned
piece has a point in its middle that a plain one has not; a pile is its number, dark on a
lit square when light's piece is on top; a free rosette has four points. Squares to fill are
marked with a plus, squares to clear with a cross.
"""

from typing import Final, NamedTuple

from PIL import Image

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Position, Side, Square, Squares, owner
from urpi.rules.board import ROSETTES, Pile, turned
from urpi.views.stamps import DIGITS, stamp

PITCH: Final = 8
"""Pixels from one square's left or upper edge line to the next one's."""
INSIDE: Final = PITCH - 1
WIDTH: Final = 8 * PITCH + 1
HEIGHT: Final = 3 * PITCH + 1

_ROWS: Final = "CBA"

_LIGHT: Final = ("-###-", "#####", "#####", "#####", "-###-")
_DARK: Final = ("-###-", "#---#", "#---#", "#---#", "-###-")
_LIGHT_TURNED: Final = ("-###-", "#####", "##-##", "#####", "-###-")
_DARK_TURNED: Final = ("-###-", "#---#", "#-#-#", "#---#", "-###-")
_ROSETTE: Final = ("#-#", "---", "#-#")
_PLUS: Final = ("--#--", "--#--", "#####", "--#--", "--#--")
_CROSS: Final = ("#---#", "-#-#-", "--#--", "-#-#-", "#---#")
_MANY: Final = _PLUS


class Marks(NamedTuple):
    """The squares to fill and the squares to clear."""

    fill: Squares = 0
    clear: Squares = 0


NO_MARKS: Final = Marks()


def draw_board(
    image: Image.Image, at: tuple[int, int], position: Position, marks: Marks = NO_MARKS
) -> None:
    """Draw the board with its upper left corner `at`, `WIDTH` by `HEIGHT` pixels."""
    for square in ALL_SQUARES:
        left, top = _corner(at, square)
        image.paste(1, (left - 1, top - 1, left + PITCH, top + PITCH))
        image.paste(0, (left, top, left + INSIDE, top + INSIDE))
        _draw_square(image, (left, top), square, position.board[square])
    for squares, mark in ((marks.fill, _PLUS), (marks.clear, _CROSS)):
        for square in ALL_SQUARES:
            if squares >> square & 1:
                _draw_mark(image, _corner(at, square), mark)


def _corner(at: tuple[int, int], square: Square) -> tuple[int, int]:
    """The upper left pixel inside a square's lines."""
    row, column = SQUARE_NAMES[square]
    return at[0] + 1 + PITCH * (int(column) - 1), at[1] + 1 + PITCH * _ROWS.index(row)


def _draw_square(image: Image.Image, corner: tuple[int, int], square: Square, pile: Pile) -> None:
    if len(pile) > 1:
        _draw_pile(image, corner, pile)
    elif pile:
        draw_piece(image, (corner[0] + 1, corner[1] + 1), pile)
    elif square in ROSETTES:
        stamp(image, (corner[0] + 2, corner[1] + 2), _ROSETTE, 1)


def _draw_pile(image: Image.Image, corner: tuple[int, int], pile: Pile) -> None:
    left, top = corner
    light = owner(pile) is Side.LIGHT
    if light:
        image.paste(1, (left, top, left + INSIDE, top + INSIDE))
    digit = DIGITS[len(pile)] if len(pile) < 10 else _MANY
    stamp(image, (left + (INSIDE - len(digit[0])) // 2, top + 1), digit, 0 if light else 1)


def _draw_mark(image: Image.Image, corner: tuple[int, int], mark: tuple[str, ...]) -> None:
    left, top = corner
    image.paste(1, (left, top, left + INSIDE, top + INSIDE))
    stamp(image, (left + 1, top + 1), mark, 0)


def draw_piece(image: Image.Image, at: tuple[int, int], piece: str) -> None:
    """Draw one piece, five by five pixels: ``L``, ``D``, or lower case when turned."""
    if Side.of_letter(piece) is Side.LIGHT:
        picture = _LIGHT_TURNED if turned(piece) else _LIGHT
    else:
        picture = _DARK_TURNED if turned(piece) else _DARK
    stamp(image, at, picture, 1)
