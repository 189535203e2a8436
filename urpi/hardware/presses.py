"""Detection of one button's presses: raw edges and time in, ``short`` and ``long`` out. Pure.

A level counts when the contact has been stable for `stable_ms`; shorter changes are ignored. A
long press is reported as soon as it has lasted `long_ms`, so that the player gets a reaction
while still pressing; a short press is reported when it ends. There is no clock here: the caller
passes each edge with its time, and calls `tick` at the time that `due` returns.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class PressTiming:
    """How long a contact must be stable, and how long a long press lasts, in milliseconds.

    A push button bounces for less than the default of 20 ms; `long_ms` is configurable.
    """

    stable_ms: int = 20
    long_ms: int = 800


@dataclass(frozen=True, slots=True)
class ButtonState:
    """The state of one button.

    `raw` is the contact's last level, unchanged since `since`. `down_at` is when the press
    began, None while the button is up. `long_reported` is whether the current press has been
    reported as a long one.
    """

    raw: bool = False
    since: int = 0
    down_at: int | None = None
    long_reported: bool = False


PressLength: TypeAlias = Literal["short", "long"]
Press: TypeAlias = tuple[int, PressLength]
"""The time at which a press was decided, and ``short`` or ``long``."""
Pressed: TypeAlias = tuple[ButtonState, tuple[Press, ...]]
"""A new state, and the presses decided on the way to it."""


def due(state: ButtonState, timing: PressTiming) -> int | None:
    """Return when `tick` must be called next; None while only an edge can change the state.

    >>> due(ButtonState(raw=True, since=1000, down_at=1000), PressTiming())
    1800
    """
    if state.raw != (state.down_at is not None):
        return state.since + timing.stable_ms
    if state.down_at is None or state.long_reported:
        return None
    # The contact may have been bouncing at that moment: wait until it has closed again.
    return max(state.down_at + timing.long_ms, state.since)


def tick(state: ButtonState, t: int, timing: PressTiming) -> Pressed:
    """Advance the state to time `t` without an edge, and return the presses decided."""
    presses: list[Press] = []
    while (when := due(state, timing)) is not None and when <= t:
        state, press = _decide(state)
        if press:
            presses.append((when, press))
    return state, tuple(presses)


def on_edge(state: ButtonState, t: int, *, on: bool, timing: PressTiming) -> Pressed:
    """Advance the state to a raw edge at `t`, and return the presses decided before it."""
    state, presses = tick(state, t, timing)
    return (state if on == state.raw else replace(state, raw=on, since=t)), presses


def _decide(state: ButtonState) -> tuple[ButtonState, PressLength | None]:
    if state.raw and state.down_at is None:
        return replace(state, down_at=state.since), None
    if state.raw:
        return replace(state, long_reported=True), "long"
    press: PressLength | None = None if state.long_reported else "short"
    return replace(state, down_at=None, long_reported=False), press
