"""The view of a card that installs urpi at its first boot: a step or a fault."""

from typing import Final

from PIL import Image

from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.text import MEDIUM, SMALL, draw_lines, draw_title

WIDTHS: Final = (WIDTH,) * ((HEIGHT - MEDIUM) // SMALL)
"""The widths in pixels of the lines available to the text."""


def draw_progress(title: str, text: str) -> Image.Image:
    """Draw a title and, below it, a text of up to four small lines."""
    image = blank()
    draw_title(image, title)
    draw_lines(image, (0, MEDIUM), text, font(SMALL), WIDTHS)
    return image
