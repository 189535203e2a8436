"""The board's contacts as configured: on the header's pins or on I2C expanders.

They are opened again until their pins are available: a pin can be held by another program, or its
chip appear late after boot.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Timer
from typing import Any, Final, Protocol

from gpiozero import DigitalInputDevice

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread
from urpi.hardware.ads7830 import CONVERTERS
from urpi.hardware.configured import contact_pins, expander_of, hall_scales
from urpi.hardware.contact_facts import DEFAULT_TIMING, ContactFacts, occupancy
from urpi.hardware.expander import ExpanderSwitches, smbus
from urpi.hardware.gpio import (
    PinsUnavailableError,
    close_input,
    contact_input,
    pin_fault,
    reclaim_later,
)
from urpi.hardware.hall import HallSquares, Repeat, in_thread
from urpi.hardware.mcp23017 import I2cBus
from urpi.hardware.pins import PinMap
from urpi.hardware.presses import PressTiming
from urpi.hardware.watched_chip import OnFault
from urpi.referee.facts import Fact, Occupancy


@dataclass(frozen=True, slots=True)
class ContactBackend:
    """The pins and buses that contacts are opened on.

    `factory` is the gpiozero pin factory for the header's pins, `pins` the pin map, and
    `open_bus` opens the bus ``/dev/i2c-<port>`` given its port, by default with smbus2. `repeat`
    calls the scan of Hall sensors at intervals.
    """

    factory: Any
    pins: PinMap
    open_bus: Callable[[int], I2cBus] = smbus
    repeat: Repeat = in_thread


class Contacts(Protocol):
    """Opened contacts, which emit facts from their creation until `close`."""

    def read(self) -> Occupancy | None:
        """Return the current level of every square's contact, not debounced.

        None while the contacts cannot be read.
        """

    def levels(self) -> Mapping[str, bool]:
        """Return whether each contact is closed, by the contact's name."""

    def close(self) -> None:
        """Release the pins and the bus. No fact is emitted afterwards."""


def open_contacts(
    config: Config,
    backend: ContactBackend,
    clock: Callable[[], int],
    emit: Callable[[Fact], None],
    on_fault: OnFault,
) -> Contacts:
    """Open the contacts that [gpio], [expander] and [squares] of the configuration describe.

    Args:
        config: The configuration.
        backend: The pins and buses to open them on.
        clock: Returns the time in whole milliseconds, never decreasing.
        emit: Called with each fact, in a thread of the contacts.
        on_fault: Called when an expander or a converter fails, and with None when it works again.
            The header's pins do not report faults.

    Raises:
        PinsUnavailableError: If a pin cannot be opened at present.
        UrpiError: If smbus2 is missing, the pin map has no expanders, or Hall sensors are not
            calibrated.
    """
    if config.squares.sensor == "reed":
        return _open_wired(config, backend, clock, emit, on_fault)
    scales, port = hall_scales(config), config.squares.i2c_port
    others = replace(backend, pins=contact_pins(config, backend.pins))
    return HallSquares(
        _open_wired(config, others, clock, emit, on_fault),
        CONVERTERS[config.squares.converter],
        backend.pins.converters,
        scales,
        open_bus=lambda: backend.open_bus(port),
        clock=clock,
        emit=emit,
        repeat=backend.repeat,
        on_fault=on_fault,
    )


def _open_wired(
    config: Config,
    backend: ContactBackend,
    clock: Callable[[], int],
    emit: Callable[[Fact], None],
    on_fault: OnFault,
) -> Contacts:
    """Open the contacts on the header or on expanders."""
    timing = PressTiming(long_ms=config.buttons.long_press_ms)
    pins, factory = backend.pins, backend.factory
    if config.gpio.wiring == "header":
        return Switches(factory, pins, clock, emit, timing=timing, chutes=config.gpio.chutes)
    expander = expander_of(config, pins)
    return ExpanderSwitches(
        expander,
        lambda: backend.open_bus(expander.port),
        clock,
        emit,
        factory=factory if config.expander.interrupts else None,
        timing=timing,
        poll_ms=config.expander.poll_ms,
        on_fault=on_fault,
    )


