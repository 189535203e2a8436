"""Detection of the presses of both sides' buttons, alone and held together. Pure.

While a button of each side is held, neither reports a long press of its own, so that holding or
leaning on both does not confirm anything. ``both`` is reported once, when they have been down
together for the length of a long press. A button whose long press has been reported already is
ignored here, so that the opponent can use the other button while it is still held.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.hardware import presses
from urpi.hardware.presses import ButtonState, PressTiming
from urpi.referee import facts
from urpi.rules import Side

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
