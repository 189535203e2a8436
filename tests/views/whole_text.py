"""Whole text: every letter that a view draws is seen, and stays to be seen.

While it watches, each line of text is checked where it is drawn, whichever view draws it: it
ends in no ellipsis, leaves the panel nowhere, and covers nothing; and behind the last stroke
every letter is still as it was drawn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from PIL import Image, ImageChops

from urpi.views import HEIGHT, WIDTH
from urpi.views.bitmap_font import BitmapFont
from urpi.views.text import ELLIPSIS

MARGIN = 40
"""Pixels around the panel in which a letter that left it is still seen."""
PANEL = (MARGIN, MARGIN, MARGIN + WIDTH, MARGIN + HEIGHT)


@dataclass
class Line:
    """A line of text as it was drawn on `image`, lit (`ink` 1) or dark (0); `mask` is its ink."""

    text: str
    image: Image.Image
    mask: Image.Image
    ink: int

    def has_pixels(self, ink: int) -> bool:
        """Whether one of the letters' pixels has that ink in the picture."""
        lit = ImageChops.logical_and(self.mask, self.image)
        found = lit if ink else ImageChops.logical_xor(self.mask, lit)
        return found.getbbox() is not None


@dataclass
class Watch:
    """What was drawn, and what is wrong with it."""

    lines: list[Line] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def see(self, text: str, image: Image.Image, around: Image.Image, ink: int) -> None:
        """A line is to be drawn: on `image`, and on `around` it stands with the panel's margin."""
        line = Line(text, image, around.crop(PANEL), ink)
        inked = around.getbbox()
        if ELLIPSIS in text:
            self.faults.append(f"cut: {text}")
        if inked is not None and not _inside(inked, PANEL):
            self.faults.append(f"over the panel's edge: {text}")
        if line.has_pixels(ink):
            self.faults.append(f"drawn over something: {text}")
        self.lines.append(line)

    def end(self, *, covered: bool) -> None:
        """Look once more; `covered` says that a strip over the picture is as it should be."""
        if not covered:
            self.faults += [
                f"covered: {line.text}" for line in self.lines if line.has_pixels(1 - line.ink)
            ]


def _inside(box: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    left, top, right, bottom = outer
    return box[0] >= left and box[1] >= top and box[2] <= right and box[3] <= bottom


@contextmanager
def watched(*, covered: bool = False) -> Iterator[Watch]:
    """Watch what is drawn inside; what was wrong is told at the end, all of it."""
    draw_text, watch = BitmapFont.draw, Watch()

    def draw(self, image, at, text, *, ink=1):
        around = Image.new("1", (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN))
        draw_text(self, around, (at[0] + MARGIN, at[1] + MARGIN), text)
        watch.see(text, image, around, ink)
        draw_text(self, image, at, text, ink=ink)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "draw", draw)
        yield watch
    watch.end(covered=covered)
    if watch.faults:
        pytest.fail("\n".join(sorted(set(watch.faults))), pytrace=False)
