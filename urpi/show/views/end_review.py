"""The view at the end of a game after its review: who won, who was lucky, and who erred."""

from typing import Final

from PIL import Image

from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.text import (
    ELLIPSIS,
    MEDIUM,
    SMALL,
    draw_line,
    draw_title,
    fits,
    largest,
    with_name,
    wrap,
)
from urpi.show.words import Words
from urpi.show.words.end_review import WINS, EndReview, luck_sentence, mistake_sentence

_LINES: Final = 2
"""The lines of a sentence."""


def draw_end_review(end: EndReview, words: Words) -> Image.Image:
    """Draw the winner in the first line, and below a sentence on luck and one on mistakes."""
    image = blank()
    if end.winner is None:
        draw_title(image, words.text("No winner"))
    else:
        _draw_winner(image, words.text(WINS), end.name(end.winner, words))
    for number, sentence in enumerate((luck_sentence(end, words), mistake_sentence(end, words))):
        top = MEDIUM + number * _LINES * SMALL
        text = _with_name(*sentence)
        for row, line in enumerate(wrap(text, font(SMALL), (WIDTH,) * _LINES)):
            draw_line(image, (0, top + row * SMALL), line, font(SMALL))
    return image


def _draw_winner(image: Image.Image, template: str, name: str) -> None:
    """Draw the first line, MEDIUM if it fits, else SMALL with as much of the name as fits."""
    letters = largest(template.replace("{name}", name), (MEDIUM, SMALL), WIDTH)
    top = (MEDIUM - letters.height) // 2
    draw_line(image, (0, top), with_name(template, name, letters, WIDTH), letters)


def _with_name(template: str, name: str) -> str:
    """Return the sentence with the name, shortened until the whole sentence fits."""
    text, kept = template.replace("{name}", name), name
    while kept and not fits(text, font(SMALL), (WIDTH,) * _LINES):
        kept = kept[:-1]
        text = template.replace("{name}", kept.rstrip() + ELLIPSIS)
    return text
