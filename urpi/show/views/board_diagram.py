"""The diagram of the board: twenty squares of seven by seven pixels.

Light's row is at the bottom, as light's player sees it; the columns are ordered as in RULES.md 0.
Light's pieces are discs and dark's are rings; a turned piece has a dot or hole in its middle. A
pile is shown as its number of pieces, dark on a lit square if light's piece is on top. An empty
rosette has four dots. Squares to fill are marked with a plus, squares to clear with a cross.
"""

from typing import Final, NamedTuple

from PIL import Image, ImageChops

from urpi.rules import (
    ALL_SQUARES,
    SQUARE_NAMES,
    Position,
    Side,
    Square,
    Squares,
    each_square,
    owner,
)
from urpi.rules.board import ROSETTES, Pile, turned
from urpi.show.views.panel import DIGITS, stamp

PITCH: Final = 8
"""The distance in pixels from one square's left or upper edge to the next one's."""
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
_ASKED: Final = ("-###-", "#---#", "--##-", "-----", "--#--")
_MANY: Final = _PLUS


class Marks(NamedTuple):
    """The squares to fill and the squares to clear.

    `asked`: a square with a pile that is asked for, dark on a lit square. `unknown`: squares of
    which it is not known what stands on them, with a question mark.
    `pieces`: squares to fill, marked with the piece that belongs there, dark on a lit square; of a
    pile with a plus.
    """

    fill: Squares = 0
    clear: Squares = 0
    pieces: Squares = 0
    asked: Squares = 0
    unknown: Squares = 0


NO_MARKS: Final = Marks()


def draw_board(
    image: Image.Image, at: tuple[int, int], position: Position, marks: Marks = NO_MARKS
) -> None:
    """Draw the board of `WIDTH` by `HEIGHT` pixels with its upper left corner `at`."""
    for square in ALL_SQUARES:
        left, top = _corner(at, square)
        image.paste(1, (left - 1, top - 1, left + PITCH, top + PITCH))
        image.paste(0, (left, top, left + INSIDE, top + INSIDE))
        _draw_square(image, (left, top), square, position.board[square])
    for square in each_square(marks.unknown):
        left, top = _corner(at, square)
        image.paste(0, (left, top, left + INSIDE, top + INSIDE))
        stamp(image, (left + 1, top + 1), _ASKED, 1)
    for square in each_square(marks.asked):
        _invert(image, _corner(at, square))
    for square in each_square(marks.pieces):
        if len(position.board[square]) == 1:
            _invert(image, _corner(at, square))
        else:
            _draw_mark(image, _corner(at, square), _PLUS)
    for squares, mark in ((marks.fill, _PLUS), (marks.clear, _CROSS)):
        for square in ALL_SQUARES:
            if squares >> square & 1:
                _draw_mark(image, _corner(at, square), mark)


def _invert(image: Image.Image, corner: tuple[int, int]) -> None:
    """Draw what is on a square dark on a lit square."""
    left, top = corner
    inside = (left, top, left + INSIDE, top + INSIDE)
    lit = Image.new("1", (INSIDE, INSIDE), 1)
    image.paste(ImageChops.logical_xor(image.crop(inside), lit), inside)


def _corner(at: tuple[int, int], square: Square) -> tuple[int, int]:
    """Return the upper left pixel inside a square's edges."""
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
    """Draw one piece of five by five pixels with its upper left corner `at`.

    Args:
        image: The picture to draw on.
        at: The upper left corner.
        piece: ``L`` or ``D``, in lower case for a turned piece.
    """
    if Side.of_letter(piece) is Side.LIGHT:
        picture = _LIGHT_TURNED if turned(piece) else _LIGHT
    else:
        picture = _DARK_TURNED if turned(piece) else _DARK
    stamp(image, at, picture, 1)
