"""Whose turn it is, as the largest thing of a picture: the side's disc and the player's name.

The disc is full for light and a ring for dark, so that it is legible from farther away than any
word, and tells two players apart whose names are long or begin alike.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image

from urpi.referee.decisions import Fault
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side
from urpi.show.views.panel import WIDTH
from urpi.show.views.phrases import player_name
from urpi.show.views.text import (
    ROW,
    draw_inverted,
    draw_main,
    draw_main_or_rows,
    ink_width,
    second,
    shorten,
)
from urpi.show.words import Words

DISC: Final = 25
"""The diameter of the disc in pixels."""
BESIDE: Final = DISC + 4
"""The distance from the disc's left edge to what stands beside it."""
_DISC_TOP: Final = 3
_RING: Final = 4


def draw_disc(image: Image.Image, at: tuple[int, int], side: Side, size: int = DISC) -> None:
    """Draw a side's disc of `size` pixels with its upper left corner `at`."""
    image.paste(1, at, _disc(side, size))


@cache
def _disc(side: Side, size: int) -> Image.Image:
    disc, ring = Image.new("1", (size, size)), max(2, _RING * size // DISC)
    for y in range(size):
        for x in range(size):
            # Four times the square of the distance from the middle, in whole numbers.
            distance = (2 * x + 1 - size) ** 2 + (2 * y + 1 - size) ** 2
            hollow = side is Side.DARK and distance <= (size - 2 * ring) ** 2
            if distance <= size**2 and not hollow:
                disc.putpixel((x, y), 1)
    return disc


def draw_turn(
    image: Image.Image, snapshot: Snapshot, side: Side, words: Words, left: int = 0
) -> None:
    """Draw the disc and the name in the two upper rows, from `left` to the right edge.

    A name that is too long is shortened; beside something, it has two lines of smaller letters.
    """
    draw_disc(image, (left, _DISC_TOP), side)
    name, width = player_name(snapshot, side, words), WIDTH - left - BESIDE
    draw = draw_main_or_rows if left else draw_main
    draw(image, (left + BESIDE, 0), name, width)


def draw_beside_disc(image: Image.Image, side: Side, text: str) -> None:
    """Draw the disc in the two upper rows, and beside it a text in high letters if it fits."""
    draw_disc(image, (0, _DISC_TOP), side)
    draw_main_or_rows(image, (BESIDE, 0), text, WIDTH - BESIDE)


MARKER_HEIGHT: Final = ROW - 1
"""The height in pixels of the marker of faults."""


def draw_fault_marker(
    image: Image.Image, at: tuple[int, int], width: int, faults: Sequence[Fault], words: Words
) -> None:
    """Draw the marker in dark letters on a lit strip. Without a fault nothing is drawn.

    Where a die's name has no room, its number stands alone.

    Args:
        image: The picture to draw on.
        at: The marker's upper left corner.
        width: Its maximum width in pixels; its height is `MARKER_HEIGHT`.
        faults: The current faults.
        words: The words of the display's language.
    """
    if not faults:
        return
    others = f" +{len(faults) - 1}" if len(faults) > 1 else ""
    device = faults[0].device
    text, short = (f"!{name}{others}" for name in (words.device(device), device.split()[-1]))
    if ink_width(second(), text) > width - 2:
        text = shorten(short, second(), width - 2)
    draw_inverted(image, at, text, second(), (ink_width(second(), text) + 2, MARKER_HEIGHT))
