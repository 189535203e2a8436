"""A monitor which checks that all text that views draw is complete and visible.

Each line of text is checked when it is drawn: it must not end in an ellipsis, cross the panel's
edge or cover anything. At the end, every letter must still be as it was drawn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from PIL import Image, ImageChops

from urpi.show.views import HEIGHT, WIDTH
from urpi.show.views.bitmap_font import BitmapFont
from urpi.show.views.text import ELLIPSIS

MARGIN = 40
"""The margin around the panel, in pixels, in which letters outside the panel are detected."""
PANEL = (MARGIN, MARGIN, MARGIN + WIDTH, MARGIN + HEIGHT)


@dataclass
class Line:
    """A line of text drawn on `image`, lit (`ink` 1) or dark (0); `mask` has its pixels."""

    text: str
    image: Image.Image
    mask: Image.Image
    ink: int

    def has_pixels(self, ink: int) -> bool:
        """Return whether one of the letters' pixels is lit (1) or dark (0) in the picture."""
        lit = ImageChops.logical_and(self.mask, self.image)
        found = lit if ink else ImageChops.logical_xor(self.mask, lit)
        return found.getbbox() is not None


@dataclass
class TextMonitor:
    """The lines drawn, and the faults found."""

    lines: list[Line] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def on_draw(self, text: str, image: Image.Image, around: Image.Image, ink: int) -> None:
        """Check a line before it is drawn on `image`; `around` has it with the panel's margin."""
        line = Line(text, image, around.crop(PANEL), ink)
        inked = around.getbbox()
        if ELLIPSIS in text:
            self.faults.append(f"cut: {text}")
        if inked is not None and not _inside(inked, PANEL):
            self.faults.append(f"across the panel's edge: {text}")
        if line.has_pixels(ink):
            self.faults.append(f"drawn over something: {text}")
        self.lines.append(line)

    def finish(self, *, covered: bool) -> None:
        """Check that the letters are unchanged, unless a strip `covered` some intentionally."""
        if not covered:
            self.faults += [
                f"covered: {line.text}" for line in self.lines if line.has_pixels(1 - line.ink)
            ]


def _inside(box: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    left, top, right, bottom = outer
    return box[0] >= left and box[1] >= top and box[2] <= right and box[3] <= bottom


@contextmanager
def monitored(*, covered: bool = False) -> Iterator[TextMonitor]:
    """Monitor the text drawn in the context, and fail with all faults at its end."""
    draw_text, monitor = BitmapFont.draw, TextMonitor()

    def draw(self, image, at, text, *, ink=1):
        around = Image.new("1", (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN))
        draw_text(self, around, (at[0] + MARGIN, at[1] + MARGIN), text)
        monitor.on_draw(text, image, around, ink)
        draw_text(self, image, at, text, ink=ink)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "draw", draw)
        yield monitor
    monitor.finish(covered=covered)
    if monitor.faults:
        pytest.fail("\n".join(sorted(set(monitor.faults))), pytrace=False)
