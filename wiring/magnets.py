"""Estimate of the distance at which the magnet of a piece closes a reed switch.

The magnet is modelled as an upright dipole. The switch is a straight vertical line below it, which
closes when the average field along it is strong enough. Compared with the exact field of a
cylinder, the error is below 2 % at a distance of 40 mm (a neighbour's magnet), up to 14 % at a gap
of 5 mm and 10 mm aside, and 43 % too high directly above at 5 mm (`on_axis_mt` is exact on the
axis). A switch's sensitivity is stated in ampere-turns of the maker's test coil, not as a field;
the conversion has an uncertainty of a factor
of two (Littelfuse, application note AN102A). Distances depend on its cube root to square root, so
their uncertainty is about a third. Test a real magnet and switch: docs/build/jig.md.

Lengths are in millimetres, remanence in tesla, fields in millitesla.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MT_PER_AT: Final = 0.1
"""Field along a switch per ampere-turn, with one pole of a magnet at one of its ends.

A coil one inch long produces 0.05 mT per ampere-turn (Dexter Magnetic Technologies, FAQ "Magnets
for Sensors"); a single pole needs about twice that (Littelfuse, application note AN102A).
"""
MT_PER_AT_LEAST: Final = 0.05
MT_PER_AT_MOST: Final = 0.2
DROP_OUT: Final = 0.4
"""Lowest ratio of drop-out to pull-in field that makers specify."""
AROUND_MM: Final = 2.6
"""Height of a piece without its magnet: the printed piece (wiring/bodies/piece.scad)."""
OFF_MM: Final = 10.0
"""How far off the middle a piece of 30 mm stands on a square of 50 mm at most."""
NEIGHBOUR_MM: Final = 40.0
"""How near the middle of a square of 50 mm the pieces of the next one come."""
FAR_MM: Final = 200.0
_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc magnet, magnetised axially. `remanence_t`: N35 1.17, N42 1.28, N52 1.43."""

    diameter_mm: float
    height_mm: float
    remanence_t: float = 1.28

    @property
    def volume_mm3(self) -> float:
        """Volume in cubic millimetres."""
        return math.pi / 4 * self.diameter_mm**2 * self.height_mm

    @property
    def strength(self) -> float:
        """Dipole moment times mu0 / (4 pi), in mT mm3."""
        return 1000 * self.remanence_t * self.volume_mm3 / (4 * math.pi)


@dataclass(frozen=True, slots=True)
class Reed:
    """A reed switch: length of its glass, and the ampere-turns that close it."""

    length_mm: float = 14.0
    pull_in_at: float = 20.0

    def needs_mt(self, mt_per_at: float = MT_PER_AT) -> float:
        """Return the field along the switch that closes it, in mT."""
        return self.pull_in_at * mt_per_at


def field_mt(disc: Disc, depth_mm: float, aside_mm: float) -> tuple[float, float]:
    """Return the dipole's field below the disc's centre: downwards, and away from its axis.

    On the axis the second is 0 at any depth, so a switch that lies in the middle of its square
    does not close.

    >>> [round(part, 2) for part in field_mt(Disc(8, 3), 20.0, 0.0)]
    [3.84, 0.0]
    """
    away = math.hypot(depth_mm, aside_mm)
    along = disc.strength * (3 * depth_mm**2 / away**2 - 1) / away**3
    across = disc.strength * 3 * depth_mm * aside_mm / away**5
    return along, across


def on_axis_mt(disc: Disc, depth_mm: float) -> float:
    """Return the exact field on the axis below a disc, `depth_mm` from its centre."""
    radius, half = disc.diameter_mm / 2, disc.height_mm / 2
    far, near = depth_mm + half, depth_mm - half
    parts = far / math.hypot(far, radius) - near / math.hypot(near, radius)
    return 1000 * disc.remanence_t / 2 * parts


def along_standing_mt(disc: Disc, reed: Reed, gap_mm: float, aside_mm: float = 0.0) -> float:
    """Return the average of the dipole's field along an upright switch.

    Args:
        disc: the magnet.
        reed: the switch.
        gap_mm: distance from the magnet's lower face to the upper end of the glass: the bottom of
            the piece, felt and wood.
        aside_mm: horizontal offset of the magnet.

    >>> round(along_standing_mt(Disc(8, 3), Reed(), gap_mm=10.0), 1)
    6.6
    """
    # The integral of the field is the difference of the dipole's potentials at both ends.
    top = gap_mm + disc.height_mm / 2
    ends = (top, top + reed.length_mm)
    near, far = (depth / math.hypot(depth, aside_mm) ** 3 for depth in ends)
    return disc.strength * (near - far) / reed.length_mm


def reach_mm(disc: Disc, reed: Reed, mt_per_at: float = MT_PER_AT) -> float:
    """Return the widest gap at which a centred magnet closes an upright switch."""
    return _widest(lambda gap: along_standing_mt(disc, reed, gap), reed.needs_mt(mt_per_at))


def aside_mm(disc: Disc, reed: Reed, gap_mm: float, mt_per_at: float = MT_PER_AT) -> float:
    """Return the largest offset at which a magnet closes an upright switch; 0 if it never does."""
    return _widest(
        lambda aside: along_standing_mt(disc, reed, gap_mm, aside), reed.needs_mt(mt_per_at)
    )


def along_pile_mt(
    disc: Disc, reed: Reed, gap_mm: float, aside_mm: float = 0.0, pile: int = 1
) -> float:
    """Return the average of the field of a pile of pieces along an upright switch.

    Args:
        disc: the magnet of each piece.
        reed: the switch.
        gap_mm: distance from the lowest magnet's lower face to the upper end of the glass.
        aside_mm: horizontal offset of the pile.
        pile: number of pieces.

    >>> round(along_pile_mt(Disc(10, 3), Reed(), gap_mm=5.0, aside_mm=40.0, pile=3), 2)
    -0.39
    """
    pitch = disc.height_mm + AROUND_MM
    return sum(
        along_standing_mt(disc, reed, gap_mm + piece * pitch, aside_mm) for piece in range(pile)
    )


def clear_mm(disc: Disc, gap_mm: float, lowest_at: float, pile: int = 1) -> float:
    """Return the offset from which magnets cannot hold the most sensitive switch closed.

    Args:
        disc: the magnet of each piece.
        gap_mm: distance from the lowest magnet's lower face to the upper end of the glass.
        lowest_at: ampere-turns of the most sensitive switch.
        pile: number of pieces on each other.
    """
    reed = Reed(pull_in_at=lowest_at)
    limit = reed.needs_mt(MT_PER_AT_LEAST) * DROP_OUT
    # Away from the axis the field changes its direction, which a switch does not distinguish.
    far = FAR_MM
    while far > 0 and abs(along_pile_mt(disc, reed, gap_mm, far, pile)) <= limit:
        far -= 0.5
    return far + 0.5


def suits(disc: Disc, lot: tuple[float, float], gap_mm: float, piles: int = 1) -> bool:
    """Return whether every switch of a lot closes for its own piece and for no neighbour's.

    Args:
        disc: the magnet of each piece.
        lot: ampere-turns of the most and of the least sensitive switch.
        gap_mm: distance from the magnet's lower face to the upper end of the glass.
        piles: number of pieces in the largest pile. Smaller ones are checked, too: the fields of
            two pieces can cancel each other at a neighbour.
    """
    lowest, highest = lot
    return aside_mm(disc, Reed(pull_in_at=highest), gap_mm) >= OFF_MM and all(
        clear_mm(disc, gap_mm, lowest, pile) <= NEIGHBOUR_MM for pile in range(1, piles + 1)
    )


def _widest(field: Callable[[float], float], needed_mt: float) -> float:
    """Return the largest argument at which a decreasing field is still strong enough."""
    if field(0.0) < needed_mt:
        return 0.0
    near, far = 0.0, FAR_MM
    for _ in range(_STEPS):
        middle = (near + far) / 2
        near, far = (middle, far) if field(middle) >= needed_mt else (near, middle)
    return near
