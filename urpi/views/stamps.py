"""Small pictures written down as rows of ``#`` for lit and ``-`` for nothing."""

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
    """Draw the picture's lit points with its upper left corner `at`, in `ink` 1 or 0."""
    left, top = at
    for y, row in enumerate(picture):
        for x, pixel in enumerate(row):
            if pixel == "#":
                image.putpixel((left + x, top + y), ink)
