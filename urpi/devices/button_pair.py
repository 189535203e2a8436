"""Both sides' buttons, pure: what each is pressed for, and that both are held together.

While a button of each side is held neither tells a long press of its own, so that nothing is
offered or taken by hands that hold both, or lie on both: ``both`` is told once, when they have
been down together as long as a long press. A button that has told its long press already takes
no part: whoever still holds it leaves the other button to the other player.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.devices import presses
from urpi.devices.presses import ButtonState, PressTiming
from urpi.rules import Side

Place: TypeAlias = tuple[Side, int]
"""A button: its side and its number, from 1."""
PressEvent: TypeAlias = tuple[int, Side, str]
"""When a press was decided, whose it was, and ``short``, ``long`` or ``both`` (light's, then)."""

BOTH: Final = "both"


@dataclass(frozen=True, slots=True)
class Buttons:
    """All buttons. `joined` are those that are held together, so that none is long for itself.

    `together` is since when both sides hold one, None when not, or when it was told.
    """

    states: Mapping[Place, ButtonState] = field(default_factory=lambda: MappingProxyType({}))
    joined: frozenset[Place] = frozenset()
    together: int | None = None


def due(buttons: Buttons, timing: PressTiming) -> int | None:
    """When `wait` has something to do; None while only an edge can change anything."""
    times = [presses.due(state, timing) for state in buttons.states.values()]
    return min((t for t in (*times, _both_due(buttons, timing)) if t is not None), default=None)


def on_edge(
    buttons: Buttons, place: Place, t: int, *, on: bool, timing: PressTiming
) -> tuple[Buttons, tuple[PressEvent, ...]]:
    """The buttons after a raw edge of one at `t`, and what was decided before it."""
    buttons, told = tick(buttons, t, timing)
    state, _ = presses.on_edge(_state(buttons, place), t, on=on, timing=timing)
    return _with(buttons, place, state), told


def tick(buttons: Buttons, t: int, timing: PressTiming) -> tuple[Buttons, tuple[PressEvent, ...]]:
    """The buttons when it is `t` and no edge came, and what was decided on the way."""
    told: list[PressEvent] = []
    while (when := due(buttons, timing)) is not None and when <= t:
        if when == _both_due(buttons, timing):
            buttons = replace(buttons, together=None)
            told.append((when, Side.LIGHT, BOTH))
        else:
            buttons, more = _fall_due(buttons, when, timing)
            told += more
    return buttons, tuple(told)


def _state(buttons: Buttons, place: Place) -> ButtonState:
    return buttons.states.get(place, ButtonState())


def _with(buttons: Buttons, place: Place, state: ButtonState) -> Buttons:
    return replace(buttons, states=MappingProxyType({**buttons.states, place: state}))


def _both_due(buttons: Buttons, timing: PressTiming) -> int | None:
    held = [buttons.states[place] for place in buttons.joined]
    # As of one button: a contact may be bouncing over the very moment.
    if buttons.together is None or not all(state.raw for state in held):
        return None
    return max(buttons.together + timing.long_ms, *(state.since for state in held))


def _fall_due(buttons: Buttons, when: int, timing: PressTiming) -> tuple[Buttons, list[PressEvent]]:
    """Let the first that is due be it."""
    place, state = next(
        (place, state)
        for place, state in buttons.states.items()
        if presses.due(state, timing) == when
    )
    after, told = presses.tick(state, when, timing)
    silent = place in buttons.joined
    return _joined(_with(buttons, place, after)), [
        (t, place[0], press) for t, press in told if not (silent and press == "long")
    ]


def _joined(buttons: Buttons) -> Buttons:
    """Both sides' buttons that are down belong together until one is let go."""
    down = {place: state for place, state in buttons.states.items() if state.down_at is not None}
    joined = buttons.joined & down.keys()
    if _sides(joined) == set(Side):
        return replace(buttons, joined=joined)
    fresh = {place: state for place, state in down.items() if not state.told}
    if _sides(fresh) != set(Side):
        return replace(buttons, joined=frozenset(), together=None)
    since = max(state.down_at or 0 for state in fresh.values())
    return Buttons(buttons.states, frozenset(fresh), since)


def _sides(places: Iterable[Place]) -> set[Side]:
    return {side for side, _ in places}
