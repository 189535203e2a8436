"""The reports of a die that has its own Bluetooth radio, of whatever brand.

`urpi.hardware.pixels` and `urpi.hardware.godice` parse them, and `urpi.hardware.bluetooth_link`
turns them into facts.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Brand: TypeAlias = Literal["pixels", "godice"]
MotionState: TypeAlias = Literal["rolling", "handled", "rolled", "placed", "cocked"]
"""The states of a die.

``rolled``: it lies on a face after it rolled. ``placed``: it lies on a face without having rolled.
``cocked``: it rests, but not on a face.
"""

FACES: Final = (4, 6, 8, 10, 12, 20)
"""The numbers of faces of the dice that are supported."""
RECORDED: Final = frozenset({("godice", 4)})
"""The dice, by brand and number of faces, of which messages of a real one are known
(tests/hardware/recorded). The others are untried."""
LOW_PERCENT: Final = 10
"""A battery is low at this charge or below."""
CHARGED_PERCENT: Final = 5
"""Percentage points above `LOW_PERCENT` from which a battery is no longer low."""


def numbers_of(faces: int) -> range:
    """Return the numbers on a die; those with ten faces begin at 0.

    >>> numbers_of(4), numbers_of(10)
    (range(1, 5), range(0, 10))
    """
    return range(10) if faces == 10 else range(1, faces + 1)


@dataclass(frozen=True, slots=True)
class Motion:
    """A change of the die's motion. `value` is the number on its upper face, None if unknown."""

    state: MotionState
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Battery:
    """The charge of the die's battery in percent, 0 to 100."""

    percent: int


@dataclass(frozen=True, slots=True)
class Identity:
    """What a die reports about itself.

    `faces` is its number of faces, None if it is not one of `FACES` or unknown. `built` is the time
    of its firmware in seconds since 1970, None if unknown.
    """

    faces: int | None = None
    built: int | None = None


Report: TypeAlias = Motion | Battery | Identity
