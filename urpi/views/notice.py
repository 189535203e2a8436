"""Notices that do not belong to the game: a lit strip over the bottom of any picture."""

from typing import Final

from PIL import Image

from urpi.views.bitmap_font import font
from urpi.views.panel import HEIGHT, WIDTH
from urpi.views.text import SMALL, draw_inverted, wrap

MAX_NOTICE_LINES: Final = 2
_MARGIN: Final = 2


def draw_notice(image: Image.Image, text: str, lines: int) -> None:
    """Draw a text in dark letters on a lit strip of at most `lines` lines."""
    wrapped = wrap(text, font(SMALL), (WIDTH - _MARGIN,) * lines)
    top = HEIGHT - len(wrapped) * SMALL
    for number, line in enumerate(wrapped):
        draw_inverted(image, (0, top + number * SMALL), line, font(SMALL), (WIDTH, SMALL))
