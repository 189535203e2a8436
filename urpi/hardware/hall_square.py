"""A square's Hall sensor: its readings become edges and fields. Pure; the time is passed in.

Strengths are thousandths of the piece that stood in the middle of the square at the calibration,
positive for light's pole. The limits are calculated on docs/build/hall.md.
"""

from collections import deque
from collections.abc import Iterator
from math import ceil
from typing import Final

from urpi.hardware.pins import Scale
from urpi.referee.facts import Edge, Fact, Field
from urpi.rules import Side, Square

OCCUPIED: Final = 130
"""From this strength on there is a piece: one that stands 4 mm off the middle has 150 at least."""
EMPTY: Final = 80
"""Below this strength an occupied square is empty."""
CERTAIN: Final = 200
"""From this strength on, and the error, the pole is certain: twice what the drift of the zero and
single pieces on all squares around make together."""
SCAN_MS: Final = 20
REST: Final = 3
"""Scans of the same strength after which the field is at rest, and is reported."""
FINE: Final = 16
"""Scans whose mean is reported as a finer reading."""
MOST: Final = 9999
NOISE: Final = 0.0018
"""Half the noise of a DRV5055A1 from peak to peak, as a share of the supply (SBAS640B): 6 mV."""
FOLLOW_MS: Final = 60_000
"""The time constant with which the zero of an empty square follows its reading, as it warms up."""
STANDING_MS: Final = 20_000
"""The same below a piece that stands: what changes as slowly is no hand, but the temperature."""
STANDING: Final = 60
"""How far the zero follows while a piece stands. A drift of 87 within 10 K (SBAS640B) leaves 27,
and a piece that was pushed unnoticeably, little by little, 60: both are empty when it is lifted,
with what pieces around add."""
FARTHEST: Final = 120
"""How far the zero follows, so that a piece that lies beside its square is not taken for it."""


class HallSquare:
    """The state of a square's sensor.

    Args:
        square: The square.
        scale: Its calibration.
        full: The number of values that a reading can have.
    """

    def __init__(self, square: Square, scale: Scale, full: int) -> None:
        self._square, self._scale = square, scale
        self.zero = float(scale.empty)
        """The reading without a piece, which follows the temperature."""
        noise, unit = NOISE * full, abs(scale.piece)
        # A step is not averaged away, because the converter is not linear in them.
        self._error = ceil(1000 * (noise + 1) / unit)
        self._fine_error = ceil(1000 * (noise / 4 + 1) / unit)
        self._recent: deque[int] = deque(maxlen=FINE)
        self._scans = self._sum = 0
        self._reported: int | None = None
        self._zero_below = self.zero
        """The zero when the piece that stands was put down."""
        self.occupied = False

    def read(self, t: int, reading: int) -> Iterator[Fact]:
        """Yield what a reading shows: an edge, or the strength once it is at rest."""
        strength = self._strength(reading)
        if self._recent and abs(strength - self._mean()) > 2 * self._error:
            self._recent.clear()
            self._scans = self._sum = 0
        if len(self._recent) == FINE:
            self._sum -= self._recent[0]
        self._recent.append(strength)
        self._sum += strength
        self._scans += 1
        if abs(strength) >= OCCUPIED if not self.occupied else abs(strength) < EMPTY:
            self.occupied = not self.occupied
            self._zero_below = self.zero
            yield Edge(t, self._square, self.occupied)
        if self.occupied:
            yield from self._at_rest(t)
        elif self._scans >= FINE:
            self._follow(self._mean(), FOLLOW_MS)

    def _at_rest(self, t: int) -> Iterator[Fact]:
        mean = self._mean()
        if self._scans == REST:
            yield self._field(t, mean, self._error)
            self._reported = None
        elif self._scans >= FINE and (
            self._reported is None or abs(mean - self._reported) > 2 * self._fine_error
        ):
            yield self._field(t, mean, self._fine_error)
            self._reported = mean
        elif self._reported is not None:
            self._follow(mean - self._reported, STANDING_MS)

    def _field(self, t: int, strength: int, error: int) -> Field:
        side = Side.LIGHT if strength > 0 else Side.DARK
        certain = abs(strength) >= CERTAIN + error
        return Field(t, self._square, strength, error, side if certain else None)

    def _follow(self, strength: int, within_ms: int) -> None:
        zero = self.zero + strength * self._scale.piece / 1000 * SCAN_MS / within_ms
        if self.occupied:
            zero = self._near(zero, self._zero_below, STANDING)
        self.zero = self._near(zero, self._scale.empty, FARTHEST)

    def _near(self, zero: float, other: float, farthest: int) -> float:
        farthest_steps = farthest * abs(self._scale.piece) / 1000
        return min(max(zero, other - farthest_steps), other + farthest_steps)

    def _strength(self, reading: int) -> int:
        strength = round(1000 * (reading - self.zero) / self._scale.piece)
        return min(max(strength, -MOST), MOST)

    def _mean(self) -> int:
        return round(self._sum / len(self._recent))
