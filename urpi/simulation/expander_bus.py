"""The table's expanders: MCP23017 by their registers, on a bus as smbus2 offers it.

Numbers of sections are those of Microchip's DS20001952D. The program's own
`urpi.devices.ExpanderSwitches` sets them up and reads them; `ExpanderPins` closes the contacts.
"""

from collections.abc import Callable, Sequence
from errno import EREMOTEIO
from threading import RLock
from typing import Any, Final

from urpi.devices.contact_facts import button_name, chute_name
from urpi.devices.expander_map import ExpanderMap
from urpi.devices.mcp23017 import (
    DEFVAL,
    GPINTEN,
    GPIO,
    GPPU,
    INTCAP,
    INTCON,
    INTF,
    IOCON,
    IODIR,
    IPOL,
    OLAT,
)
from urpi.rules import SQUARE_NAMES, Side, Square

REGISTERS: Final = OLAT + 2
_BANK: Final = 0x80
_READ_ONLY: Final = (INTF, INTCAP)
_PORTS: Final = range(2)


class ChipModel:
    """One MCP23017: its registers, the contacts on its pins, and its interrupt wire.

    `interrupt` is told True when INTA is pulled low, False when it is let go. A pin with
    neither pull-up nor closed contact reads as low here: on a real one nobody can tell.
    """

    def __init__(self, interrupt: Callable[[bool], None]) -> None:
        self._interrupt = interrupt
        self._closed = 0
        self._told = False
        self._plugged = True
        self._behind: dict[int, Callable[[], None]] = {}
        # Hands close contacts in one thread, the program reads in another.
        self._lock = RLock()
        self._reset()

    def contact(self, bit: int, closed: bool) -> None:
        """A contact closes or opens; bit 0 is GPA0, bit 8 GPB0."""
        with self._lock:
            self._closed = self._closed & ~(1 << bit) | closed << bit
            self._compare()

    def unplug(self) -> None:
        """Its power goes, and with it all that was set."""
        with self._lock:
            self._plugged = False
            self._reset()

    def plug(self) -> None:
        """Its power comes back."""
        self._plugged = True

    def behind(self, register: int, action: Callable[[], None]) -> None:
        """Do it once, right after that register was read: in the middle of a transfer."""
        self._behind[register] = action

    def read(self, register: int) -> int:
        """A register by its address."""
        with self._lock:
            self._answer()
            place = self._place(register)
            value = self._value(place)
            if INTCAP <= place < OLAT:
                self._clear(place % 2)
            self._behind.pop(place, _nothing)()
            return value

    def write(self, register: int, value: int) -> None:
        """Set a register by its address."""
        with self._lock:
            self._answer()
            self._set(self._place(register), value)
            self._compare()

    def _set(self, place: int, value: int) -> None:
        register = place - place % 2
        if register == IOCON:
            self._registers[IOCON] = self._registers[IOCON + 1] = value
        elif register == GPIO:
            self._registers[place - GPIO + OLAT] = value
        elif register not in _READ_ONLY:
            self._registers[place] = value

    def _reset(self) -> None:
        self._registers = [0xFF, 0xFF] + [0] * (REGISTERS - 2)
        self._seen = [self._levels(port) for port in _PORTS]
        self._tell()

    def _answer(self) -> None:
        if not self._plugged:
            raise OSError(EREMOTEIO, "Remote I/O error")

    def _place(self, register: int) -> int:
        """Where an address is with BANK = 0 (table 3-1 and 3-2)."""
        if self._registers[IOCON] & _BANK:
            return register % 16 * 2 + register // 16
        return register

    def _value(self, place: int) -> int:
        port = place % 2
        if place - port == GPIO:
            return self._levels(port) ^ self._registers[IPOL + port]
        return self._registers[place]

    def _levels(self, port: int) -> int:
        """The pins of a port as they are, set is high; outputs are as OLAT says."""
        outputs = ~self._registers[IODIR + port] & 0xFF
        pulled = self._registers[GPPU + port] & ~(self._closed >> 8 * port) & 0xFF
        return pulled & ~outputs | self._registers[OLAT + port] & outputs

    def _compare(self) -> None:
        """Interrupt where an enabled input differs (3.6.5); the first one is kept (3.6.4)."""
        for port in _PORTS:
            asked = self._registers[GPINTEN + port] & self._registers[IODIR + port]
            fixed = self._registers[INTCON + port]
            compared = self._registers[DEFVAL + port] & fixed | self._seen[port] & ~fixed
            differing = (self._levels(port) ^ compared) & asked
            if differing and not self._registers[INTF + port]:
                self._registers[INTF + port] = differing
                self._registers[INTCAP + port] = self._levels(port)
        self._tell()

    def _clear(self, port: int) -> None:
        """The interrupt is over; what the pins are now is what later changes differ from."""
        self._registers[INTF + port] = 0
        self._seen[port] = self._levels(port)
        self._compare()

    def _tell(self) -> None:
        told = any(self._registers[INTF : INTF + 2])
        if told != self._told:
            self._told = told
            self._interrupt(told)


