"""The OLED panel as a picture of 128 by 64 pixels, each lit or dark, and stamps on it."""

from typing import Final, TypeAlias

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64
Stamp: TypeAlias = tuple[str, ...]
"""A small picture given as rows of ``#`` for drawn pixels and ``-`` for others."""

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


def blank() -> Image.Image:
    """Return a dark picture of the panel's size in mode ``1``. The origin is the upper left."""
    return Image.new("1", (WIDTH, HEIGHT))


def stamp(image: Image.Image, at: tuple[int, int], picture: Stamp, ink: int = 1) -> None:
    """Draw a picture with its upper left corner `at`, lit (`ink` 1, the default) or dark (0)."""
    left, top = at
    for y, row in enumerate(picture):
        for x, pixel in enumerate(row):
            if pixel == "#":
                image.putpixel((left + x, top + y), ink)
