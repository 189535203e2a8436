"""A simulated I2C bus with three ADS7828 or ADS7830 and twenty Hall sensors, with smbus2's methods.

The converters follow Texas Instruments' data sheets SBAS181 and SBAS302, the sensors the
unfavourable ends of SBAS640B (DRV5055): noise, and the drift of the zero as they warm up.
"""

from collections.abc import Callable, Sequence
from errno import EREMOTEIO, ETIMEDOUT
from random import Random
from typing import Final

from urpi.hardware import default_pins
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square, Squares
from urpi.simulation.hall_sensors import SquareFields
from urpi.simulation.piece_layout import PieceLayout
from urpi.simulation.schedule import Schedule, Script

CHANNELS: Final = (0, 2, 4, 6, 1, 3, 5, 7)
"""The inputs that C2 C1 C0 select, single-ended (SBAS302, table 2)."""
NOISE: Final = 6 / 3300
"""Half the noise from peak to peak, as a share of the supply."""
DRIFT: Final = 33 / 3300
"""The greatest drift of a sensor's zero within 10 K, as a share of the supply."""
AROUND: Final = -1.7
"""What a piece on a square beside adds to each thousand of its own: its field comes back."""
HOVERING: Final = 160
"""The strength of a piece that a hand holds low over a square."""

_BESIDE: Final = tuple(
    tuple(
        other
        for other, name in enumerate(SQUARE_NAMES)
        if abs(ord(name[0]) - ord(own[0])) + abs(int(name[1]) - int(own[1])) == 1
    )
    for own in SQUARE_NAMES
)
"""The squares that share an edge with each square."""


class HallBus:
    """The converters and sensors.

    Args:
        rng: The randomness of noise, drift, magnets and places.
        bits: The converters' bits.
        scales: Each sensor's reading without a piece, and what a usual light piece adds.
    """

    def __init__(self, rng: Random, bits: int, scales: Sequence[tuple[int, int]]) -> None:
        self._rng, self._bits, self._scales = rng, bits, scales
        wires = default_pins().converters
        self._square_at = {
            (wires.addresses[chip], channel): square
            for square, (chip, channel) in enumerate(wires.inputs)
        }
        self._addresses = wires.addresses
        self._drifts = [rng.uniform(-DRIFT, DRIFT) for _ in ALL_SQUARES]
        self._fields: SquareFields | None = None
        self._schedule = Schedule()
        self._closed: Squares = 0
        self.warmer_k = 0.0
        """By how much the sensors are warmer than at the calibration."""
        self.forced: dict[Square, int] = {}
        """The readings of sensors that do not work."""
        self.missing: set[int] = set()
        """The addresses of converters without power."""
        self.stuck = False
        """Whether SDA is held low."""
        self.bits_on_wire = 0
        """Clock periods of all transfers so far."""

    def connect(self, schedule: Schedule, layout: PieceLayout) -> None:
        """Put the sensors below the pieces of a table."""
        self._schedule, self._fields = schedule, SquareFields(self._rng, layout)

    def edge(self, square: Square, on: bool) -> None:
        """Note that a piece has come near to a square, or has left it."""
        self._closed = self._closed & ~(1 << square) | on << square

    def repeat(self, every_ms: int, act: Callable[[], None]) -> Callable[[], None]:
        """Call a function at intervals of the table's time, until the returned one is called."""
        active = [True]

        def run() -> Script:
            while active:
                yield every_ms
                if active:
                    act()

        self._schedule.start(run())
        return active.clear

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int, /) -> list[int]:
        """Convert the input that a command byte selects, and return its reading.

        Raises:
            OSError: If no converter answers.
        """
        if self.stuck:
            raise OSError(ETIMEDOUT, "Connection timed out")
        # Start, address, command, start again, address, data and stop; each byte has its ACK.
        self.bits_on_wire += 3 + 9 * (3 + length)
        if i2c_addr in self.missing or i2c_addr not in self._addresses:
            raise OSError(EREMOTEIO, "Remote I/O error")
        assert register & 0x8C == 0x84, f"{register:#x} is not single-ended with the supply as REF"
        square = self._square_at.get((i2c_addr, CHANNELS[register >> 4 & 7]))
        reading = 0 if square is None else self._reading(square)
        data = reading.to_bytes(-(-self._bits // 8), "big")
        # What is read beyond the last bit of a conversion is undefined; SDA is then high.
        return [*data, *[0xFF] * length][:length]

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        """Refuse to write: the converters have no registers."""
        raise AssertionError((i2c_addr, register, data))

    def close(self) -> None:
        """Do nothing: the bus holds no resources."""

    def _reading(self, square: Square) -> int:
        if square in self.forced:
            return self.forced[square]
        empty, piece = self._scales[square]
        full = 1 << self._bits
        drift = self._drifts[square] * full * self.warmer_k / 10
        noise = self._rng.uniform(-NOISE, NOISE) * full
        # The output stays 0.2 V away from the supply's ends.
        low, high = 0.2 / 3.3 * full, 3.1 / 3.3 * full
        exact = empty + drift + noise + piece * self._strength(square) / 1000
        return round(min(max(exact, low), high))

    def _strength(self, square: Square) -> float:
        if self._fields is None:
            return 0.0
        near = 0.0
        if self._closed >> square & 1:
            near = self._fields.strength(square) or HOVERING
        return near + self._around(square)

    def _around(self, square: Square) -> float:
        assert self._fields is not None
        beside = (each for each in _BESIDE[square] if self._closed >> each & 1)
        return sum(AROUND * self._fields.strength(each) / 1000 for each in beside)
