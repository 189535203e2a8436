"""Simulated MCP23017 port expanders: their registers, on a bus with the methods of smbus2.

Section numbers refer to Microchip's DS20001952D. The program's `urpi.hardware.ExpanderSwitches`
configures and reads them; `ExpanderPins` opens and closes their contacts.
"""

from collections.abc import Callable, Sequence
from errno import EREMOTEIO
from threading import RLock
from typing import Any, Final

from urpi.hardware.contact_facts import button_name, chute_name
from urpi.hardware.expander_map import ExpanderMap
from urpi.hardware.mcp23017 import (
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
    """One MCP23017: its registers, the contacts on its pins, and its interrupt output.

    `interrupt` is called with True when INTA is pulled low, and with False when it is released. A
    pin with neither a pull-up nor a closed contact reads as low; on a real chip its level is
    undefined.
    """

    def __init__(self, interrupt: Callable[[bool], None]) -> None:
        self._interrupt = interrupt
        self._closed = 0
        self._interrupting = False
        self._plugged = True
        self._after_read: dict[int, Callable[[], None]] = {}
        # Contacts are closed in the table's thread and read in the program's.
        self._lock = RLock()
        self._reset()

    def contact(self, bit: int, closed: bool) -> None:
        """Close or open a contact; bit 0 is GPA0, bit 8 GPB0."""
        with self._lock:
            self._closed = self._closed & ~(1 << bit) | closed << bit
            self._compare()

    def unplug(self) -> None:
        """Switch its power off, which resets all registers."""
        with self._lock:
            self._plugged = False
            self._reset()

    def plug(self) -> None:
        """Switch its power on again."""
        self._plugged = True

    def after_read(self, register: int, action: Callable[[], None]) -> None:
        """Run an action once, directly after a register is read: in the middle of a transfer."""
        self._after_read[register] = action

    def read(self, register: int) -> int:
        """Return the register at an address."""
        with self._lock:
            self._check_power()
            place = self._place(register)
            value = self._value(place)
            if INTCAP <= place < OLAT:
                self._clear(place % 2)
            # After the value was taken, so that the action cannot change what this read returns.
            self._after_read.pop(place, _do_nothing)()
            return value

    def write(self, register: int, value: int) -> None:
        """Set the register at an address."""
        with self._lock:
            self._check_power()
            self._set(self._place(register), value)
            self._compare()

    def _set(self, place: int, value: int) -> None:
        register = place - place % 2
        if register == IOCON:
            # One register at two addresses (3.5.6).
            self._registers[IOCON] = self._registers[IOCON + 1] = value
        elif register == GPIO:
            # Writing to GPIO writes to the output latch (3.5.10).
            self._registers[place - GPIO + OLAT] = value
        elif register not in _READ_ONLY:
            self._registers[place] = value

    def _reset(self) -> None:
        # Power-on reset: all pins are inputs (IODIR is FFh), everything else is 0.
        self._registers = [0xFF, 0xFF] + [0] * (REGISTERS - 2)
        self._seen = [self._levels(port) for port in _PORTS]
        self._update_interrupt()

    def _check_power(self) -> None:
        if not self._plugged:
            raise OSError(EREMOTEIO, "Remote I/O error")

    def _place(self, register: int) -> int:
        """Return the place of an address with BANK = 0 (tables 3-1 and 3-2)."""
        if self._registers[IOCON] & _BANK:
            return register % 16 * 2 + register // 16
        return register

    def _value(self, place: int) -> int:
        port = place % 2
        if place - port == GPIO:
            return self._levels(port) ^ self._registers[IPOL + port]
        return self._registers[place]

    def _levels(self, port: int) -> int:
        """Return the levels of a port's pins, a set bit for high; outputs follow OLAT."""
        outputs = ~self._registers[IODIR + port] & 0xFF
        pulled = self._registers[GPPU + port] & ~(self._closed >> 8 * port) & 0xFF
        return pulled & ~outputs | self._registers[OLAT + port] & outputs

    def _compare(self) -> None:
        """Interrupt if an enabled input differs (3.6.5); INTCAP keeps the first one (3.6.4)."""
        for port in _PORTS:
            enabled = self._registers[GPINTEN + port] & self._registers[IODIR + port]
            fixed = self._registers[INTCON + port]
            compared = self._registers[DEFVAL + port] & fixed | self._seen[port] & ~fixed
            differing = (self._levels(port) ^ compared) & enabled
            # Further changes do not overwrite the first one until it has been read.
            if differing and not self._registers[INTF + port]:
                self._registers[INTF + port] = differing
                self._registers[INTCAP + port] = self._levels(port)
        self._update_interrupt()

    def _clear(self, port: int) -> None:
        """End an interrupt; later changes are compared with the present levels."""
        self._registers[INTF + port] = 0
        self._seen[port] = self._levels(port)
        self._compare()

    def _update_interrupt(self) -> None:
        active = any(self._registers[INTF : INTF + 2])
        if active != self._interrupting:
            self._interrupting = active
            self._interrupt(active)


def _do_nothing() -> None:
    pass


class ExpanderBus:
    """A bus with chips by their address, with the methods of smbus2.

    `transfers` is the number of transfers so far.
    """

    def __init__(self, chips: dict[int, ChipModel]) -> None:
        self.chips = chips
        self.transfers = 0

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int, /) -> list[int]:
        """Return `length` registers from an address on.

        Raises:
            OSError: If no chip answers.
        """
        chip = self._chip(i2c_addr)
        return [chip.read(register + at) for at in range(length)]

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        """Set the registers from an address on.

        Raises:
            OSError: If no chip answers.
        """
        chip = self._chip(i2c_addr)
        for at, value in enumerate(data):
            chip.write(register + at, value)

    def close(self) -> None:
        """Do nothing: the bus holds no resources."""

    def _chip(self, address: int) -> ChipModel:
        self.transfers += 1
        if address not in self.chips:
            raise OSError(EREMOTEIO, "Remote I/O error")
        return self.chips[address]


