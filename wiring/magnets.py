"""How far a piece's magnet closes a reed switch: an estimate, to choose both before drilling.

The magnet is taken for a dipole that stands upright, the switch for a straight line that stands
under it and closes when the field along it is on average strong enough. Nearer than one diameter
the dipole says too much (`on_axis_mt` is exact there, in the middle). What a switch needs is given
in ampere-turns of its maker's test coil, which is no field: the way from one to the other is only
good to a factor of two (Littelfuse, application note AN102A). Distances go with its cube root to
square root, so they are good to a third or so. Hold a magnet to a switch before you believe a
figure: docs/build/jig.md.

Millimetres, tesla for remanence, millitesla for fields.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MT_PER_AT: Final = 0.1
"""Field along a switch for each ampere-turn, when one pole of a magnet comes to one of its ends.

A coil one inch long gives 0.05 mT for each (Dexter Magnetic Technologies, FAQ "Magnets for
Sensors"); one pole alone needs about twice that (Littelfuse, application note AN102A).
"""
MT_PER_AT_LEAST: Final = 0.05
MT_PER_AT_MOST: Final = 0.2
DROP_OUT: Final = 0.4
"""A switch lets go at the earliest at this share of what closes it: the least that makers name."""
FAR_MM: Final = 200.0
_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc magnet, magnetised through its height. `remanence_t`: N35 1.17, N42 1.28, N52 1.43."""

    diameter_mm: float
    height_mm: float
    remanence_t: float = 1.28

    @property
    def volume_mm3(self) -> float:
        """Its volume."""
        return math.pi / 4 * self.diameter_mm**2 * self.height_mm

    @property
    def strength(self) -> float:
        """The dipole's moment times mu0 over 4 pi, in mT mm3: B = strength * geometry / mm3."""
        return 1000 * self.remanence_t * self.volume_mm3 / (4 * math.pi)


@dataclass(frozen=True, slots=True)
class Reed:
    """A reed switch: the length of its glass, and the ampere-turns that close it."""

    length_mm: float = 14.0
    pull_in_at: float = 20.0

    def needs_mt(self, mt_per_at: float = MT_PER_AT) -> float:
        """The field along it that closes it."""
        return self.pull_in_at * mt_per_at


def field_mt(disc: Disc, depth_mm: float, aside_mm: float) -> tuple[float, float]:
    """The dipole's field below the disc's centre: downwards, and away from its axis.

    Right under it the second is 0 at any depth: a switch that lies there in the middle of its
    square feels nothing along itself.

    >>> [round(part, 2) for part in field_mt(Disc(8, 3), 20.0, 0.0)]
    [3.84, 0.0]
    """
    away = math.hypot(depth_mm, aside_mm)
    along = disc.strength * (3 * depth_mm**2 / away**2 - 1) / away**3
    across = disc.strength * 3 * depth_mm * aside_mm / away**5
    return along, across


def on_axis_mt(disc: Disc, depth_mm: float) -> float:
    """The exact field right below a disc's centre, at any depth from its lower face on."""
    radius, half = disc.diameter_mm / 2, disc.height_mm / 2
    far, near = depth_mm + half, depth_mm - half
    parts = far / math.hypot(far, radius) - near / math.hypot(near, radius)
    return 1000 * disc.remanence_t / 2 * parts


def along_standing_mt(disc: Disc, reed: Reed, gap_mm: float, aside_mm: float = 0.0) -> float:
    """The dipole's field along a standing switch, on average from one end to the other.

    `gap_mm` is all that lies between the magnet's lower face and the glass's upper end: the
    piece's bottom, felt, wood. The integral is the difference of the dipole's potentials.

    >>> round(along_standing_mt(Disc(8, 3), Reed(), gap_mm=10.0), 1)
    6.6
    """
    top = gap_mm + disc.height_mm / 2
    ends = (top, top + reed.length_mm)
    near, far = (depth / math.hypot(depth, aside_mm) ** 3 for depth in ends)
    return disc.strength * (near - far) / reed.length_mm


def reach_mm(disc: Disc, reed: Reed, mt_per_at: float = MT_PER_AT) -> float:
    """The widest gap through which the magnet, right above a standing switch, closes it."""
    return _widest(lambda gap: along_standing_mt(disc, reed, gap), reed.needs_mt(mt_per_at))


def aside_mm(disc: Disc, reed: Reed, gap_mm: float, mt_per_at: float = MT_PER_AT) -> float:
    """How far beside a standing switch the piece may stand and still closes it; 0: nowhere."""
    return _widest(
        lambda aside: along_standing_mt(disc, reed, gap_mm, aside), reed.needs_mt(mt_per_at)
    )


def clear_mm(disc: Disc, gap_mm: float, lowest_at: float) -> float:
    """From this distance on a neighbour's piece cannot hold even the finest switch closed.

    `lowest_at` are the ampere-turns of the finest switch of the lot. Beyond the axis the field
    turns over, and a switch does not mind which way: both count.
    """
    reed = Reed(pull_in_at=lowest_at)
    bearable = reed.needs_mt(MT_PER_AT_LEAST) * DROP_OUT
    far = FAR_MM
    while far > 0 and abs(along_standing_mt(disc, reed, gap_mm, far)) <= bearable:
        far -= 0.5
    return far + 0.5


def _widest(field: Callable[[float], float], needed_mt: float) -> float:
    """The largest argument at which a field that falls with it is still enough."""
    if field(0.0) < needed_mt:
        return 0.0
    near, far = 0.0, FAR_MM
    for _ in range(_STEPS):
        middle = (near + far) / 2
        near, far = (middle, far) if field(middle) >= needed_mt else (near, middle)
    return near
