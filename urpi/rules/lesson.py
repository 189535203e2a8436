"""A lesson: a game that begins from a prepared position and whose throws are prepared.

It is played at the interactive table like any other game: the referee, the hub and the switches do
not know that the dice are prepared. As each throw depends only on the displayed position, it does
not matter whether a player throws twice, waits, or takes a move back. After the prepared positions
the dice fall by chance again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from urpi.rules.position import Position


@dataclass(frozen=True, slots=True)
class Lesson:
    """A prepared game.

    Attributes:
        position: The position that it begins from (FORMATS.md, Positions).
        throws: The faces of the throw from each prepared position, one letter for each die.
    """

    position: str
    throws: Mapping[str, str]

    def faces(self, position: Position | None) -> str:
        """Return the faces of the throw from a position, empty if it is not prepared."""
        return "" if position is None else self.throws.get(str(position), "")


FIRST_GAME: Final = Lesson(
    "finkel B7:D,C3:D L1D3 L6D2 L",
    MappingProxyType(
        {
            "finkel B7:D,C3:D L1D3 L6D2 L": "gsgs",
            "finkel A1:L,B7:D,C3:D L0D3 L6D2 L": "gsgs",
            "finkel B4:L,B7:D,C3:D L0D3 L6D2 L": "gsg-",
            "finkel B7:L,C3:D L0D4 L6D2 D": "----",
            "finkel B7:L,C3:D L0D4 L6D2 L": "gsgs",
        }
    ),
)
"""Light's last piece enters on a rosette with a 4, reaches the next one with a 4, captures with a
3, and wins with a 4.

There is only one legal move with each of light's throws, and none with dark's 0.
"""
LESSONS: Final = frozenset({FIRST_GAME.position})
"""The positions that lessons begin from."""
