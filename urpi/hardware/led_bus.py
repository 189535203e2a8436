"""The LEDs of the virtual table: they read the pulses on their data wire, as WS2812B and SK6812 do.

From the data sheets: a bit is 1 if its pulse is longer than the 0.45 us that SK6812 allows for 0
(WS2812B allows 0.55 us, from 0.65 us on it is 1 for both, and WS2812B-V5 has 1 from 0.58 us on);
green, red and blue, the highest bit first; an LED keeps the first 24 bits and passes the others on;
all show their colours when the wire has been low for 0.28 ms.
"""

from collections.abc import Collection
from itertools import groupby
from typing import Final

from urpi.hardware.led_chain import CHAIN, SPEED_HZ, Rgb

ONE_NS: Final = 515
RESET_NS: Final = 280_000


class LedBus:
    """A data wire with its LEDs.

    Args:
        speed_hz: The clock of SPI.
        reached: The number of LEDs that the data reaches: the chain is broken behind them.
        dark: LEDs, counted from 0, that pass data on but do not shine.
    """

    def __init__(
        self, speed_hz: float = SPEED_HZ, reached: int = len(CHAIN), dark: Collection[int] = ()
    ) -> None:
        self._bit_ns, self._reached, self._dark = 1e9 / speed_hz, reached, dark
        self.colours: list[Rgb] = [(0, 0, 0)] * len(CHAIN)
        """The colours of the LEDs, in the order of the chain."""
        self.pictures = 0
        """The number of pictures that have been received."""

    def write(self, data: bytes) -> None:
        """Receive bytes from SPI."""
        bits: list[bool] = []
        wire = "".join(f"{byte:08b}" for byte in data)
        for level, run in groupby(wire):
            ns = len(list(run)) * self._bit_ns
            if level == "1":
                bits.append(ns > ONE_NS)
            elif ns >= RESET_NS and bits:
                self._latch(bits)
                bits = []

    def close(self) -> None:
        """Do nothing: LEDs keep their colours."""

    def lit(self) -> dict[int, Rgb]:
        """Return the colours of the squares that are not dark."""
        found = dict(zip(CHAIN, self.colours, strict=True))
        return {square: colour for square, colour in sorted(found.items()) if any(colour)}

    def _latch(self, bits: list[bool]) -> None:
        self.pictures += 1
        for led in range(min(self._reached, len(bits) // 24)):
            green, red, blue = (
                sum(bit << 7 - n for n, bit in enumerate(bits[at : at + 8]))
                for at in range(24 * led, 24 * led + 24, 8)
            )
            self.colours[led] = (0, 0, 0) if led in self._dark else (red, green, blue)
