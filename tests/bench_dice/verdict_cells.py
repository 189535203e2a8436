"""The verdict on throws and on everything that a hand can do instead, in cells of its ranges.

The ranges are those of firmware/sim/motion_plans.c: tilts of 0 to 45 degrees, drops of 1 to 6 cm,
holds of 0.1 to 3 s, spins of up to 20 rad/s.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

THROWS = ("throw", "spun", "gentle")


@dataclass(frozen=True)
class Cell:
    """A part of an action's ranges, each as ``key=low..high``."""

    action: str
    ranges: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The cell in words, such as ``drop tilt=0..15 hold=1..3``."""
        return " ".join((self.action, *self.ranges))


TILTS = ("tilt=0..15", "tilt=15..30", "tilt=30..45")
HOLDS = ("hold=0.1..0.3", "hold=0.3..1", "hold=1..3")
SPINS = ("spin=0..7", "spin=7..14", "spin=14..20")


def tricks() -> Iterator[Cell]:
    """Yield the cells of all tricks; what a cell does not restrict varies over its whole range."""
    for ranges in product(TILTS, HOLDS):
        yield Cell("drop", ranges)
    for tilt in TILTS:
        yield Cell("set", (tilt,))
    for spin in SPINS:
        yield Cell("twirl", (spin,))
    yield Cell("place")
    yield Cell("tip")