class Switches:
    """The contacts on the header's pins, which emit facts from creation until `close`.

    A contact connects its pin to ground, and the pin's pull-up holds it high: low means closed, by
    a magnet on the square or a finger on the button. Edges are emitted raw, because the referee
    does the debouncing (DESIGN.md, Known pitfalls).

    Args:
        factory: The gpiozero pin factory.
        pins: The pin map.
        clock: Returns the time in whole milliseconds, never decreasing.
        emit: Called with each fact, in gpiozero's thread on real pins, in the thread that
            drives the pin on mock pins, and in a thread of this object for presses. It must be
            quick and thread-safe, and must not call this object.
        timing: How long a contact must be stable, and how long a long press is.
        chutes: Whether to open the finish chutes' contacts too.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        factory: Any,
        pins: PinMap,
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        *,
        timing: PressTiming = DEFAULT_TIMING,
        chutes: bool = False,
    ) -> None:
        """Open every pin.

        Raises:
            PinsUnavailableError: If a pin cannot be opened. The pins opened before are closed.
        """
        self._clock = clock
        self._facts = ContactFacts(clock, emit, timing)
        self._inputs: dict[str, DigitalInputDevice] = {}
        self._reclaiming: Timer | None = None
        try:
            for name, gpio in pins.contacts(chutes=chutes).items():
                self._open(name, gpio, factory)
        # The pins opened before are released, so that a retry can open them again.
        except UrpiError:
            self.close()
            raise
        self._facts.start()
        # One claim wakes lgpio's thread for all pins; the last one is claimed again.
        name, contact = next(reversed(self._inputs.items()))
        self._reclaiming = reclaim_later(contact, lambda: self._sync(name))

    def read(self) -> Occupancy:
        """Return the current level of every square's contact, not debounced.

        The buttons are read too, in case one of their edges was lost.

        Raises:
            UrpiError: If a pin cannot be read.
        """
        # Before reading the levels: an edge in between must not be dated before the reading.
        t = self._clock()
        levels = self.levels()
        for name, on in levels.items():
            self._facts.sync_level(name, on)
        return occupancy(t, levels)

    def levels(self) -> Mapping[str, bool]:
        """Return whether each contact is closed, by the contact's name.

        Raises:
            UrpiError: If a pin cannot be read.
        """
        return {name: _closed(name, contact) for name, contact in self._inputs.items()}

    def close(self) -> None:
        """Release the pins. No fact is emitted afterwards."""
        if self._reclaiming is not None:
            self._reclaiming.cancel()
            self._reclaiming.join()
        self._facts.close()
        for contact in self._inputs.values():
            close_input(contact)

    def _open(self, name: str, gpio: int, factory: Any) -> None:
        contact = contact_input(f"The contact {name}", gpio, factory)
        self._inputs[name] = contact
        contact.when_activated = partial(self._facts.on_edge, name, True)
        contact.when_deactivated = partial(self._facts.on_edge, name, False)
        # A button that is held down already makes no edge.
        self._sync(name)

    def _sync(self, name: str) -> None:
        self._facts.sync_level(name, _closed(name, self._inputs[name]))


def _closed(name: str, contact: DigitalInputDevice) -> bool:
    try:
        return bool(contact.is_active)
    # The pin libraries' exceptions share no base class with gpiozero's.
    except Exception as error:
        raise pin_fault(f"The contact {name}", error) from error


RETRY_S: Final = 1.0
"""Seconds between two attempts to open the contacts."""


class RetryingContacts:
    """Contacts that are opened at once or as soon as their pins are available, until `close`.

    Args:
        open_contacts: Opens the contacts.
        on_fault: Called with the error when the pins are unavailable, and with None once the
            contacts are open. The latter call comes from a thread of this object.
        retry_s: Seconds between two attempts.
    """

    def __init__(
        self,
        open_contacts: Callable[[], Contacts],
        on_fault: OnFault,
        *,
        retry_s: float = RETRY_S,
    ) -> None:
        """Open the contacts, or start the thread that retries.

        Raises:
            UrpiError: If retrying cannot help: a library is missing, or the wiring is invalid.
        """
        self._open_contacts, self._on_fault, self._retry_s = open_contacts, on_fault, retry_s
        self._contacts: Contacts | None = None
        self._closing = Event()
        self._thread = SupervisedThread(self._run, "contacts", affects_players=True)
        try:
            self._contacts = open_contacts()
        # Every other error would be the same at the next attempt, and is raised.
        except PinsUnavailableError as error:
            on_fault(error)
            self._thread.start()

    def read(self) -> Occupancy | None:
        """Return the current level of every square's contact, not debounced.

        None while the contacts are not open.

        Raises:
            UrpiError: If a pin cannot be read.
        """
        return None if self._contacts is None else self._contacts.read()

    def close(self) -> None:
        """Stop retrying and close the contacts. No fact is emitted afterwards."""
        self._closing.set()
        # Before closing the contacts: the thread may just be opening them.
        self._thread.end()
        if self._contacts is not None:
            self._contacts.close()

    def _run(self) -> None:
        while not self._closing.wait(self._retry_s):
            self._thread.part.alive()
            try:
                self._contacts = self._open_contacts()
            except UrpiError:
                continue
            self._on_fault(None)
            return
