"""Conversion of contacts' edges to facts.

A square's edges are emitted raw, a button's as presses, and a chute's once per piece. Contacts
are identified by name; pins and chips belong to `urpi.hardware.contacts` (the Pi's header) and
`urpi.hardware.expander` (I2C).
"""

from collections.abc import Callable
from threading import Condition, Thread
from typing import Final

from urpi.hardware.button_pair import Buttons, Place, PressEvent, due, on_edge, tick
from urpi.hardware.presses import PressTiming
from urpi.referee.facts import Button, Chute, Edge, Fact
from urpi.rules import SQUARE_NAMES, Side

DEFAULT_TIMING: Final = PressTiming()
CHUTE_REST_MS: Final = 300
"""How long a chute's contact must be open before it counts again: a falling piece rattles."""
_POLL_S: Final = 0.02
_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


def button_name(side: Side, number: int = 1) -> str:
    """Return the name of a side's button, by default of its first one.

    A second one (number 2) is at the board's other end.

    >>> button_name(Side.LIGHT), button_name(Side.DARK, 2)
    ('light button', 'dark button 2')
    """
    return f"{side.value} button" if number == 1 else f"{side.value} button {number}"


def _place(name: str) -> Place:
    side, _, number = name.partition(" button")
    return Side(side), int(number or 1)


def chute_name(side: Side) -> str:
    """Return the name of the contact in a side's finish chute."""
    return f"{side.value} chute"


_CHUTES: Final = {chute_name(side): side for side in Side}


class ContactFacts:
    """Facts from named contacts, emitted from creation until `close`.

    `on_edge` may be called in any thread.

    Args:
        clock: Returns the time in whole milliseconds, never decreasing.
        emit: Called with each fact: in the thread that calls `on_edge`, and for presses also in
            a thread of this object. It must be quick and thread-safe, and must not call this
            object.
        timing: How long a contact must be stable, and how long a long press is.
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
        """Start the thread that detects presses."""
        self._waiter.start()

    def on_edge(self, name: str, on: bool, t: int | None = None) -> None:
        """Process an edge of a contact.

        Args:
            name: The contact's name.
            on: Whether the contact closed.
            t: The time of the edge in milliseconds; the current time if None.
        """
        if self._closing:
            return
        when = self._clock() if t is None else t
        if name in _SQUARES:
            self._emit(Edge(when, _SQUARES[name], on))
        elif name in _CHUTES:
            self._on_chute_edge(name, on, when)
        else:
            self._on_button_edge(name, on, when)

    def sync_level(self, name: str, on: bool) -> None:
        """Correct a button's state after its level was read, in case edges were lost.

        Squares and chutes are ignored: the referee is sent whole readings of the squares, and a
        chute counts edges only.
        """
        if name not in _SQUARES and name not in _CHUTES:
            self.on_edge(name, on)

    def close(self) -> None:
        """Stop the thread. No fact is emitted afterwards."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._waiter.is_alive():
            self._waiter.join()

    def _on_chute_edge(self, name: str, on: bool, t: int) -> None:
        with self._changed:
            open_since = self._chute_open_since.get(name, t - CHUTE_REST_MS)
            self._chute_open_since[name] = None if on else t
            rested = open_since is not None and t - open_since >= CHUTE_REST_MS
            if on and rested:
                self._emit(Chute(t, _CHUTES[name]))

    def _on_button_edge(self, name: str, on: bool, t: int) -> None:
        with self._changed:
            self._update(on_edge(self._buttons, _place(name), t, on=on, timing=self._timing))
            self._changed.notify_all()

    def _update(self, result: tuple[Buttons, tuple[PressEvent, ...]]) -> None:
        self._buttons, presses = result
        for t, side, press in presses if not self._closing else ():
            self._emit(Button(t, side, press))

    def _wait_for_presses(self) -> None:
        with self._changed:
            while not self._closing:
                self._update(tick(self._buttons, self._clock(), self._timing))
                busy = due(self._buttons, self._timing) is not None
                self._changed.wait(_POLL_S if busy else None)