def _nothing() -> None:
    pass


class ExpanderBus:
    """A bus with chips by their address, as smbus2 offers it. `transfers` counts what was done."""

    def __init__(self, chips: dict[int, ChipModel]) -> None:
        self.chips = chips
        self.transfers = 0

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int, /) -> list[int]:
        """The registers from that one on.

        Raises:
            OSError: when no chip answers.
        """
        chip = self._chip(i2c_addr)
        return [chip.read(register + at) for at in range(length)]

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        """Set the registers from that one on.

        Raises:
            OSError: when no chip answers.
        """
        chip = self._chip(i2c_addr)
        for at, value in enumerate(data):
            chip.write(register + at, value)

    def close(self) -> None:
        """Nothing to give back."""

    def _chip(self, address: int) -> ChipModel:
        self.transfers += 1
        if address not in self.chips:
            raise OSError(EREMOTEIO, "Remote I/O error")
        return self.chips[address]


class ExpanderPins:
    """The table's contacts on two chips that are wired as that map says.

    `factory` is gpiozero's mock one, whose pins the chips' interrupts pull; `bus` is the bus.
    """

    def __init__(self, factory: Any, pins: ExpanderMap) -> None:
        self._pins = pins
        self._pulling: dict[int, set[int]] = {gpio: set() for gpio in pins.interrupts}
        self._wires = {gpio: factory.pin(gpio) for gpio in pins.interrupts}
        self.chips = [
            ChipModel(lambda told, chip=chip: self._pull(chip, told))  # type: ignore[misc]
            for chip in range(len(pins.addresses))
        ]
        self.bus = ExpanderBus(dict(zip(pins.addresses, self.chips, strict=True)))
        self.wired = True
        """Whether the interrupt wires lead to the pins."""

    def contact(self, name: str, closed: bool) -> None:
        """A contact of that name closes or opens."""
        chip, bit = self._pins.inputs[name]
        self.chips[chip].contact(bit, closed)

    def square(self, square: Square, on: bool) -> None:
        """A square's contact closes or opens."""
        self.contact(SQUARE_NAMES[square], on)

    def button(self, side: Side, down: bool) -> None:
        """A player's button goes down or up."""
        self.contact(button_name(side), down)

    def chute(self, side: Side, closed: bool) -> None:
        """The contact in a side's finish chute closes or opens."""
        self.contact(chute_name(side), closed)

    def _pull(self, chip: int, told: bool) -> None:
        gpio = self._pins.interrupts[chip]
        (self._pulling[gpio].add if told else self._pulling[gpio].discard)(chip)
        if self.wired:
            wire = self._wires[gpio]
            (wire.drive_low if self._pulling[gpio] else wire.drive_high)()
