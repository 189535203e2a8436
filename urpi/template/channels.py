"""The channels under the board: from every reed to the cable's exit. Pure.

Two trunks run along row B, one on each side of its reeds, and meet at the exit. From every reed
a branch goes straight to a trunk: row A's and the odd columns of row B to light's, row C's and
the even ones to dark's. So no channel passes under another square's reed. A trunk carries a
wire for each switch and one ground that runs from reed to reed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sqrt
from typing import Final

from urpi.errors import UrpiError
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, Square
from urpi.template.boxes import Box, Disc
from urpi.template.plate import Plate

FILLED: Final = 0.5
"""How much of a channel's section wires may fill, each counted as a square of its diameter: laid
by hand they cross, and a lid has to go on."""
POCKET_ROOM: Final = 3.0
"""Around a reed's hole: its tails are bent there, and soldered."""
LEAST_EXIT: Final = 12.0


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of a plate, all as deep as each other."""

    plate: Plate

    @property
    def width(self) -> float:
        """Of trunks and branches."""
        return self.plate.measures.channel

    def trunk_y(self, side: Side) -> float:
        """The middle line of that side's trunk: a third of a square beside row B's reeds."""
        away = self.plate.measures.square / 3
        below = away if side is Side.LIGHT else -away
        return self.plate.bridge_y + self.plate.measures.reed_down + below

    def trunk(self, side: Side) -> Box:
        """From the exit's line to the farthest branch."""
        y, half = self.trunk_y(side), self.width / 2
        right = max(box.right for box in self.branches(side))
        return Box(self.plate.exit[0] - half, y - half, right, y + half)

    def branches(self, side: Side) -> list[Box]:
        """What joins that side's trunk."""
        squares = [square for square in ALL_SQUARES if side_of(square) is side]
        return [*map(self.branch, squares), *self.chute_branch(side)]

    def branch(self, square: Square) -> Box:
        """From the square's reed to its trunk."""
        reed = self.plate.reed(square)
        return self._upright(reed.x, reed.y, self.trunk_y(side_of(square)))

    def chute_branch(self, side: Side) -> Iterator[Box]:
        """From that side's chute, which has a reed beside it, to the trunk."""
        for chute in self.plate.chutes:
            below = chute.y > self.plate.bridge_y
            if below == (side is Side.LIGHT):
                edge = chute.y - chute.r if below else chute.y + chute.r
                yield self._upright(chute.x, edge, self.trunk_y(side))

    def _upright(self, x: float, one: float, other: float) -> Box:
        half = self.width / 2
        top, bottom = sorted((one, other))
        return Box(x - half, top, x + half, bottom)

    @property
    def collector(self) -> Box:
        """What joins both trunks over the exit."""
        ends = [self.trunk_y(side) for side in (Side.DARK, Side.LIGHT)]
        return self._upright(self.plate.exit[0], *ends)

    @property
    def boxes(self) -> Iterator[Box]:
        """Every stretch; they overlap where they meet."""
        for side in Side:
            yield self.trunk(side)
            yield from self.branches(side)
        yield self.collector

    def pocket(self, square: Square) -> Disc:
        """The round room about a reed's lower end."""
        reed = self.plate.reed(square)
        return Disc(reed.x, reed.y, reed.r + POCKET_ROOM)

    @property
    def exit(self) -> Disc:
        """The hole through which every wire leaves."""
        wires = sum(self.wires(side) for side in Side)
        r = sqrt(wires * self.plate.measures.wire**2 / FILLED / pi)
        return Disc(*self.plate.exit, max(r, LEAST_EXIT / 2))

    def wires(self, side: Side) -> int:
        """How many a trunk carries at its end."""
        ground = 1
        return len(self.branches(side)) + ground

    @property
    def needed(self) -> float:
        """The width that the fuller trunk needs."""
        m = self.plate.measures
        most = max(self.wires(side) for side in Side)
        return most * m.wire**2 / FILLED / m.channel_depth


def side_of(square: Square) -> Side:
    """Whose trunk a square's wire runs in.

    >>> side_of(0).value, side_of(6).value, side_of(7).value
    ('light', 'light', 'dark')
    """
    row, column = SQUARE_NAMES[square]
    if row == "B":
        return Side.LIGHT if int(column) % 2 else Side.DARK
    return Side.LIGHT if row == "A" else Side.DARK


def check_room(channels: Channels) -> None:
    """Refuse channels that the wires do not fit.

    Raises:
        UrpiError: when they are too narrow.
    """
    m = channels.plate.measures
    if channels.needed > channels.width:
        wires = max(channels.wires(side) for side in Side)
        message = (
            f"A channel of {m.channel:g} mm x {m.channel_depth:g} mm is too small for {wires} "
            f"wires of {m.wire:g} mm: it has to be {channels.needed:.1f} mm wide; choose a larger "
            "--channel or --channel-depth, or a thinner --wire."
        )
        raise UrpiError(message)
