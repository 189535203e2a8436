"""The OLED panel as a picture of 128 by 64 pixels, each lit or dark."""

from typing import Final

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64


def blank() -> Image.Image:
    """Return a dark picture of the panel's size in mode ``1``. The origin is the upper left."""
    return Image.new("1", (WIDTH, HEIGHT))
