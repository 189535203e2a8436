"""A small marker that names the first of the broken devices, where a view has room for it."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from urpi.referee.decisions import Fault
from urpi.views.bitmap_font import font
from urpi.views.text import SMALL, draw_inverted, ink_width, shorten

HEIGHT: Final = SMALL - 1


def draw_fault_marker(
    image: Image.Image, at: tuple[int, int], width: int, faults: Sequence[Fault]
) -> None:
    """Draw the marker from its upper left corner `at`, in dark letters on a lit strip.

    It is `HEIGHT` pixels high and `width` wide at most; without a fault it is nothing. Devices
    are named as in the journal, so that it stays short in every language.
    """
    if not faults:
        return
    others = f" +{len(faults) - 1}" if len(faults) > 1 else ""
    text = shorten(f"!{faults[0].device}{others}", font(SMALL), width - 2)
    draw_inverted(image, at, text, font(SMALL), (ink_width(font(SMALL), text) + 2, HEIGHT))
