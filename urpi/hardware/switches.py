"""The board's contacts on the Pi's header, as gpiozero inputs.

A contact connects its pin to ground, and the pin's pull-up holds it high: low means closed, by a
magnet on the square or a finger on the button. Edges are emitted raw, because the referee does
the debouncing (DESIGN.md, Known pitfalls). `urpi.hardware.contact_facts` converts them to facts.
"""

from collections.abc import Callable, Mapping
from functools import partial
from threading import Timer
from typing import Any

from gpiozero import DigitalInputDevice

from urpi.core.errors import UrpiError
from urpi.hardware.contact_facts import DEFAULT_TIMING, ContactFacts
from urpi.hardware.gpio import close_input, contact_input, pin_fault, reclaim_later
from urpi.hardware.pins import PinMap
from urpi.hardware.presses import PressTiming
from urpi.referee.facts import Fact, Occupancy
from urpi.rules import SQUARE_NAMES, squares_of


class Switches:
    """The contacts on the header's pins, which emit facts from creation until `close`.

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
        return Occupancy(t, squares_of(n for n, name in enumerate(SQUARE_NAMES) if levels[name]))

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
