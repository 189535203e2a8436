"""What is told besides the game: a lit strip over the lowest lines of any picture."""

from typing import Final

from PIL import Image

from urpi.views.bitmap_font import font
from urpi.views.panel import HEIGHT, WIDTH
from urpi.views.text import SMALL, draw_inverted, wrap

NEWS_LINES: Final = 2
_MARGIN: Final = 2


def draw_notice(image: Image.Image, text: str, lines: int) -> None:
    """Draw the text over the lowest so many lines at most, dark on lit."""
    told = wrap(text, font(SMALL), (WIDTH - _MARGIN,) * lines)
    top = HEIGHT - len(told) * SMALL
    for number, line in enumerate(told):
        draw_inverted(image, (0, top + number * SMALL), line, font(SMALL), (WIDTH, SMALL))
