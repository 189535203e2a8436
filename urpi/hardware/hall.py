"""The squares on Hall sensors: three converters on I2C that are read 50 times a second.

Emits the same facts as the contacts, and the fields. Buttons and chutes stay contacts.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from errno import EIO
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread
from urpi.hardware.ads7830 import Converter
from urpi.hardware.contact_facts import occupancy
from urpi.hardware.converter_map import ConverterMap
from urpi.hardware.hall_square import SCAN_MS, HallSquare
from urpi.hardware.mcp23017 import I2cBus
from urpi.hardware.pins import Scale
from urpi.hardware.watched_chip import BusWatch, OnFault
from urpi.referee.facts import Fact, Occupancy
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square

if TYPE_CHECKING:
    from urpi.hardware.contacts import Contacts

RAIL: Final = 0.01
"""A reading this near to one of the supply's ends is no sensor's: they keep 0.2 V away (SBAS640B).
"""
DEAD_MS: Final = 1000
"""Milliseconds of such readings after which a sensor counts as dead."""
_log: Final = logging.getLogger(__name__)

Repeat: TypeAlias = Callable[[int, Callable[[], None]], Callable[[], None]]
"""Calls a function at intervals in milliseconds, until the function that it returns is called."""


def in_thread(every_ms: int, act: Callable[[], None]) -> Callable[[], None]:
    """Call a function at intervals in a thread of its own, as `Repeat`."""
    closing = Event()

    def run() -> None:
        due = time.monotonic()
        while not closing.is_set():
            thread.part.alive()
            act()
            # What was missed is not made up for: the bus has been stuck.
            due = max(due + every_ms / 1000, time.monotonic())
            closing.wait(due - time.monotonic())

    def end() -> None:
        closing.set()
        thread.end()

    thread = SupervisedThread(run, "hall", affects_players=True)
    thread.start()
    return end


class HallScanner:
    """The converters and what they have shown. There is no thread here.

    Args:
        converter: The kind of the converters.
        wires: The converters' addresses, and the inputs of the squares.
        open_bus: Opens the I2C bus; called again after a failure.
        on_reading: Called with each reading: the time, the square, and the reading.
        on_fault: Called when a converter is lost or has no live sensor, and with None when all
            respond again.
    """

    def __init__(
        self,
        converter: Converter,
        wires: ConverterMap,
        open_bus: Callable[[], I2cBus],
        on_reading: Callable[[int, Square, int], None],
        on_fault: OnFault = lambda _fault: None,
    ) -> None:
        self._converter, self._wires = converter, wires
        self._on_reading, self._on_fault = on_reading, on_fault
        name = f"The {converter.name.upper()} at 0x"
        cure = "check its power, SDA, SCL and address pins, and that I2C is switched on"
        self._chips = [
            BusWatch(open_bus, f"{name}{address:02X}", cure, self._on_chip_fault)
            for address in wires.addresses
        ]
        self._dead_since: dict[Square, int] = {}
        self.dead: set[Square] = set()
        """The squares whose sensor is dead: its reading is at an end of the supply."""
        self._seen: set[int] = set()

    @property
    def seen(self) -> bool:
        """Whether each converter has responded once."""
        return len(self._seen) == len(self._chips)

    @property
    def lost(self) -> bool:
        """Whether a converter does not respond."""
        return any(chip.lost for chip in self._chips)

    def scan(self, now: int) -> None:
        """Read every square once."""
        for number, chip in enumerate(self._chips):
            chip.attempt(now, partial(self._read, now, number))

    def close(self) -> None:
        for chip in self._chips:
            chip.close()

    def _read(self, now: int, number: int, bus: I2cBus, _is_new: bool) -> None:
        squares = self._wires.of_chip(number)
        for square, channel in squares.items():
            reading = self._converter.read(bus, self._wires.addresses[number], channel)
            if self._is_live(now, square, reading):
                self._on_reading(now, square, reading)
        self._seen.add(number)
        if self.dead.issuperset(squares):
            raise OSError(EIO, "none of its sensors has power")

    def _is_live(self, now: int, square: Square, reading: int) -> bool:
        margin = RAIL * self._converter.full
        if margin <= reading < self._converter.full - margin:
            self._dead_since.pop(square, None)
            if square in self.dead:
                self.dead.discard(square)
                _log.warning("The Hall sensor of %s works again.", SQUARE_NAMES[square])
            return True
        if now - self._dead_since.setdefault(square, now) >= DEAD_MS and square not in self.dead:
            self.dead.add(square)
            _log.warning("%s", dead_sensor(square, reading, self._converter, self._wires))
        return False

    def _on_chip_fault(self, fault: UrpiError | None) -> None:
        # One of them is back: the fault is over only when the others respond as well.
        if fault is not None or not self.lost:
            self._on_fault(fault)


def dead_sensor(square: Square, reading: int, converter: Converter, wires: ConverterMap) -> str:
    """Return a sentence on a sensor whose reading is at an end of the supply."""
    chip, channel = wires.inputs[square]
    return (
        f"The Hall sensor of {SQUARE_NAMES[square]} reads {reading} of {converter.full - 1}, which "
        f"no working one does; check its three wires to CH{channel} of the converter at "
        f"0x{wires.addresses[chip]:02X}, to 3.3 V and to ground."
    )


class HallSquares:
    """The squares on Hall sensors, and the other contacts, which emit facts until `close`.

    A converter that does not respond is not an error: it is reported to `on_fault` and retried.
    A square whose converter or sensor does not work keeps its level.

    Args:
        others: The buttons and chutes.
        converter: The kind of the converters.
        wires: As of `HallScanner`.
        scales: The calibration of each square.
        open_bus: Opens the I2C bus.
        clock: Returns the time in whole milliseconds, never decreasing.
        emit: Called with each fact. It must be quick and thread-safe, and must not call this
            object.
        repeat: Calls the scan at intervals, by default in a thread.
        on_fault: As of `HallScanner`.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        others: "Contacts",
        converter: Converter,
        wires: ConverterMap,
        scales: Sequence[Scale],
        *,
        open_bus: Callable[[], I2cBus],
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        repeat: Repeat = in_thread,
        on_fault: OnFault = lambda _fault: None,
    ) -> None:
        self._others, self._clock = others, clock
        self._emit: Callable[[Fact], None] = lambda _fact: None
        self._squares = [
            HallSquare(square, scale, converter.full)
            for square, scale in zip(ALL_SQUARES, scales, strict=True)
        ]
        self._scanner = HallScanner(converter, wires, open_bus, self._on_reading, on_fault)
        # How the board stands at the start is no edge.
        self._scan()
        self._emit = emit
        self._end = repeat(SCAN_MS, self._scan)

    def read(self) -> Occupancy | None:
        """Return the occupied squares as of the last scan; None until each chip has responded."""
        # Reads the buttons, too.
        self._others.read()
        if not self._scanner.seen:
            return None
        return occupancy(self._clock(), self.levels())

    def levels(self) -> Mapping[str, bool]:
        """Return whether each square is occupied, and each other contact closed, by its name."""
        named = zip(SQUARE_NAMES, self._squares, strict=True)
        return {**self._others.levels(), **{name: square.occupied for name, square in named}}

    def close(self) -> None:
        """Release the pins and the bus. No fact is emitted afterwards."""
        self._end()
        self._scanner.close()
        self._others.close()

    def _scan(self) -> None:
        self._scanner.scan(self._clock())

    def _on_reading(self, t: int, square: Square, reading: int) -> None:
        for fact in self._squares[square].read(t, reading):
            self._emit(fact)
