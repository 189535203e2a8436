"""The board's contacts as configured: on the header's pins or on I2C expanders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from urpi.config import Config
from urpi.hardware.configured import expander_of
from urpi.hardware.expander import ExpanderSwitches, smbus
from urpi.hardware.mcp23017 import I2cBus
from urpi.hardware.pins import PinMap
from urpi.hardware.presses import PressTiming
from urpi.hardware.switches import Switches
from urpi.hardware.watched_chip import OnFault
from urpi.referee.facts import Fact, Occupancy


@dataclass(frozen=True, slots=True)
class ContactBackend:
    """The pins and buses that contacts are opened on.

    `factory` is the gpiozero pin factory for the header's pins, `pins` the pin map, and
    `open_bus` opens the bus ``/dev/i2c-<port>`` given its port, by default with smbus2.
    """

    factory: Any
    pins: PinMap
    open_bus: Callable[[int], I2cBus] = smbus


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
    """Open the contacts that [gpio] and [expander] of the configuration describe.

    Args:
        config: The configuration.
        backend: The pins and buses to open them on.
        clock: Returns the time in whole milliseconds, never decreasing.
        emit: Called with each fact, in a thread of the contacts.
        on_fault: Called when an expander fails, and with None when it works again. The
            header's pins do not report faults.

    Raises:
        PinsUnavailableError: If a pin cannot be opened at present.
        UrpiError: If smbus2 is missing, or the pin map has no expanders.
    """
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
