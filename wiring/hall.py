"""What a linear Hall sensor below a square can tell of the pieces on it, from the exact field.

The poles of light and dark are opposite. Every value has the unfavourable end of its tolerance, and
a situation is told from another one only if their readings can never be equal. The sensors are
calibrated (empty, and a piece of each side), so that only what changes afterwards counts: drift,
noise and steps of the converter, the pieces beside, and the differences between the pieces.

Lengths are in millimetres, fields in millitesla, forces in newtons.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from wiring.cylinder import exact_field_mt, pile_force_n
from wiring.magnets import NEIGHBOUR_MM, Disc

SUPPLY_MV: Final = 3300.0
"""Supply of sensors and converter: at 5 V the Pi's 3.3 V would be no safe high level on the bus."""
TALL_MM: Final = 5.6
ACROSS_MM: Final = 30.0
"""The printed piece (wiring/bodies/piece.scad)."""
WIDTH_MM: Final = 0.1
"""Tolerance of a magnet's diameter and height."""
STRONGER: Final = 1.32 / 1.28
"""Highest to lowest remanence of N42."""
COLDER: Final = 0.988
"""A magnet of neodymium that is 10 K warmer, at -0.12 % per kelvin."""
GAP_MM: Final = 0.3
"""Tolerance of the gap after calibration: felt and wood."""
TILT: Final = math.sin(math.radians(2))
DIAGONAL_MM: Final = NEIGHBOUR_MM * math.sqrt(2)
FARTHEST_MM: Final = 12
MOST: Final = 7
"""Pieces in the largest pile: all of one side."""
PLASTIC: Final = 1.24e-6
NEODYMIUM: Final = 7.5e-6
"""Densities in kilograms per cubic millimetre."""
GRAVITY: Final = 9.81
SCANS: Final = 16
"""Scans whose mean is a reading, so that its noise is a quarter."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A linear Hall sensor at 3.3 V.

    Attributes:
        name: Its name.
        mv_per_mt: The least sensitivity.
        range_mt: The field up to which it is linear.
        drift_mv: By how much its zero moves after calibration, within 10 K.
        noise_mv: Its noise from peak to peak.
    """

    name: str
    mv_per_mt: float
    range_mt: float
    drift_mv: float
    noise_mv: float


SENSORS: Final[tuple[Sensor, ...]] = (
    # Texas Instruments SBAS640B: 57 to 7.1 mV/mT at least. 1 % of the supply is the drift
    # of the zero over its whole range of temperatures; noise of 0.2 mT with the full bandwidth.
    Sensor("DRV5055A1", 57.0, 22.0, 33.0, 12.0),
    Sensor("DRV5055A2", 28.5, 44.0, 33.0, 6.0),
    Sensor("DRV5055A3", 14.3, 88.0, 33.0, 3.0),
    Sensor("DRV5055A4", 7.1, 176.0, 33.0, 1.5),
    # SLIS153C: 20 to 70 mV/mT. It states only the whole tolerance of the zero, 0.9 to 1.15 V.
    Sensor("DRV5053RA", 20.0, 18.0, 125.0, 9.0),
    # Honeywell SS39ET/SS49E/SS59ET: 1.0 mV/G at least, at 5 V, and 0.1 % per kelvin; both in
    # proportion to the supply. Its noise is not stated: a step of 8 bits is assumed.
    Sensor("SS49E", 6.6, 65.0, 16.5, 13.0),
)


