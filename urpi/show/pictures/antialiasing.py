"""Smooth shapes: they are drawn larger and reduced, because Pillow draws hard edges.

A `AntialiasedSheet` maps the units of the drawing (urpi/show/svg/plan.py) to pixels.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Final, Self, TypeAlias

from PIL import Image, ImageDraw

from urpi.show.views.bitmap_font import BitmapFont, font
from urpi.show.views.text import ink_width, shorten

FINER: Final = 4
"""Pixels that are drawn for each pixel of the picture, in each direction."""
FONT_SIZES: Final = (12, 16, 24, 32)

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom, in units."""
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws shapes, given in units, into an enlarged picture.

    Attributes:
        draw: Draws into that picture.
        scale: Its pixels per unit.
        left: The unit at its left edge.
        top: The unit at its upper edge.
        colours: What replaces the colours given to the methods.
    """

    draw: ImageDraw.ImageDraw
    scale: float
    left: float
    top: float
    colours: Mapping[str, str]

    def _at(self, point: Point) -> Point:
        return (point[0] - self.left) * self.scale, (point[1] - self.top) * self.scale

    def _width(self, units: float) -> int:
        return max(round(units * self.scale), 1)

    def box(self, box: Box, fill: str, radius: float = 0) -> None:
        """Draw a filled rectangle with rounded corners."""
        corners = (*self._at(box[:2]), *self._at(box[2:]))
        self.draw.rounded_rectangle(corners, radius * self.scale, self.colours.get(fill, fill))

    def frame(self, box: Box, colour: str, width: float, radius: float = 0) -> None:
        """Draw the outline of a rectangle with rounded corners; the line is inside."""
        corners = (*self._at(box[:2]), *self._at(box[2:]))
        self.draw.rounded_rectangle(
            corners,
            radius * self.scale,
            outline=self.colours.get(colour, colour),
            width=self._width(width),
        )

    def disc(self, centre: Point, r: float, fill: str) -> None:
        """Draw a filled circle."""
        self.draw.ellipse(self._around(centre, r), self.colours.get(fill, fill))

    def circle(self, centre: Point, r: float, colour: str, width: float) -> None:
        """Draw a circle whose line is `width` units wide, half of it on each side."""
        self.draw.ellipse(
            self._around(centre, r + width / 2),
            outline=self.colours.get(colour, colour),
            width=self._width(width),
        )

    def _around(self, centre: Point, r: float) -> tuple[float, float, float, float]:
        x, y = self._at(centre)
        r *= self.scale
        return x - r, y - r, x + r, y + r

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        self.draw.polygon([self._at(point) for point in points], self.colours.get(fill, fill))

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line through points, with round ends and corners."""
        drawn = [self._at(point) for point in points]
        self.draw.line(drawn, self.colours.get(colour, colour), self._width(width), joint="curve")
        for point in (points[0], points[-1]):
            self.disc(point, width / 2, colour)


@dataclass(frozen=True, slots=True)
class AntialiasedSheet:
    """A picture whose coordinates are units.

    Attributes:
        image: The picture in mode ``RGB``.
        scale: Its pixels per unit.
        origin: The units at its upper left corner.
        colours: What replaces the colours of what is drawn.
    """

    image: Image.Image
    scale: float
    origin: Point
    colours: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def blank(
        cls, size: Point, scale: float, origin: Point, paper: str, colours: Mapping[str, str]
    ) -> Self:
        """Return an empty picture.

        Args:
            size: Width and height in units.
            scale: Pixels per unit.
            origin: The units at its upper left corner.
            paper: The colour of the ground.
            colours: What replaces the colours of what is drawn.
        """
        pixels = round(size[0] * scale), round(size[1] * scale)
        return cls(Image.new("RGB", pixels, paper), scale, origin, colours)

    def copy(self) -> Self:
        """Return a copy, which can be drawn on without changing this one."""
        return replace(self, image=self.image.copy())

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        left, top = self.origin
        return round((x - left) * self.scale), round((y - top) * self.scale)

    def shapes(self, box: Box, draw: Callable[[Pen], None]) -> None:
        """Draw shapes that lie within a box.

        Args:
            box: The box in units. Its size determines the cost.
            draw: Draws the shapes.
        """
        (left, top), layer = self._enlarged(box)
        draw(Pen(ImageDraw.Draw(layer), self.scale * FINER, *self._unit(left, top), self.colours))
        small = layer.reduce(FINER)
        self.image.paste(small, (left, top), small)

    def _enlarged(self, box: Box) -> tuple[tuple[int, int], Image.Image]:
        x, y = self.origin
        left, top = floor((box[0] - x) * self.scale), floor((box[1] - y) * self.scale)
        right, bottom = ceil((box[2] - x) * self.scale), ceil((box[3] - y) * self.scale)
        size = (right - left) * FINER, (bottom - top) * FINER
        return (left, top), Image.new("RGBA", size)

    def _unit(self, x: int, y: int) -> Point:
        left, top = self.origin
        return left + x / self.scale, top + y / self.scale

    def letters(self, height: float) -> BitmapFont:
        """Return the largest font whose lines are at most `height` units, or the smallest one."""
        fitting = [size for size in FONT_SIZES if size <= height * self.scale]
        return font(max(fitting, default=FONT_SIZES[0]))

    def text(self, at: Point, text: str, letters: BitmapFont, colour: str) -> None:
        """Draw a line of text; `at` is the middle of its left edge, in units."""
        left, middle = self.pixel(*at)
        mask = Image.new("1", (max(letters.width(text), 1), letters.height))
        letters.draw(mask, (0, 0), text)
        self.image.paste(
            self.colours.get(colour, colour), (left, middle - letters.height // 2), mask
        )

    def text_before(self, at: Point, text: str, letters: BitmapFont, colour: str) -> None:
        """Draw a line of text; `at` is the middle of its right edge, in units."""
        x, y = at
        self.text((x - ink_width(letters, text) / self.scale, y), text, letters, colour)

    def text_around(self, at: Point, text: str, letters: BitmapFont, colour: str) -> None:
        """Draw a line of text; `at` is its centre, in units."""
        x, y = at
        self.text((x - ink_width(letters, text) / 2 / self.scale, y), text, letters, colour)

    def shortened(self, text: str, letters: BitmapFont, width: float) -> str:
        """Return a text, its end replaced by an ellipsis if it is wider than `width` units."""
        return shorten(text, letters, max(int(width * self.scale), 1))
