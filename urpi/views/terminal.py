"""The OLED in a terminal: pictures as lines of braille or half blocks."""

from itertools import product
from typing import Final

from PIL import Image

BRAILLE: Final = 0x2800
_DOTS: Final = (
    *((0, 0, 0x01), (0, 1, 0x02), (0, 2, 0x04), (1, 0, 0x08), (1, 1, 0x10), (1, 2, 0x20)),
    *((0, 3, 0x40), (1, 3, 0x80)),
)
"""Column, row and bit of each dot of a braille character (Unicode 15, chapter 21.1)."""

_HALVES: Final = (" ", "\N{UPPER HALF BLOCK}", "\N{LOWER HALF BLOCK}", "\N{FULL BLOCK}")
"""The characters by bit 0 for the upper and bit 1 for the lower of two pixels."""


def to_braille(image: Image.Image) -> str:
    """Return a picture as lines of braille, two by four pixels per character.

    The OLED's picture becomes 16 lines of 64 characters. The picture's width and height must be
    multiples of 2 and 4.
    """
    rows = range(0, image.height, 4)
    return "\n".join(
        "".join(chr(BRAILLE | _dots(image, left, top)) for left in range(0, image.width, 2))
        for top in rows
    )


def _dots(image: Image.Image, left: int, top: int) -> int:
    return sum(bit for x, y, bit in _DOTS if image.getpixel((left + x, top + y)))


def to_blocks(image: Image.Image) -> str:
    """Return a picture as lines of half blocks, one by two pixels per character.

    The OLED's picture becomes 32 lines of 128 characters.
    """
    return "\n".join(
        "".join(_HALVES[_half(image, left, top)] for left in range(image.width))
        for top in range(0, image.height, 2)
    )


def _half(image: Image.Image, left: int, top: int) -> int:
    return sum(bool(image.getpixel((left, top + row))) << row for row in range(2))


def from_braille(text: str) -> Image.Image:
    """Return the picture that `to_braille` converted."""
    lines = text.splitlines()
    image = Image.new("1", (2 * len(lines[0]), 4 * len(lines)))
    for row, column in product(range(len(lines)), range(len(lines[0]))):
        dots = ord(lines[row][column]) - BRAILLE
        for x, y, bit in _DOTS:
            image.putpixel((2 * column + x, 4 * row + y), int(bool(dots & bit)))
    return image
