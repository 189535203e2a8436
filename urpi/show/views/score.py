"""The score: the numbers of each side's pieces at home and in hand."""

from types import MappingProxyType
from typing import Final

from PIL import Image

from urpi.rules import Position, RuleSet, Side
from urpi.show.views.bitmap_font import font
from urpi.show.views.board_diagram import draw_piece
from urpi.show.views.text import SMALL, draw_centred
from urpi.show.words import Words
from urpi.show.words.sentences import N_

WIDTH: Final = 61
HEIGHT: Final = 36

_COLUMNS: Final = ((8, 25), (37, 24))
"""The columns' left edge and width in pixels, from the score's left edge."""

_OFF_LABELS: Final = MappingProxyType({"off": N_("home"), "captured": N_("lost"), "forts": ""})
"""The label of pieces that left the board, by how the game is won (RULES.md 7 and 8)."""


def off_label(rules: RuleSet) -> str:
    """Return the label of pieces that left the board, empty if none does in these rules."""
    return _OFF_LABELS[rules.win_code]


def draw_score(image: Image.Image, at: tuple[int, int], position: Position, words: Words) -> None:
    """Draw two labelled columns, `WIDTH` by `HEIGHT` pixels with the upper left corner `at`."""
    if label := off_label(position.rules):
        _draw_column(image, at, 0, words.text(label), position.off)
    _draw_column(image, at, 1, words.text("hand"), position.hand)
    for side in Side:
        draw_piece(image, (at[0] + 1, at[1] + 15 + SMALL * side.number), side.letter)


def _draw_column(
    image: Image.Image, at: tuple[int, int], column: int, label: str, counts: tuple[int, int]
) -> None:
    left, width = _COLUMNS[column]
    for row, text in enumerate((label, *map(str, counts))):
        draw_centred(image, at[1] + row * SMALL, text, font(SMALL), (at[0] + left, width))
