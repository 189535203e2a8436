"""Register access to one MCP23017 with fourteen contacts to ground.

Section and register numbers are those of Microchip's data sheet DS20001952D, with
IOCON.BANK = 0. The assignment of contacts to pins is in `urpi.hardware.expander_map`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

IODIR: Final = 0x00
IPOL: Final = 0x02
GPINTEN: Final = 0x04
DEFVAL: Final = 0x06
INTCON: Final = 0x08
IOCON: Final = 0x0A
GPPU: Final = 0x0C
INTF: Final = 0x0E
INTCAP: Final = 0x10
GPIO: Final = 0x12
OLAT: Final = 0x14
"""Port A's registers; port B's are one higher."""
IOCON_OF_BANK_1: Final = 0x05
"""IOCON's address if another program has set BANK; with BANK = 0 this is GPINTENB."""
MIRROR: Final = 0x40
"""IOCON: INTA and INTB both signal changes of either port."""
OPEN_DRAIN: Final = 0x04
"""IOCON: the interrupt pins only pull to ground, so that chips can share a wire."""
INPUTS: Final = 0x7F
"""The input pins of each port: pin 7 can disturb the bus if it is an input."""

_SETTINGS: Final = (
    (IODIR, INPUTS),  # pin 7 is an output, low as in OLAT
    (IPOL, 0),  # not inverted: the data sheet does not specify whether INTCAP would be, too
    (GPINTEN, INPUTS),
    (DEFVAL, 0),  # unused, because of INTCON
    (INTCON, 0),  # interrupt on any change, not on a difference from DEFVAL
    (IOCON, MIRROR | OPEN_DRAIN),
    (GPPU, INPUTS),
)
"""The registers' settings, the same for both ports, in ascending order without a gap."""


class I2cBus(Protocol):
    """The part of smbus2's SMBus that is used. Transfers raise `OSError` if no chip responds."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int, /) -> list[int]: ...
    def write_i2c_block_data(
        self, i2c_addr: int, register: int, data: Sequence[int], /
    ) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """The contacts at the first change since the last reading, and now.

    Bit 0 is GPA0, bit 8 is GPB0; a set bit means closed. For a port without a change, `first`
    equals `levels`.
    """

    first: int
    levels: int


class Mcp23017:
    """A chip at a 7-bit address of a bus. Every method raises `OSError` if it does not respond."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus, self._address = bus, address

    def set_up(self) -> None:
        """Write all settings, whatever the chip's state was before."""
        write = self._bus.write_i2c_block_data
        # Clear BANK first, so that the following addresses are the intended registers.
        write(self._address, IOCON_OF_BANK_1, [0])
        # Before the directions, so that no output is high for a moment.
        write(self._address, OLAT, [0, 0])
        write(self._address, IODIR, [value for _, value in _SETTINGS for _port in "AB"])

    def read(self) -> Reading | None:
        """Read changed and current levels in one transfer, and clear the interrupt.

        GPPU, INTF, INTCAP and GPIO have consecutive addresses, and are read in this order.
        INTCAP holds the levels at the first change, which may be over by now. It is valid only
        where INTF is set, and otherwise left from an earlier interrupt (3.5.9). Reading it clears
        the interrupt (3.6.4): a change before GPIO is read appears in GPIO, and a later one
        causes another interrupt.

        Returns:
            The reading. None if the pull-ups are off: the chip has lost its power in the
            meantime, and its pins are undefined until it is set up again.
        """
        found = self._bus.read_i2c_block_data(self._address, GPPU, GPIO + 2 - GPPU)
        pull_ups, flags, captured, now = (found[at : at + 2] for at in range(0, len(found), 2))
        # The register is 0 after a power-on reset, so it also shows a short loss of power.
        if pull_ups != [INPUTS, INPUTS]:
            return None
        first = [
            capture if flag else level
            for flag, capture, level in zip(flags, captured, now, strict=True)
        ]
        return Reading(_closed(first), _closed(now))


def _closed(ports: Sequence[int]) -> int:
    """Return the closed contacts of both ports: those whose pins are low."""
    return ~ports[0] & INPUTS | (~ports[1] & INPUTS) << 8
