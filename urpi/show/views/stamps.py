"""Small pictures given as rows of ``#`` for drawn pixels and ``-`` for others."""

from typing import Final, TypeAlias

from PIL import Image

Stamp: TypeAlias = tuple[str, ...]

DIGITS: Final[tuple[Stamp, ...]] = (
    ("###", "#-#", "#-#", "#-#", "###"),
    ("-#-", "##-", "-#-", "-#-", "###"),
    ("###", "--#", "###", "#--", "###"),
    ("###", "--#", "###", "--#", "###"),
    ("#-#", "#-#", "###", "--#", "--#"),
    ("###", "#--", "###", "--#", "###"),
    ("###", "#--", "###", "#-#", "###"),
    ("###", "--#", "--#", "--#", "--#"),
    ("###", "#-#", "###", "#-#", "###"),
    ("###", "#-#", "###", "--#", "###"),
)
"""0 to 9, three by five pixels."""


def stamp(image: Image.Image, at: tuple[int, int], picture: Stamp, ink: int = 1) -> None:
    """Draw a picture with its upper left corner `at`, lit (`ink` 1, the default) or dark (0)."""
    left, top = at
    for y, row in enumerate(picture):
        for x, pixel in enumerate(row):
            if pixel == "#":
                image.putpixel((left + x, top + y), ink)
