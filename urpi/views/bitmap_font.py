"""Bitmap fonts: text measured and drawn from the BDF files in `fonts`, pixel by pixel the same
with every Pillow and every Python. It knows nothing of the game.

The format is Adobe's Glyph Bitmap Distribution Format 2.1, of which it reads what these
files use. A glyph is looked for when it is first drawn, so a start costs no parsing.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from urpi.errors import UrpiError


class Glyph(NamedTuple):
    """One letter: how far it moves the pen, its picture, and where that goes.

    `left` is pixels right of the pen, `top` pixels below the line's upper edge.
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
    """The font of one BDF text; `name` is for messages alone."""

    def __init__(self, name: str, bdf: str) -> None:
        self.name = name
        self._bdf = bdf
        self._glyphs: dict[str, Glyph] = {}
        self._ascent = self._property("FONT_ASCENT")
        self.height = self._ascent + self._property("FONT_DESCENT")
        """How many pixels a line is high, accents and descenders included."""

    def _property(self, name: str) -> int:
        match = re.search(rf"^{name} (\d+)$", self._bdf, re.MULTILINE)
        if not match:
            message = (
                f"The font {self.name} has no {name}; it must be a BDF file, such as those in "
                "urpi/views/fonts. Install urpi again."
            )
            raise UrpiError(message)
        return int(match[1])

    def width(self, text: str) -> int:
        """How many pixels a line of text is wide, the gap behind its last letter included."""
        return sum(self.glyph(letter).advance for letter in text)

    def draw(self, image: Image.Image, at: tuple[int, int], text: str, *, ink: int = 1) -> None:
        """Draw one line of text; `at` is the upper left corner, `ink` 1 lit or 0 dark."""
        pen, top = at
        for letter in text:
            glyph = self.glyph(letter)
            image.paste(ink, (pen + glyph.left, top + glyph.top), glyph.picture)
            pen += glyph.advance

    def lacks(self, letter: str) -> bool:
        """Whether the font has no such letter, and draws a box in its place."""
        return f"\nENCODING {ord(letter)}\n" not in self._bdf

    def glyph(self, letter: str) -> Glyph:
        """A letter's glyph, a box when the font has none."""
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
    """The picture of rows of hexadecimal digits, each padded on its right to whole bytes."""
    return Image.frombytes("1", (width, height), bytes.fromhex("".join(rows)))


@cache
def font(size: int) -> BitmapFont:
    """The font whose lines are `size` pixels high: 12, 16, 24 or 32.

    >>> font(12).width("Ur"), font(32).width("3")
    (12, 16)
    """
    name = f"urpi-panel-{size}.bdf"
    text = Path(__file__).with_name("fonts").joinpath(name).read_text(encoding="utf-8")
    return BitmapFont(name, text)
