"""The score in one row: the number of each side's pieces at home, or else in hand."""

from types import MappingProxyType
from typing import Final

from PIL import Image

from urpi.rules import Position, RuleSet, Side
from urpi.show.views.panel import WIDTH
from urpi.show.views.text import draw_rows, ink_width, second
from urpi.show.views.turn import draw_disc
from urpi.show.words import Words
from urpi.show.words.sentences import NC_

_DISC: Final = 9
_GAP: Final = 2
_BETWEEN: Final = 6
_DISC_TOP: Final = 3

# Translators: Before the counts of pieces on the display: four letters. home: brought home; lost:
# captured for good.
_OFF_LABELS: Final = MappingProxyType(
    {"off": NC_("label", "home"), "captured": NC_("label", "lost"), "forts": ""}
)
"""The label of pieces that left the board, by how the game is won (RULES.md 7 and 8)."""


def off_label(rules: RuleSet) -> str:
    """Return the label of pieces that left the board, empty if none does in these rules."""
    return _OFF_LABELS[rules.win_code]


def draw_score(
    image: Image.Image, top: int, position: Position, words: Words, room: int = WIDTH
) -> None:
    """Draw the row of the score at the right edge, without its label if there is no `room`."""
    label = off_label(position.rules)
    counts = [str(count) for count in (position.off if label else position.hand)]
    # Translators: Before how many pieces wait beside the board: four letters.
    text = words.text(label or NC_("label", "hand"))
    width = sum(_DISC + _GAP + ink_width(second(), count) for count in counts) + _BETWEEN
    left = WIDTH - width
    named = ink_width(second(), text) + _BETWEEN
    if width + named <= room:
        draw_rows(image, top, text, 1, (left - named, named))
    elif width > room:
        return
    for side, count in zip(Side, counts, strict=True):
        draw_disc(image, (left, top + _DISC_TOP), side, _DISC)
        left += _DISC + _GAP
        draw_rows(image, top, count, 1, (left, WIDTH - left))
        left += ink_width(second(), count) + _BETWEEN
