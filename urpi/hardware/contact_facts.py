"""Conversion of contacts' edges to facts.

A square's edges are emitted raw, a button's as presses, and a chute's once per piece. Contacts
are identified by name; pins and chips belong to `urpi.hardware.contacts` (the Pi's header) and
`urpi.hardware.expander` (I2C).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Condition
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.core.supervision import SupervisedThread
from urpi.hardware import presses
from urpi.hardware.presses import ButtonState, PressTiming
from urpi.referee import facts
from urpi.referee.facts import Button, Chute, Edge, Fact, Occupancy
from urpi.rules import SQUARE_NAMES, Side, squares_of

DEFAULT_TIMING: Final = PressTiming()
CHUTE_REST_MS: Final = 300
"""How long a chute's contact must be open before it counts again: a falling piece rattles."""
_POLL_S: Final = 0.02
_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}
Place: TypeAlias = tuple[Side, int]
"""A button: its side and its number, from 1."""
PressEvent: TypeAlias = tuple[int, Side, facts.Press]
"""The time at which a press was decided, its side, and ``short``, ``long`` or ``both``.

``both`` is reported for light.
"""

BOTH: Final = "both"


@dataclass(frozen=True, slots=True)
class Buttons:
    """The state of all buttons.

    While a button of each side is held, neither reports a long press of its own, so that holding or
    leaning on both does not confirm anything. ``both`` is reported once, when they have been down
    together for the length of a long press. A button whose long press has been reported already is
    ignored here, so that the opponent can use the other button while it is still held.

    `joined` are the buttons that are held together, which report no long press of their own.
    `together` is when both sides began to hold one, None if they do not or ``both`` has been
    reported.
    """

    states: Mapping[Place, ButtonState] = field(default_factory=lambda: MappingProxyType({}))
    joined: frozenset[Place] = frozenset()
    together: int | None = None


def due(buttons: Buttons, timing: PressTiming) -> int | None:
    """Return when `tick` must be called next; None while only an edge can change the state."""
    times = [presses.due(state, timing) for state in buttons.states.values()]
    return min((t for t in (*times, _both_due(buttons, timing)) if t is not None), default=None)


def on_edge(
    buttons: Buttons, place: Place, t: int, *, on: bool, timing: PressTiming
) -> tuple[Buttons, tuple[PressEvent, ...]]:
    """Advance the buttons to a raw edge of one at `t`, and return the presses decided before it."""
    buttons, events = tick(buttons, t, timing)
    state, _ = presses.on_edge(_state(buttons, place), t, on=on, timing=timing)
    return _with(buttons, place, state), events


def tick(buttons: Buttons, t: int, timing: PressTiming) -> tuple[Buttons, tuple[PressEvent, ...]]:
    """Advance the buttons to time `t` without an edge, and return the presses decided."""
    events: list[PressEvent] = []
    while (when := due(buttons, timing)) is not None and when <= t:
        if when == _both_due(buttons, timing):
            buttons = replace(buttons, together=None)
            events.append((when, Side.LIGHT, BOTH))
        else:
            buttons, more = _decide(buttons, when, timing)
            events += more
    return buttons, tuple(events)


def _state(buttons: Buttons, place: Place) -> ButtonState:
    return buttons.states.get(place, ButtonState())


def _with(buttons: Buttons, place: Place, state: ButtonState) -> Buttons:
    return replace(buttons, states=MappingProxyType({**buttons.states, place: state}))


def _both_due(buttons: Buttons, timing: PressTiming) -> int | None:
    held = [buttons.states[place] for place in buttons.joined]
    # As for one button: a contact may be bouncing at that moment, so wait until it has closed.
    if buttons.together is None or not all(state.raw for state in held):
        return None
    return max(buttons.together + timing.long_ms, *(state.since for state in held))


def _decide(buttons: Buttons, when: int, timing: PressTiming) -> tuple[Buttons, list[PressEvent]]:
    """Advance the first button that is due at `when`."""
    place, state = next(
        (place, state)
        for place, state in buttons.states.items()
        if presses.due(state, timing) == when
    )
    after, decided = presses.tick(state, when, timing)
    held_together = place in buttons.joined
    return _joined(_with(buttons, place, after)), [
        (t, place[0], press) for t, press in decided if not (held_together and press == "long")
    ]


def _joined(buttons: Buttons) -> Buttons:
    """Return the buttons with `joined` updated: both sides' buttons stay joined until a release."""
    down = {place: state for place, state in buttons.states.items() if state.down_at is not None}
    joined = buttons.joined & down.keys()
    if _sides(joined) == set(Side):
        return replace(buttons, joined=joined)
    fresh = {place: state for place, state in down.items() if not state.long_reported}
    if _sides(fresh) != set(Side):
        return replace(buttons, joined=frozenset(), together=None)
    since = max(state.down_at or 0 for state in fresh.values())
    return Buttons(buttons.states, frozenset(fresh), since)


def _sides(places: Iterable[Place]) -> set[Side]:
    return {side for side, _ in places}


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


def occupancy(t: int, levels: Mapping[str, bool]) -> Occupancy:
    """Return a reading of the squares from the levels of contacts by name."""
    return Occupancy(t, squares_of(n for n, name in enumerate(SQUARE_NAMES) if levels.get(name)))


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
        self._waiter = SupervisedThread(self._wait_for_presses, "buttons", affects_players=True)

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
        self._waiter.end()

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
                self._waiter.part.alive(None)
                # The clock of a virtual table runs at another speed than a wait.
                self._changed.wait(_POLL_S if busy else None)
                self._waiter.part.alive()
