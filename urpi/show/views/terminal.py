"""The OLED in a terminal: pictures as lines of braille."""

from typing import Final

from PIL import Image

BRAILLE: Final = 0x2800
_DOTS: Final = (
    *((0, 0, 0x01), (0, 1, 0x02), (0, 2, 0x04), (1, 0, 0x08), (1, 1, 0x10), (1, 2, 0x20)),
    *((0, 3, 0x40), (1, 3, 0x80)),
)
"""Column, row and bit of each dot of a braille character (Unicode 15, chapter 21.1)."""


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
