"""Views beside the game: a notice over the bottom of any picture, and a card's first boot."""

from typing import Final

from PIL import Image

from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.text import (
    MEDIUM,
    ROW,
    SMALL,
    draw_inverted,
    draw_lines,
    draw_title,
    second,
    wrap,
)

MAX_NOTICE_LINES: Final = 2
_MARGIN: Final = 2
_REMNANT: Final = ROW
"""Height in pixels up to which what remains of a covered line or board is illegible."""


def draw_notice(image: Image.Image, text: str, lines: int) -> None:
    """Draw a text in dark letters on a lit strip of at most `lines` lines.

    The upper part of a line of the picture whose lower part is covered is removed.
    """
    wrapped = wrap(text, second(), (WIDTH - _MARGIN,) * lines)
    top = HEIGHT - len(wrapped) * ROW
    _clear_remnant(image, top)
    for number, line in enumerate(wrapped):
        draw_inverted(image, (0, top + number * ROW), line, second(), (WIDTH, ROW))


def _clear_remnant(image: Image.Image, top: int) -> None:
    """Clear the lit rows above a strip, unless more is visible than a remnant of a line."""
    for row in range(top, top - _REMNANT - 1, -1):
        if image.crop((0, row - 1, WIDTH, row)).getbbox() is None:
            image.paste(0, (0, row, WIDTH, top))
            break
    # A dark line, because the picture may be lit there too.
    image.paste(0, (0, top - 1, WIDTH, top))


WIDTHS: Final = (WIDTH,) * ((HEIGHT - MEDIUM) // SMALL)
"""The widths in pixels of the lines available to the text."""


def draw_progress(title: str, text: str) -> Image.Image:
    """Draw a title and, below it, a text of up to four small lines."""
    image = blank()
    draw_title(image, title)
    draw_lines(image, (0, MEDIUM), text, font(SMALL), WIDTHS)
    return image
