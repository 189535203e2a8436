"""Bitmap fonts: text is measured and drawn from the BDF files in `fonts`, as it is or taller.

A panel is read from a metre if its letters are high; how many of them fit depends on their width.
So the letters of the game are made taller than they are drawn: some rows of a letter are repeated.

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
    """A font in BDF format.

    Args:
        name: Its name in error messages.
        bdf: The text of the file.
        shape: How its letters are made taller; by default they are drawn as in the file.
    """

    def __init__(self, name: str, bdf: str, shape: "Shape | None" = None) -> None:
        self.name = name
        self._bdf = bdf
        self._shape: Shape | None = None
        self._glyphs: dict[str, Glyph] = {}
        self._ascent = self._property("FONT_ASCENT")
        self._line = self._ascent + self._property("FONT_DESCENT")
        capital = self.glyph("H")
        self.above = capital.top + _lit_rows(capital.picture)[0]
        """The rows of a line above its capitals."""
        self.capital = len(_lit_rows(capital.picture))
        """The height of a capital in pixels."""
        self.height = self._line
        """The height of a line in pixels, including accents and descenders."""
        if shape is not None:
            self._rows = _taller(self.above, self.capital, shape.capital, self._line)
            self._shape, self._glyphs = shape, {}
            self.capital, self.height = shape.capital, len(self._rows)

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
            glyph = self._read(letter) or self._box()
            self._glyphs[letter] = glyph if self._shape is None else self._shaped(glyph)
        return self._glyphs[letter]

    def has(self, text: str) -> bool:
        """Return whether the font has every letter of a text."""
        return all(f"\nENCODING {ord(letter)}\n" in self._bdf for letter in text)

    def _shaped(self, glyph: Glyph) -> Glyph:
        """Return a glyph with the rows of the taller letter, as wide and as bold as it is to be."""
        assert self._shape is not None
        wide, bolder = self._shape.wide, self._shape.bolder
        cell = Image.new("1", (glyph.advance, self._line))
        cell.paste(glyph.picture, (glyph.left, glyph.top))
        tall = Image.new("1", (glyph.advance, len(self._rows)))
        for row, drawn in enumerate(self._rows):
            tall.paste(cell.crop((0, drawn, glyph.advance, drawn + 1)), (0, row))
        tall = tall.resize((wide * tall.width, tall.height), Image.Resampling.NEAREST)
        for right in range(1, bolder + 1):
            tall.paste(1, (right, 0), tall.crop((0, 0, tall.width - right, tall.height)))
        return Glyph(wide * glyph.advance, tall, 0, 0)

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
        advance = next(each.advance for each in (self._read("n"), self._read("H")) if each)
        width, height = advance - 1, self._ascent - 1
        rows = [(1 << width) - 1, *[1 | 1 << width - 1] * (height - 2), (1 << width) - 1]
        shift = -width % 8
        digits = -(-width // 8) * 2
        texts = [f"{row << shift:0{digits}X}" for row in rows]
        return Glyph(advance, _picture(width, height, texts), 0, 1)


def _picture(width: int, height: int, rows: list[str]) -> Image.Image:
    """Return a picture from rows of hexadecimal digits, each padded on the right to full bytes."""
    return Image.frombytes("1", (width, height), bytes.fromhex("".join(rows)))


def _lit_rows(picture: Image.Image) -> range:
    box = picture.getbbox()
    assert box is not None
    return range(box[1], box[3])


def _taller(above: int, capital: int, tall: int, line: int) -> list[int]:
    """Return for each row of a taller line the row of the line that it repeats.

    Only the rows of the capitals are repeated: accents and descenders keep their height.
    """
    repeated = [above + (2 * row + 1) * capital // (2 * tall) for row in range(tall)]
    return [*range(above), *repeated, *range(above + capital, line)]


class Shape(NamedTuple):
    """How letters differ from those in the file.

    Attributes:
        capital: The height of a capital in pixels.
        wide: By what they are wider.
        bolder: By how many pixels their lines are thicker.
    """

    capital: int
    wide: int = 1
    bolder: int = 0


@cache
def font(size: int, shape: Shape | None = None) -> BitmapFont:
    """Return the font with lines of `size` pixels in its file: 12, 16, 24 or 32.

    >>> font(12).width("Ur"), font(32).width("3"), font(12, Shape(11)).height
    (12, 16, 15)
    """
    name = f"urpi-panel-{size}.bdf"
    text = Path(__file__).with_name("fonts").joinpath(name).read_text(encoding="utf-8")
    return BitmapFont(name, text, shape)