class ExpanderPins:
    """The table's contacts on two chips that are wired according to an `ExpanderMap`.

    `factory` is gpiozero's mock factory, whose pins the chips' interrupt outputs pull. `bus` is the
    bus with both chips.
    """

    def __init__(self, factory: Any, pins: ExpanderMap) -> None:
        self._pins = pins
        self._pulling: dict[int, set[int]] = {gpio: set() for gpio in pins.interrupts}
        self._wires = {gpio: factory.pin(gpio) for gpio in pins.interrupts}
        self.chips = [
            ChipModel(lambda active, chip=chip: self._pull(chip, active))  # type: ignore[misc]
            for chip in range(len(pins.addresses))
        ]
        self.bus = ExpanderBus(dict(zip(pins.addresses, self.chips, strict=True)))
        self.wired = True
        """Whether the interrupt outputs are connected to the pins."""

    def contact(self, name: str, closed: bool) -> None:
        """Close or open the contact with a name."""
        chip, bit = self._pins.inputs[name]
        self.chips[chip].contact(bit, closed)

    def square(self, square: Square, on: bool) -> None:
        """Close or open a square's contact."""
        self.contact(SQUARE_NAMES[square], on)

    def button(self, side: Side, down: bool) -> None:
        """Press or release a player's button."""
        self.contact(button_name(side), down)

    def chute(self, side: Side, closed: bool) -> None:
        """Close or open the contact in a side's finish chute."""
        self.contact(chute_name(side), closed)

    def _pull(self, chip: int, active: bool) -> None:
        gpio = self._pins.interrupts[chip]
        # The outputs are open drain: a shared wire is low while any of the chips pulls it.
        (self._pulling[gpio].add if active else self._pulling[gpio].discard)(chip)
        if self.wired:
            wire = self._wires[gpio]
            (wire.drive_low if self._pulling[gpio] else wire.drive_high)()
