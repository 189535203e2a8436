"""The board's contacts on the Pi's own header: gpiozero's inputs.

A contact goes from its pin to ground, and the pin's pull-up holds it high: low is closed, a
magnet stands there, a finger presses. Edges go out raw, because debouncing is the referee's
(DESIGN.md, Traps); what they mean is `urpi.devices.contact_facts`'.
"""

from collections.abc import Callable, Mapping
from functools import partial
from threading import Timer
from typing import Any

from gpiozero import DigitalInputDevice

from urpi.devices.contact_facts import DEFAULT_TIMING, ContactFacts
from urpi.devices.gpio import contact_input, pin_fault, reclaim_later
from urpi.devices.pins import PinMap
from urpi.devices.presses import PressTiming
from urpi.errors import UrpiError
from urpi.referee.facts import Fact, Occupancy
from urpi.rules import SQUARE_NAMES, squares_of


class Switches:
    """Facts from the contacts, from the moment it is made until `close`.

    On real pins `emit` is called in gpiozero's thread, on mock pins in the one that drives
    them, and for long presses in one of our own: it must be quick, thread-safe, and not call
    back. `clock` gives whole milliseconds, never decreasing. `chutes` watches the finish
    chutes too.
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
            PinsUnavailableError: when a pin cannot be opened; those already open are closed again.
        """
        self._clock = clock
        self._facts = ContactFacts(clock, emit, timing)
        self._inputs: dict[str, DigitalInputDevice] = {}
        self._claiming: Timer | None = None
        try:
            for name, gpio in pins.contacts(chutes=chutes).items():
                self._open(name, gpio, factory)
        except UrpiError:
            self.close()
            raise
        self._facts.start()
        name, contact = next(reversed(self._inputs.items()))
        self._claiming = reclaim_later(contact, lambda: self._look_at(name))

    def read(self) -> Occupancy:
        """Every square's contact as it is now, bounce included; buttons are looked at too.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        t = self._clock()
        levels = self.levels()
        for name, on in levels.items():
            self._facts.is_now(name, on)
        return Occupancy(t, squares_of(n for n, name in enumerate(SQUARE_NAMES) if levels[name]))

    def levels(self) -> Mapping[str, bool]:
        """Every contact by its name: whether it is closed.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        return {name: _closed(name, contact) for name, contact in self._inputs.items()}

    def close(self) -> None:
        """Give the pins back; nothing is emitted afterwards."""
        if self._claiming is not None:
            self._claiming.cancel()
            self._claiming.join()
        self._facts.close()
        for contact in self._inputs.values():
            contact.close()

    def _open(self, name: str, gpio: int, factory: Any) -> None:
        contact = contact_input(f"The contact {name}", gpio, factory)
        self._inputs[name] = contact
        contact.when_activated = partial(self._facts.changed, name, True)
        contact.when_deactivated = partial(self._facts.changed, name, False)
        self._look_at(name)

    def _look_at(self, name: str) -> None:
        self._facts.is_now(name, _closed(name, self._inputs[name]))


def _closed(name: str, contact: DigitalInputDevice) -> bool:
    try:
        return bool(contact.is_active)
    # A pin library's own errors share no base with gpiozero's.
    except Exception as error:
        raise pin_fault(f"The contact {name}", error) from error
