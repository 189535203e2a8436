"""What a contact's edge means: a square's edge goes out raw, a button's as presses, a chute's once.

Knows no pin and no chip: whoever watches the contacts (`urpi.devices.switches` on the Pi's
header, `urpi.devices.expander` behind I2C) names the contact that changed.
"""

from collections.abc import Callable
from threading import Condition, Thread
from typing import Final

from urpi.devices.button_pair import Buttons, Place, PressEvent, due, on_edge, tick
from urpi.devices.presses import PressTiming
from urpi.referee.facts import Button, Chute, Edge, Fact
from urpi.rules import SQUARE_NAMES, Side

DEFAULT_TIMING: Final = PressTiming()
CHUTE_REST_MS: Final = 300
"""A chute counts again when its contact has been open so long: a falling piece rattles."""
_POLL_S: Final = 0.02
_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


def button_name(side: Side, number: int = 1) -> str:
    """The contact of a side's button; a second one stands at the board's other end.

    >>> button_name(Side.LIGHT), button_name(Side.DARK, 2)
    ('light button', 'dark button 2')
    """
    return f"{side.value} button" if number == 1 else f"{side.value} button {number}"


def _place(name: str) -> Place:
    side, _, number = name.partition(" button")
    return Side(side), int(number or 1)


def chute_name(side: Side) -> str:
    """The contact in a side's finish chute."""
    return f"{side.value} chute"


_CHUTES: Final = {chute_name(side): side for side in Side}


class ContactFacts:
    """Facts from named contacts, from the moment it is made until `close`.

    `changed` may be called in any thread; `emit` is called in that one, and for long presses
    in one of our own: it must be quick, thread-safe, and not call back. `clock` gives whole
    milliseconds, never decreasing.
    """

    def __init__(
        self,
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        timing: PressTiming = DEFAULT_TIMING,
    ) -> None:
        self._clock, self._emit, self._timing = clock, emit, timing
        self._changed = Condition()
        self._buttons = Buttons()
        self._chute_open_since: dict[str, int | None] = {}
        self._closing = False
        self._waiter = Thread(target=self._wait_for_presses, name="urpi-buttons", daemon=True)

    def start(self) -> None:
        """Begin to tell long presses."""
        self._waiter.start()

    def changed(self, name: str, on: bool, t: int | None = None) -> None:
        """A contact closed or opened, at `t` where that is known better than by now."""
        if self._closing:
            return
        when = self._clock() if t is None else t
        if name in _SQUARES:
            self._emit(Edge(when, _SQUARES[name], on))
        elif name in _CHUTES:
            self._chute(name, on, when)
        else:
            self._button(name, on, when)

    def is_now(self, name: str, on: bool) -> None:
        """A button's level as it was read; what edges were lost is made up for."""
        if name not in _SQUARES and name not in _CHUTES:
            self.changed(name, on)

    def close(self) -> None:
        """Stop; nothing is emitted afterwards."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._waiter.is_alive():
            self._waiter.join()

    def _chute(self, name: str, on: bool, t: int) -> None:
        with self._changed:
            open_since = self._chute_open_since.get(name, t - CHUTE_REST_MS)
            self._chute_open_since[name] = None if on else t
            rested = open_since is not None and t - open_since >= CHUTE_REST_MS
            if on and rested:
                self._emit(Chute(t, _CHUTES[name]))

    def _button(self, name: str, on: bool, t: int) -> None:
        with self._changed:
            self._hand_on(on_edge(self._buttons, _place(name), t, on=on, timing=self._timing))
            self._changed.notify_all()

    def _hand_on(self, pressed: tuple[Buttons, tuple[PressEvent, ...]]) -> None:
        self._buttons, told = pressed
        for t, side, press in told if not self._closing else ():
            self._emit(Button(t, side, press))

    def _wait_for_presses(self) -> None:
        with self._changed:
            while not self._closing:
                self._hand_on(tick(self._buttons, self._clock(), self._timing))
                busy = due(self._buttons, self._timing) is not None
                self._changed.wait(_POLL_S if busy else None)
