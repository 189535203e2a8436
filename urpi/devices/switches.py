"""The board's contacts: twenty reed switches and two buttons on gpiozero's inputs.

A contact goes from its pin to ground, and the pin's pull-up holds it high: low is closed, a
magnet stands there, a finger presses. Edges go out raw, because debouncing is the referee's
(DESIGN.md, Traps); only buttons are debounced here, in `urpi.devices.presses`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from threading import Condition, Thread
from types import MappingProxyType
from typing import Any, Final

from gpiozero import DigitalInputDevice, GPIOZeroError

from urpi.devices.pins import PinMap
from urpi.devices.presses import ButtonState, Pressed, PressTiming, due, edge, wait
from urpi.errors import UrpiError
from urpi.referee.facts import Button, Edge, Fact, Occupancy
from urpi.rules import SQUARE_NAMES, Side, Square, squares_of

DEFAULT_TIMING: Final = PressTiming()
_POLL_S: Final = 0.02


class Switches:
    """Facts from the contacts, from the moment it is made until `close`.

    On real pins `emit` is called in gpiozero's thread, on mock pins in the one that drives
    them, and for long presses in one of our own: it must be quick, thread-safe, and not call
    back. `clock` gives whole milliseconds, never decreasing.
    """

    def __init__(
        self,
        factory: Any,
        pins: PinMap,
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        *,
        timing: PressTiming = DEFAULT_TIMING,
    ) -> None:
        """Open every pin.

        Raises:
            UrpiError: when a pin cannot be opened; those already open are closed again.
        """
        self._clock, self._emit, self._timing = clock, emit, timing
        self._inputs: dict[str, DigitalInputDevice] = {}
        self._changed = Condition()
        self._states: Mapping[Side, ButtonState] = MappingProxyType({})
        self._closing = False
        self._waiter = Thread(target=self._wait_for_presses, name="urpi-buttons", daemon=True)
        try:
            for square, gpio in enumerate(pins.squares):
                self._open(SQUARE_NAMES[square], gpio, factory, partial(self._square, square))
            for side, gpio in pins.buttons.items():
                self._states = {**self._states, side: ButtonState()}
                self._open(f"{side.value} button", gpio, factory, partial(self._button, side))
                self._button(side, self._inputs[f"{side.value} button"].is_active)
        except UrpiError:
            self.close()
            raise
        self._waiter.start()

    def read(self) -> Occupancy:
        """Every square's contact as it is now, bounce included.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        t = self._clock()
        return Occupancy(t, squares_of(n for n in range(len(SQUARE_NAMES)) if self._closed(n)))

    def close(self) -> None:
        """Give the pins back; nothing is emitted afterwards."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._waiter.is_alive():
            self._waiter.join()
        for contact in self._inputs.values():
            contact.close()

    def _closed(self, square: Square) -> bool:
        name = SQUARE_NAMES[square]
        try:
            return bool(self._inputs[name].is_active)
        except GPIOZeroError as error:
            raise _pin_error(name, error) from error

    def _open(self, name: str, gpio: int, factory: Any, changed: Callable[[bool], None]) -> None:
        try:
            contact = DigitalInputDevice(gpio, pull_up=True, pin_factory=factory)
        # A pin library's own errors share no base with gpiozero's.
        except Exception as error:
            raise _pin_error(f"{name} on GPIO {gpio}", error) from error
        self._inputs[name] = contact
        contact.when_activated = partial(changed, True)
        contact.when_deactivated = partial(changed, False)

    def _square(self, square: Square, on: bool) -> None:
        if not self._closing:
            self._emit(Edge(self._clock(), square, on))

    def _button(self, side: Side, on: bool) -> None:
        with self._changed:
            self._press(side, edge(self._states[side], self._clock(), on=on, timing=self._timing))
            self._changed.notify_all()

    def _press(self, side: Side, pressed: Pressed) -> None:
        state, presses = pressed
        self._states = {**self._states, side: state}
        for t, press in presses if not self._closing else ():
            self._emit(Button(t, side, press))

    def _wait_for_presses(self) -> None:
        with self._changed:
            while not self._closing:
                for side, state in self._states.items():
                    self._press(side, wait(state, self._clock(), self._timing))
                busy = any(due(s, self._timing) is not None for s in self._states.values())
                self._changed.wait(_POLL_S if busy else None)


def _pin_error(what: str, error: Exception) -> UrpiError:
    return UrpiError(
        f"The contact {what} cannot be used: {error}; does another program hold the pin?"
    )
