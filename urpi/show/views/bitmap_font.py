"""Bitmap fonts: text is measured and drawn from the BDF files in `fonts`.

The pixels are the same with every version of Pillow and Python. The format is Adobe's Glyph
Bitmap Distribution Format 2.1; only the features that these files use are supported. Each glyph
is parsed when it is first drawn, which keeps the program's start fast.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from urpi.core.errors import UrpiError


class Glyph(NamedTuple):
    """One letter: the pen's advance in pixels, the letter's picture, and the picture's position.

    `left` is in pixels to the right of the pen, `top` in pixels below the line's upper edge.
    """

    advance: int
    picture: Image.Image
    left: int
    top: int


_GLYPH: Final = re.compile(
    r"DWIDTH (?P<advance>\d+) 0\s+"
    r"BBX (?P<width>\d+) (?P<height>\d+) (?P<left>-?\d+) (?P<bottom>-?\d+)\s+"
    r"BITMAP\s+(?P<rows>[0-9A-Fa-f\s]*?)\s*ENDCHAR"
)


class BitmapFont:
    """A font in BDF format. `name` is used in error messages only."""

    def __init__(self, name: str, bdf: str) -> None:
        self.name = name
        self._bdf = bdf
        self._glyphs: dict[str, Glyph] = {}
        self._ascent = self._property("FONT_ASCENT")
        self.height = self._ascent + self._property("FONT_DESCENT")
        """The height of a line in pixels, including accents and descenders."""

    def _property(self, name: str) -> int:
        match = re.search(rf"^{name} (\d+)$", self._bdf, re.MULTILINE)
        if not match:
            message = (
                f"The font {self.name} has no {name}; it must be a BDF file, such as those in "
                "urpi/show/views/fonts. Install urpi again."
            )
            raise UrpiError(message)
        return int(match[1])

    def width(self, text: str) -> int:
        """Return the width of a line of text in pixels, including the gap after its last letter."""
        return sum(self.glyph(letter).advance for letter in text)

    def draw(self, image: Image.Image, at: tuple[int, int], text: str, *, ink: int = 1) -> None:
        """Draw one line of text with its upper left corner `at`, by default lit (`ink` 1)."""
        pen, top = at
        for letter in text:
            glyph = self.glyph(letter)
            image.paste(ink, (pen + glyph.left, top + glyph.top), glyph.picture)
            pen += glyph.advance

    def glyph(self, letter: str) -> Glyph:
        """Return a letter's glyph, or a box if the font does not have it."""
        if letter not in self._glyphs:
            self._glyphs[letter] = self._read(letter) or self._box()
        return self._glyphs[letter]

    def _read(self, letter: str) -> Glyph | None:
        start = self._bdf.find(f"\nENCODING {ord(letter)}\n")
        match = _GLYPH.search(self._bdf, start) if start >= 0 else None
        if not match:
            return None
        width, height = int(match["width"]), int(match["height"])
        top = self._ascent - height - int(match["bottom"])
        picture = _picture(width, height, match["rows"].split())
        return Glyph(int(match["advance"]), picture, int(match["left"]), top)

    def _box(self) -> Glyph:
        advance = self.glyph("n").advance
        width, height = advance - 1, self._ascent - 1
        rows = [(1 << width) - 1, *[1 | 1 << width - 1] * (height - 2), (1 << width) - 1]
        shift = -width % 8
        digits = -(-width // 8) * 2
        texts = [f"{row << shift:0{digits}X}" for row in rows]
        return Glyph(advance, _picture(width, height, texts), 0, 1)


def _picture(width: int, height: int, rows: list[str]) -> Image.Image:
    """Return a picture from rows of hexadecimal digits, each padded on the right to full bytes."""
    return Image.frombytes("1", (width, height), bytes.fromhex("".join(rows)))


@cache
def font(size: int) -> BitmapFont:
    """Return the font with lines of `size` pixels: 12, 16, 24 or 32.

    >>> font(12).width("Ur"), font(32).width("3")
    (12, 16)
    """
    name = f"urpi-panel-{size}.bdf"
    text = Path(__file__).with_name("fonts").joinpath(name).read_text(encoding="utf-8")
    return BitmapFont(name, text)
