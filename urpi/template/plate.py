"""Where things are on the plate: squares, edge, notches, panel and openings. Pure.

Light's row A is at the bottom, columns 1 to 8 run to the right, as on the OLED. At the left end a
strip holds the cable's exit, at the right end another the display and the buttons, each button
on its player's side. The wood beside the bridge is cut out, as on the museum's board; with
chutes it stays, and each side's chute lies where a piece goes from its square 7.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square
from urpi.template.boxes import Box, Disc
from urpi.template.measures import OLEDS, Measures
from urpi.template.shapes import Point

ROWS: Final = "CBA"
EDGE: Final = 4.0
"""Wood that stays between anything cut and the plate's edge, at the least."""
WALL: Final = 2.0
"""Wood that stays between two things cut that do not belong together, at the least."""
END_STRIP: Final = 24.0
"""The left strip: the exit, and wood around it."""
WINDOW_ROOM: Final = 2.5
"""The window is so much larger than what is seen, on each side: the collar of the printed bezel
(wiring/bodies/bezel.scad) fits into it."""
MODULE_ROOM: Final = 3.0
"""The opening below is so much larger than the module, on each side: the glass is not in the
middle of its board, and the pins' solder wants room."""
NUT_ROOM: Final = 4.0
"""Around a button's hole below, for its nut and the fingers that turn it."""


@dataclass(frozen=True, slots=True)
class Plate:
    """A board of those measures. Coordinates have the plate's left upper corner at 0, 0."""

    measures: Measures

    @property
    def left(self) -> float:
        """Where column 1 begins."""
        return max(END_STRIP, self.measures.rim)

    @property
    def top(self) -> float:
        """Where row C begins."""
        return self.measures.rim

    @property
    def width(self) -> float:
        """From edge to edge."""
        return self.left + 8 * self.measures.square + self.panel

    @property
    def height(self) -> float:
        """From edge to edge."""
        return 3 * self.measures.square + 2 * self.measures.rim

    @property
    def panel(self) -> float:
        """The right strip's width."""
        m = self.measures
        widths = [m.rim]
        if m.oled is not None:
            widths.append(OLEDS[m.oled].board[0] + 2 * (MODULE_ROOM + EDGE))
        if m.buttons:
            widths.append(m.button + 2 * (NUT_ROOM + EDGE))
        return max(widths)

    @property
    def panel_x(self) -> float:
        """The right strip's middle line."""
        return self.width - self.panel / 2

    @property
    def bridge_y(self) -> float:
        """The middle line of row B."""
        return self.height / 2

    def field(self, square: Square) -> Box:
        """The square's own box."""
        name, side = SQUARE_NAMES[square], self.measures.square
        left = self.left + (int(name[1]) - 1) * side
        top = self.top + ROWS.index(name[0]) * side
        return Box(left, top, left + side, top + side)

    def reed(self, square: Square) -> Disc:
        """The hole for the square's reed."""
        x, y = self.field(square).middle
        m = self.measures
        return Disc(x + m.reed_right, y + m.reed_down, m.reed_hole / 2)

    @property
    def whole(self) -> Box:
        """The plate with its notches."""
        return Box(0, 0, self.width, self.height)

    @property
    def blanks(self) -> tuple[Box, Box]:
        """Where dark and light have no columns 5 and 6."""
        side = self.measures.square
        left, right = self.left + 4 * side, self.left + 6 * side
        below = self.top + 2 * side
        return Box(left, self.top, right, self.top + side), Box(left, below, right, below + side)

    @property
    def notches(self) -> tuple[Box, ...]:
        """What is cut out beside the bridge: nothing when the chutes stand there.

        A rim as broad as elsewhere stays along every square, but no broader than leaves most
        of the notch.
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
        """Boxes that make the plate together."""
        if not self.notches:
            yield self.whole
            return
        upper, lower = self.notches
        yield Box(0, 0, upper.left, self.height)
        yield Box(upper.left, upper.bottom, upper.right, lower.top)
        yield Box(upper.right, 0, self.width, self.height)

    @property
    def window(self) -> Box | None:
        """The OLED's window in the top plate."""
        if self.measures.oled is None:
            return None
        width, height = OLEDS[self.measures.oled].seen
        x, y = self.panel_x, self.bridge_y
        return Box.about(x, y, width + 2 * WINDOW_ROOM, height + 2 * WINDOW_ROOM)

    @property
    def module(self) -> Box | None:
        """The opening for the OLED's module in the base plate."""
        if self.measures.oled is None:
            return None
        width, height = OLEDS[self.measures.oled].board
        x, y = self.panel_x, self.bridge_y
        return Box.about(x, y, width + 2 * MODULE_ROOM, height + 2 * MODULE_ROOM)

    def buttons(self, room: float = 0.0) -> tuple[Disc, ...]:
        """Dark's button and light's; `room` is what the hole is larger around."""
        if not self.measures.buttons:
            return ()
        r = self.measures.button / 2
        from_edge = max(self.measures.square / 2, r + NUT_ROOM + EDGE)
        ys = (from_edge, self.height - from_edge)
        return tuple(Disc(self.panel_x, y, r + room) for y in ys)

    @property
    def chutes(self) -> tuple[Disc, ...]:
        """Dark's chute and light's, in the columns 6."""
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
        """The middle of the cable's exit."""
        return self.left / 2, self.bridge_y

    @property
    def fields(self) -> tuple[Box, ...]:
        """Every square's box, in the squares' order."""
        return tuple(self.field(square) for square in ALL_SQUARES)
