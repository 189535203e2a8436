"""Access to one ADS7830 or ADS7828: eight inputs, converted one at a time on request.

Both are the same but for their bits: 8 and 12. Texas Instruments SBAS302 and SBAS181.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from urpi.hardware.mcp23017 import I2cBus

SINGLE_ENDED: Final = 0x80
"""SD: each input is measured against COM, which is at ground."""
REFERENCE_OFF: Final = 0x04
"""PD1 = 0, PD0 = 1: the converter stays on, and the pin REF is an input, at the supply."""


def command(channel: int) -> int:
    """Return the command byte that selects and converts an input.

    The bits C2 C1 C0 are not the input's number: they choose a pair and, in C2, its odd input.

    >>> [hex(command(channel)) for channel in range(4)]
    ['0x84', '0xc4', '0x94', '0xd4']
    """
    return SINGLE_ENDED | (channel % 2) << 6 | channel // 2 << 4 | REFERENCE_OFF


@dataclass(frozen=True, slots=True)
class Converter:
    """A kind of converter: its name and the bits of a reading."""

    name: str
    bits: int

    @property
    def full(self) -> int:
        """The reading at the supply's voltage, plus one."""
        return 1 << self.bits

    def read(self, bus: I2cBus, address: int, channel: int) -> int:
        """Convert an input. It needs no set-up, so that a loss of power leaves no trace.

        Raises:
            OSError: If no chip responds.
        """
        # A transfer of its own for each input: the Pi's I2C controller refuses a message that
        # reads unless it is the last of a transfer (EOPNOTSUPP).
        data = bus.read_i2c_block_data(address, command(channel), -(-self.bits // 8))
        return int.from_bytes(bytes(data), "big") & self.full - 1


CONVERTERS: Final[Mapping[str, Converter]] = {
    each.name: each for each in (Converter("ads7828", 12), Converter("ads7830", 8))
}
