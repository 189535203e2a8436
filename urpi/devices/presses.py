"""Button presses, pure: raw edges and time in, ``short`` and ``long`` out.

A contact counts when it has been still for `stable_ms`; shorter bounces are nothing. A long
press is told at once when it has lasted `long_ms`, so that the player feels that it is done
and lets go; a short one is told when it is over. Knows no clock: whoever holds a state feeds
edges with their times, and calls `wait` when `due` says so.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PressTiming:
    """How long, in whole milliseconds: a still contact, and a long press."""

    stable_ms: int = 20
    long_ms: int = 800


@dataclass(frozen=True, slots=True)
class ButtonState:
    """One button. `down_at` is when the press began, None while it is up.

    `raw` is the contact as last seen, since `since`; `told` that the long press was told.
    """

    raw: bool = False
    since: int = 0
    down_at: int | None = None
    told: bool = False


Press: TypeAlias = tuple[int, str]
"""When a press was decided, and ``short`` or ``long``."""
Pressed: TypeAlias = tuple[ButtonState, tuple[Press, ...]]


def due(state: ButtonState, timing: PressTiming) -> int | None:
    """When `wait` has something to do; None while only an edge can change anything.

    >>> due(ButtonState(raw=True, since=1000, down_at=1000), PressTiming())
    1800
    """
    if state.raw != (state.down_at is not None):
        return state.since + timing.stable_ms
    if state.down_at is None or state.told:
        return None
    # The contact may have bounced over the very moment: not before it is back.
    return max(state.down_at + timing.long_ms, state.since)


def tick(state: ButtonState, t: int, timing: PressTiming) -> Pressed:
    """The state when it is `t` and no edge came, and what was decided on the way."""
    presses: list[Press] = []
    while (when := due(state, timing)) is not None and when <= t:
        state, press = _fall_due(state)
        if press:
            presses.append((when, press))
    return state, tuple(presses)


def on_edge(state: ButtonState, t: int, *, on: bool, timing: PressTiming) -> Pressed:
    """The state after a raw edge at `t`, and what was decided before it."""
    state, presses = tick(state, t, timing)
    return (state if on == state.raw else replace(state, raw=on, since=t)), presses


def _fall_due(state: ButtonState) -> tuple[ButtonState, str | None]:
    if state.raw and state.down_at is None:
        return replace(state, down_at=state.since), None
    if state.raw:
        return replace(state, told=True), "long"
    return replace(state, down_at=None, told=False), None if state.told else "short"
