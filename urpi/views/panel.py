"""The panel: what the OLED is, as a picture. 128 by 64 pixels, lit or dark."""

from typing import Final

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64


def blank() -> Image.Image:
    """A dark picture of the panel's size, of mode ``1``; its origin is the upper left."""
    return Image.new("1", (WIDTH, HEIGHT))
