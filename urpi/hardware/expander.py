"""The board's contacts on two MCP23017, polled by a thread on interrupts and at intervals.

Emits the same facts as `urpi.hardware.contacts`. This module has the thread, the buses and the
interrupt wires; `urpi.hardware.watched_chip` evaluates what a poll reads.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Event
from typing import Any, Final

from gpiozero import DigitalInputDevice

from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread
from urpi.hardware.contact_facts import DEFAULT_TIMING, ContactFacts, occupancy
from urpi.hardware.expander_map import ExpanderMap
from urpi.hardware.gpio import close_input, contact_input, reclaim_later
from urpi.hardware.mcp23017 import I2cBus
from urpi.hardware.presses import PressTiming
from urpi.hardware.watched_chip import OnFault, WatchedChip
from urpi.referee.facts import Fact, Occupancy

POLL_MS: Final = 5
"""Milliseconds between two polls without interrupt wires."""
SAFETY_MS: Final = 100
"""Milliseconds between two polls with interrupt wires, in case an interrupt is lost."""
REST_MS: Final = 2
"""Minimum pause between two polls in milliseconds, which lets a contact bounce."""
BURST: Final = 50
"""Number of polls in a row, each triggered by an interrupt, after which the pause is extended."""
STORM_REST_MS: Final = 20
"""The pause after a burst, in milliseconds.

A contact or wire that keeps interrupting is broken; the other devices still need the bus.
"""


def smbus(port: int) -> I2cBus:
    """Open the bus ``/dev/i2c-<port>``.

    Raises:
        UrpiError: If smbus2 is missing.
        OSError: If there is no such bus, or the user may not open it.
    """
    try:
        from smbus2 import SMBus  # noqa: PLC0415 - needed by boards with expanders alone
    except ImportError as error:
        message = f"The library smbus2 is missing ({error}); install urpi[expander]."
        raise UrpiError(message) from error
    bus: I2cBus = SMBus(port)
    return bus


class ExpanderSwitches:
    """The contacts on two MCP23017, which emit facts from creation until `close`.

    A chip that does not respond is not an error: it is reported to `on_fault` and retried.

    Args:
        pins: The expanders' part of the pin map.
        open_bus: Opens the I2C bus; called again after a failure.
        clock: Returns the time in whole milliseconds, never decreasing.
        emit: Called with each fact in a thread of this object. It must be quick and
            thread-safe, and must not call this object.
        factory: The gpiozero pin factory for the interrupt wires, None if there are none.
        timing: How long a contact must be stable, and how long a long press is.
        poll_ms: Milliseconds between two polls without interrupt wires.
        safety_ms: Milliseconds between two polls with interrupt wires.
        on_fault: Called in the same thread with the error when a chip becomes unavailable, and
            with None when all chips respond again.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        pins: ExpanderMap,
        open_bus: Callable[[], I2cBus],
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        *,
        factory: Any | None = None,
        timing: PressTiming = DEFAULT_TIMING,
        poll_ms: int = POLL_MS,
        safety_ms: int = SAFETY_MS,
        on_fault: OnFault = lambda _fault: None,
    ) -> None:
        """Poll the chips once, and open the interrupt wires.

        Raises:
            PinsUnavailableError: If an interrupt's pin cannot be opened.
            UrpiError: If smbus2 is missing.
        """
        self._clock, self._on_fault = clock, on_fault
        self._facts = ContactFacts(clock, emit, timing)
        # The pause after each poll counts towards the interval.
        self._wait_ms = (poll_ms if factory is None else safety_ms) - REST_MS
        self._chips = [
            WatchedChip(
                open_bus, address, pins.of_chip(chip), self._facts.on_edge, self._on_chip_fault
            )
            for chip, address in enumerate(pins.addresses)
        ]
        self._wake = Event()
        self._interrupted_at: int | None = None
        self._closing = False
        self._poll()
        self._wires = self._open_wires(pins, factory)
        self._thread = SupervisedThread(self._run, "expander", affects_players=True)
        self._facts.start()
        self._thread.start()
        self._reclaiming = [reclaim_later(wire, self._wake.set) for wire in self._wires[-1:]]

    @property
    def lost(self) -> bool:
        """Whether a chip does not respond."""
        return any(chip.lost for chip in self._chips)

    def read(self) -> Occupancy | None:
        """Return every square's contact as of the last poll, not debounced.

        The last poll is at most `safety_ms` old. The contacts of a chip that does not respond
        keep their last levels. The buttons are evaluated too, in case an edge was lost.

        Returns:
            The reading, or None until each chip has responded once.
        """
        if not all(chip.seen for chip in self._chips):
            return None
        t = self._clock()
        levels = self.levels()
        for name, on in levels.items():
            self._facts.sync_level(name, on)
        return occupancy(t, levels)

    def levels(self) -> dict[str, bool]:
        """Return whether each contact was closed at the last poll, by the contact's name."""
        return {name: on for chip in self._chips for name, on in chip.levels.items()}

    def close(self) -> None:
        """Release the pins and the buses. No fact is emitted afterwards."""
        for timer in self._reclaiming:
            timer.cancel()
            # A timer that is running could open a wire again after it was closed below.
            timer.join()
        self._closing = True
        self._facts.close()
        self._wake.set()
        self._thread.end()
        for wire in self._wires:
            close_input(wire)
        for chip in self._chips:
            chip.close()

    def _open_wires(self, pins: ExpanderMap, factory: Any | None) -> list[DigitalInputDevice]:
        try:
            return [] if factory is None else list(_wires(pins, factory, self._on_interrupt))
        except UrpiError:
            for chip in self._chips:
                chip.close()
            raise

    def _on_chip_fault(self, fault: UrpiError | None) -> None:
        # One of the two is back: the fault is over only when the other responds as well.
        if fault is not None or not self.lost:
            self._on_fault(fault)

    def _on_interrupt(self) -> None:
        self._interrupted_at = self._clock()
        self._wake.set()

    def _run(self) -> None:
        rest, in_a_row = Event(), 0
        while not self._closing:
            self._thread.part.alive()
            in_a_row = in_a_row + 1 if self._wake.is_set() else 0
            self._wake.wait(self._wait_ms / 1000)
            self._wake.clear()
            if not self._closing:
                self._poll()
            # `rest` is never set: an interrupt must not cut this pause short.
            rest.wait((REST_MS if in_a_row < BURST else STORM_REST_MS) / 1000)
            if self._still_active():
                self._wake.set()

    def _poll(self) -> None:
        # Taken before reading: an interrupt during the poll belongs to the next one.
        changed_at, self._interrupted_at = self._interrupted_at, None
        now = self._clock()
        for chip in self._chips:
            chip.poll(now, changed_at)

    def _still_active(self) -> bool:
        """Return whether a wire is still low.

        It is if a contact changed just after the poll: the wire then makes no new edge.
        """
        try:
            return any(wire.is_active for wire in self._wires)
        # The pin libraries' exceptions share no base class; the next poll comes soon anyway.
        except Exception:
            return False


def _wires(
    pins: ExpanderMap, factory: Any, on_interrupt: Callable[[], None]
) -> Iterator[DigitalInputDevice]:
    """Open the interrupt wires, each GPIO once: chips can share one, as it is open drain."""
    with ExitStack() as opened:
        for gpio in dict.fromkeys(pins.interrupts):
            wire = contact_input("The interrupt wire", gpio, factory)
            opened.callback(wire.close)
            wire.when_activated = on_interrupt
            yield wire
        opened.pop_all()
