"""The layout of the plate: squares, edge, notches, panel and openings. Pure.

Light's row A is at the bottom and columns 1 to 8 run to the right, as on the OLED. The strip at the
left end holds the cable exit; the strip at the right end holds the display and the buttons, each on
its player's side. The notches beside the bridge are cut out, as on the museum's board. With chutes
they are not, and each side's chute is where a piece leaves from its square 7.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.hardware.template.boxes import Box, Disc
from urpi.hardware.template.measures import OLEDS, Measures
from urpi.hardware.template.shapes import Point
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square

ROWS: Final = "CBA"
EDGE: Final = 4.0
"""Minimum width of wood between an opening or channel and the edge of the plate."""
WALL: Final = 2.0
"""Minimum width of wood between separate openings or channels."""
END_STRIP: Final = 24.0
"""Width of the left strip, with the cable exit."""
WINDOW_ROOM: Final = 2.5
"""Margin of the window around the display's active area, on each side. The collar of the printed
bezel (wiring/bodies/bezel.scad) fits into it."""
MODULE_ROOM: Final = 3.0
"""Margin of the opening below around the module, on each side. The glass is not in the middle of
its board, and the solder joints of the pins need space."""
NUT_ROOM: Final = 4.0
"""Margin around a button's hole below, to turn its nut."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The plate of a board. The origin of its coordinates is the upper left corner."""

    measures: Measures

    @property
    def left(self) -> float:
        """Left edge of column 1."""
        return max(END_STRIP, self.measures.rim)

    @property
    def top(self) -> float:
        """Upper edge of row C."""
        return self.measures.rim

    @property
    def width(self) -> float:
        return self.left + 8 * self.measures.square + self.panel

    @property
    def height(self) -> float:
        return 3 * self.measures.square + 2 * self.measures.rim

    @property
    def panel(self) -> float:
        """Width of the right strip."""
        m = self.measures
        widths = [m.rim]
        if m.oled is not None:
            widths.append(OLEDS[m.oled].board[0] + 2 * (MODULE_ROOM + EDGE))
        if m.buttons:
            widths.append(m.button + 2 * (NUT_ROOM + EDGE))
        return max(widths)

    @property
    def panel_x(self) -> float:
        """Centre line of the right strip."""
        return self.width - self.panel / 2

    @property
    def bridge_y(self) -> float:
        """Centre line of row B."""
        return self.height / 2

    def field(self, square: Square) -> Box:
        name, side = SQUARE_NAMES[square], self.measures.square
        left = self.left + (int(name[1]) - 1) * side
        top = self.top + ROWS.index(name[0]) * side
        return Box(left, top, left + side, top + side)

    def reed(self, square: Square) -> Disc:
        """Return the hole for a square's reed."""
        x, y = self.field(square).middle
        m = self.measures
        return Disc(x + m.reed_right, y + m.reed_down, m.reed_hole / 2)

    @property
    def whole(self) -> Box:
        """The plate without notches cut out."""
        return Box(0, 0, self.width, self.height)

    @property
    def blanks(self) -> tuple[Box, Box]:
        """The places of dark's and light's missing columns 5 and 6."""
        side = self.measures.square
        left, right = self.left + 4 * side, self.left + 6 * side
        below = self.top + 2 * side
        return Box(left, self.top, right, self.top + side), Box(left, below, right, below + side)

    @property
    def notches(self) -> tuple[Box, ...]:
        """The notches beside the bridge; none with chutes.

        A rim as wide as elsewhere remains along the squares, but at most a third of a square, so
        that most of the notch is cut.
        """
        if self.measures.chutes:
            return ()
        side = self.measures.square
        rim = min(self.measures.rim, side / 3)
        upper, lower = self.blanks
        left, right = upper.left + rim, upper.right - rim
        return (
            Box(left, 0, right, upper.bottom - rim),
            Box(left, lower.top + rim, right, self.height),
        )

    @property
    def wood(self) -> Iterator[Box]:
        """Boxes whose union is the plate."""
        if not self.notches:
            yield self.whole
            return
        upper, lower = self.notches
        yield Box(0, 0, upper.left, self.height)
        yield Box(upper.left, upper.bottom, upper.right, lower.top)
        yield Box(upper.right, 0, self.width, self.height)

    @property
    def window(self) -> Box | None:
        """The display's window in the top plate."""
        if self.measures.oled is None:
            return None
        width, height = OLEDS[self.measures.oled].seen
        x, y = self.panel_x, self.bridge_y
        return Box.about(x, y, width + 2 * WINDOW_ROOM, height + 2 * WINDOW_ROOM)

    @property
    def module(self) -> Box | None:
        """The opening for the display module in the base plate."""
        if self.measures.oled is None:
            return None
        width, height = OLEDS[self.measures.oled].board
        x, y = self.panel_x, self.bridge_y
        return Box.about(x, y, width + 2 * MODULE_ROOM, height + 2 * MODULE_ROOM)

    def buttons(self, margin: float = 0.0) -> tuple[Disc, ...]:
        """Return the holes of dark's and light's buttons, enlarged by a margin."""
        if not self.measures.buttons:
            return ()
        r = self.measures.button / 2
        # In line with the outer rows, unless a large button would be too close to the edge.
        from_edge = max(self.measures.square / 2, r + NUT_ROOM + EDGE)
        ys = (from_edge, self.height - from_edge)
        return tuple(Disc(self.panel_x, y, r + margin) for y in ys)

    @property
    def chutes(self) -> tuple[Disc, ...]:
        """Dark's and light's chutes, in column 6."""
        if not self.measures.chutes:
            return ()
        side = self.measures.square
        x = self.left + 5.5 * side
        r = self.measures.chute / 2
        return tuple(
            Disc(x, y, r) for y in (self.top + side / 2, self.height - self.top - side / 2)
        )

    @property
    def exit(self) -> Point:
        """Centre of the cable exit."""
        return self.left / 2, self.bridge_y

    @property
    def fields(self) -> tuple[Box, ...]:
        return tuple(self.field(square) for square in ALL_SQUARES)