@dataclass(frozen=True, slots=True)
class Converter:
    """An I2C converter with eight inputs: its name and the bits of a reading."""

    name: str
    bits: int

    @property
    def step_mv(self) -> float:
        """A step of its readings in millivolts."""
        return SUPPLY_MV / 2**self.bits

    def scan_us(self, squares: int, clock_khz: int = 400) -> float:
        """Return how long a scan keeps the bus busy, in microseconds.

        For each square: start, address, command, start again, address, one or two bytes, stop.
        """
        data = -(-self.bits // 8)
        return squares * (9 * (3 + data) + 3) * 1000 / clock_khz


ADS7830: Final = Converter("ADS7830", 8)
ADS7828: Final = Converter("ADS7828", 12)
"""Texas Instruments SBAS302 and SBAS181: the same pins and commands, with 8 and 12 bits."""


@dataclass(frozen=True, slots=True)
class Design:
    """A magnet in each piece, the gap from it to the sensor's element, a sensor and a converter."""

    disc: Disc
    gap_mm: float
    sensor: Sensor = SENSORS[0]
    converter: Converter = ADS7828
    tall_mm: float = TALL_MM

    @property
    def error_mt(self) -> float:
        """How wrong a reading may be, compared with the calibration."""
        return self.sensor.drift_mv / self.sensor.mv_per_mt + self.step_error_mt / 2

    @property
    def step_error_mt(self) -> float:
        """How wrong the difference of two readings may be that are seconds apart.

        The noise is the mean's; the steps are not, because the converter is not linear in them.
        """
        error = self.sensor.noise_mv / 2 / math.sqrt(SCANS) + self.converter.step_mv
        return 2 * error / self.sensor.mv_per_mt

    @property
    def around_mt(self) -> float:
        """The field of single pieces on all eight squares around, as near as they can stand."""
        beside, diagonal = (abs(_field(self, 1, aside, 1)) for aside in (NEIGHBOUR_MM, DIAGONAL_MM))
        return 4 * (beside + diagonal)

    @property
    def is_in_range(self) -> bool:
        """Whether the sensor is linear up to a whole pile above it."""
        return pile_mt(self, "L" * MOST, 0.0)[1] <= self.sensor.range_mt


def _field(design: Design, place: int, aside_mm: float, end: int) -> float:
    """Return the field of the piece at a place of a pile, 1 at the bottom.

    Args:
        design: The design.
        place: The piece's place.
        aside_mm: How far off the middle the piece stands.
        end: -1 for the weakest piece that there may be, 1 for the strongest.
    """
    disc = design.disc
    width, height = (size + end * WIDTH_MM for size in (disc.diameter_mm, disc.height_mm))
    strength = disc.remanence_t * (STRONGER if end > 0 else COLDER)
    depth = design.gap_mm - end * GAP_MM + disc.height_mm / 2 + (place - 1) * design.tall_mm
    along, across = exact_field_mt(Disc(width, height, strength), depth, aside_mm)
    return along + end * TILT * abs(across)


@cache
def pile_mt(design: Design, pile: str, aside_mm: float) -> tuple[float, float]:
    """Return the least and the greatest field of a pile, from the bottom up.

    ``L`` is a piece with light's pole up, for which fields count as positive, ``D`` one with
    dark's: a light piece that is turned over is a ``D``.
    """
    low = high = 0.0
    for place, piece in enumerate(pile, 1):
        weak, strong = (_field(design, place, aside_mm, end) for end in (-1, 1))
        if piece == "L":
            low, high = low + weak, high + strong
        else:
            low, high = low - strong, high - weak
    return low, high


def _farthest(holds: Callable[[float], bool]) -> float | None:
    """Return how far off the middle something holds; None if not even in the middle."""
    found = None
    for half in range(2 * FARTHEST_MM + 1):
        if not holds(half / 2):
            break
        found = half / 2
    return found


def pole_aside_mm(design: Design) -> float | None:
    """Return how far off the middle a piece's pole is certain, and it is never taken for nothing.

    The squares around may have pieces or not, in the reading and in the calibration.
    """
    needed = 2 * (design.error_mt + design.around_mt)
    return _farthest(lambda aside: pile_mt(design, "L", aside)[0] > needed)


def strength_aside_mm(design: Design, weaker: str, stronger: str) -> float | None:
    """Return how far off the middle the strength alone tells two piles apart; None if never.

    Both may stand anywhere up to there.
    """
    error = 2 * (design.error_mt + design.around_mt)

    def holds(aside: float) -> bool:
        steps = [half / 2 for half in range(round(2 * aside) + 1)]
        least = min(pile_mt(design, stronger, each)[0] for each in steps)
        return least - max(pile_mt(design, weaker, each)[1] for each in steps) > error

    return _farthest(holds)


def grows_to(design: Design, aside_mm: float) -> int:
    """Return up to how many pieces a pile can be seen to grow or shrink by one, as it does.

    0 if not even the first piece changes the reading, or if the sensor is out of its range then.
    """
    for place in range(1, MOST + 1):
        if _field(design, place, aside_mm, -1) <= design.step_error_mt or (
            pile_mt(design, "L" * place, aside_mm)[1] > design.sensor.range_mt
        ):
            return place - 1
    return MOST


def weight_n(design: Design) -> float:
    """Return the weight of a printed piece with its magnet."""
    volume = math.pi / 4 * ACROSS_MM**2 * design.tall_mm
    magnet = design.disc.volume_mm3
    return GRAVITY * ((volume - magnet) * PLASTIC + magnet * NEODYMIUM)


def lifts(design: Design) -> float:
    """Return the force between the magnets of a pile, as a multiple of a piece's weight.

    Above 1, a piece with the opposite pole up does not stay on another one.
    """
    return pile_force_n(design.disc, design.tall_mm) / weight_n(design)


def fitting(disc: Disc, gap_mm: float, tall_mm: float = TALL_MM) -> Design:
    """Return the design with the most sensitive sensor whose range a pile of seven does not exceed.

    Raises:
        ValueError: If none has such a range.
    """
    for sensor in SENSORS:
        design = Design(disc, gap_mm, sensor, tall_mm=tall_mm)
        if design.is_in_range:
            return design
    message = f"No sensor has a range for a magnet of {disc} at a gap of {gap_mm} mm."
    raise ValueError(message)
