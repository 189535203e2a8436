"""A small marker with the name of the first faulty device, for views with room for it."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from urpi.referee.decisions import Fault
from urpi.show.views.text import ROW, draw_inverted, ink_width, second, shorten

HEIGHT: Final = ROW - 1


def draw_fault_marker(
    image: Image.Image, at: tuple[int, int], width: int, faults: Sequence[Fault]
) -> None:
    """Draw the marker in dark letters on a lit strip. Without a fault nothing is drawn.

    The device is named as in the journal, so that the marker is short in every language.

    Args:
        image: The picture to draw on.
        at: The marker's upper left corner.
        width: Its maximum width in pixels; its height is `HEIGHT`.
        faults: The current faults.
    """
    if not faults:
        return
    others = f" +{len(faults) - 1}" if len(faults) > 1 else ""
    text = shorten(f"!{faults[0].device}{others}", second(), width - 2)
    draw_inverted(image, at, text, second(), (ink_width(second(), text) + 2, HEIGHT))
