"""The wire channels below the board, from every reed to the cable exit. Pure.

Two trunks run along row B, one on each side of its reeds, and meet at the exit. A straight branch
leads from every reed to a trunk: from row A and the odd columns of row B to light's, from row C and
the even columns to dark's, so that no channel passes below another square's reed. A trunk holds a
wire for each switch and a ground wire that runs from reed to reed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sqrt
from typing import Final

from urpi.core.errors import UrpiError
from urpi.hardware.template.boxes import Box, Disc
from urpi.hardware.template.plate import Plate
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, Square

FILLED: Final = 0.5
"""Maximum share of a channel's cross-section for wires, each counted as the square of its diameter.
Wires laid by hand cross each other, and the lid must close."""
POCKET_ROOM: Final = 3.0
"""Width of a pocket around a reed's hole, for its bent and soldered leads."""
MIN_EXIT: Final = 12.0
"""Minimum diameter of the cable exit."""


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of a plate, all of the same depth."""

    plate: Plate

    @property
    def width(self) -> float:
        """Width of trunks and branches."""
        return self.plate.measures.channel

    def trunk_y(self, side: Side) -> float:
        """Return the centre line of a side's trunk, a third of a square from row B's reeds."""
        away = self.plate.measures.square / 3
        # y points downwards, and light's trunk is the lower one.
        below = away if side is Side.LIGHT else -away
        return self.plate.bridge_y + self.plate.measures.reed_down + below

    def trunk(self, side: Side) -> Box:
        """Return a side's trunk, from the exit to its farthest branch."""
        y, half = self.trunk_y(side), self.width / 2
        right = max(box.right for box in self.branches(side))
        return Box(self.plate.exit[0] - half, y - half, right, y + half)

    def branches(self, side: Side) -> list[Box]:
        """Return the branches of a side's trunk."""
        squares = [square for square in ALL_SQUARES if side_of(square) is side]
        return [*map(self.branch, squares), *self.chute_branch(side)]

    def branch(self, square: Square) -> Box:
        """Return the branch from a square's reed to its trunk."""
        reed = self.plate.reed(square)
        return self._vertical(reed.x, reed.y, self.trunk_y(side_of(square)))

    def chute_branch(self, side: Side) -> Iterator[Box]:
        """Yield the branch from a side's chute, which has a reed beside it, to the trunk."""
        for chute in self.plate.chutes:
            below = chute.y > self.plate.bridge_y
            if below == (side is Side.LIGHT):
                edge = chute.y - chute.r if below else chute.y + chute.r
                yield self._vertical(chute.x, edge, self.trunk_y(side))

    def _vertical(self, x: float, one: float, other: float) -> Box:
        half = self.width / 2
        top, bottom = sorted((one, other))
        return Box(x - half, top, x + half, bottom)

    @property
    def collector(self) -> Box:
        """The channel that joins both trunks at the exit."""
        ends = [self.trunk_y(side) for side in (Side.DARK, Side.LIGHT)]
        return self._vertical(self.plate.exit[0], *ends)

    @property
    def boxes(self) -> Iterator[Box]:
        """All channels; they overlap where they meet."""
        for side in Side:
            yield self.trunk(side)
            yield from self.branches(side)
        yield self.collector

    def pocket(self, square: Square) -> Disc:
        """Return the round pocket around a reed's lower end."""
        reed = self.plate.reed(square)
        return Disc(reed.x, reed.y, reed.r + POCKET_ROOM)

    @property
    def exit(self) -> Disc:
        """The hole for all wires."""
        wires = sum(self.wires(side) for side in Side)
        r = sqrt(wires * self.plate.measures.wire**2 / FILLED / pi)
        return Disc(*self.plate.exit, max(r, MIN_EXIT / 2))

    def wires(self, side: Side) -> int:
        """Return the number of wires at the end of a side's trunk."""
        ground = 1
        return len(self.branches(side)) + ground

    @property
    def needed(self) -> float:
        """Width that the fuller trunk requires."""
        m = self.plate.measures
        count = max(self.wires(side) for side in Side)
        return count * m.wire**2 / FILLED / m.channel_depth


def side_of(square: Square) -> Side:
    """Return the side whose trunk holds a square's wire.

    >>> side_of(0).value, side_of(6).value, side_of(7).value
    ('light', 'light', 'dark')
    """
    row, column = SQUARE_NAMES[square]
    if row == "B":
        return Side.LIGHT if int(column) % 2 else Side.DARK
    return Side.LIGHT if row == "A" else Side.DARK


def check_room(channels: Channels) -> None:
    """Check that the wires fit into the channels.

    Raises:
        UrpiError: if the channels are too small.
    """
    m = channels.plate.measures
    if channels.needed > channels.width:
        wires = max(channels.wires(side) for side in Side)
        message = (
            f"A channel of {m.channel:g} mm x {m.channel_depth:g} mm is too small for {wires} "
            f"wires of {m.wire:g} mm: it must be {channels.needed:.1f} mm wide; choose a larger "
            "--channel or --channel-depth, or a thinner --wire."
        )
        raise UrpiError(message)
