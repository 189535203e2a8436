"""One MCP23017 by its registers: fourteen contacts to ground, and what changed since last time.

Numbers of sections and registers are those of Microchip's DS20001952D, with IOCON.BANK = 0.
Owns the chip's registers; which contact hangs on which pin is `urpi.devices.expander_map`'s.
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
"""Where IOCON is if some program set BANK; with BANK = 0 this is GPINTENB."""
MIRROR: Final = 0x40
"""IOCON: INTA and INTB both tell of both ports."""
OPEN_DRAIN: Final = 0x04
"""IOCON: the interrupt pins pull to ground only, so that several may share a wire."""
INPUTS: Final = 0x7F
"""Of each port: pin 7 can disturb the bus when it is an input."""

_SETTINGS: Final = (
    (IODIR, INPUTS),  # pin 7 drives the low of OLAT
    (IPOL, 0),  # as the wire is: whether INTCAP is turned over too is not said
    (GPINTEN, INPUTS),
    (DEFVAL, 0),  # not compared with
    (INTCON, 0),  # any change tells, not a difference from DEFVAL
    (IOCON, MIRROR | OPEN_DRAIN),
    (GPPU, INPUTS),
)
"""What each of the registers must be, for both ports, in their order without a gap."""


class I2cBus(Protocol):
    """What is used of smbus2's bus. Both raise `OSError` when nobody answers."""

    def read_i2c_block_data(  # noqa: D102
        self, i2c_addr: int, register: int, length: int, /
    ) -> list[int]: ...
    def write_i2c_block_data(  # noqa: D102
        self, i2c_addr: int, register: int, data: Sequence[int], /
    ) -> None: ...
    def close(self) -> None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Reading:
    """What the contacts were when the chip first saw a change, and what they are.

    Bit 0 is GPA0, bit 8 GPB0; set is closed. Of a port that saw no change `first` is `levels`.
    """

    first: int
    levels: int


class Mcp23017:
    """A chip at a 7-bit address of a bus. Every method raises `OSError` when it is not there."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus, self._address = bus, address

    def set_up(self) -> None:
        """Make it as it must be, whatever it was before."""
        write = self._bus.write_i2c_block_data
        write(self._address, IOCON_OF_BANK_1, [0])
        write(self._address, OLAT, [0, 0])
        write(self._address, IODIR, [value for _, value in _SETTINGS for _port in "AB"])

    def read(self) -> Reading | None:
        """What changed and what is, in one transfer; the interrupt is over with it.

        None when the pull-ups are off: the chip has lost its power since, and its pins tell
        nothing before it is set up again.

        GPPU, INTF, INTCAP and GPIO stand one behind the other, and are read in this order.
        INTCAP holds the first change, which may be over by now, and counts only where INTF
        says that there was one: otherwise it is an old one (3.5.9). Reading it ends the
        interrupt (3.6.4), so that what changes behind it but before GPIO is read is seen in
        GPIO, and what changes later tells again.
        """
        found = self._bus.read_i2c_block_data(self._address, GPPU, GPIO + 2 - GPPU)
        pull_ups, told, first, now = (found[at : at + 2] for at in range(0, len(found), 2))
        if pull_ups != [INPUTS, INPUTS]:
            return None
        seen = [one if flags else level for flags, one, level in zip(told, first, now, strict=True)]
        return Reading(_closed(seen), _closed(now))

    def close(self) -> None:
        """Give the bus back."""
        self._bus.close()


def _closed(ports: Sequence[int]) -> int:
    """The closed contacts of both ports: those whose pins are low."""
    return ~ports[0] & INPUTS | (~ports[1] & INPUTS) << 8
