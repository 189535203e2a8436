"""Transports: how the switches' raw edges reach the program, under good and bad conditions.

A transport is called with each edge when it happens, and passes on what the program receives: the
time, the square and the level. These times never decrease.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules import Square, Squares, each_square
from urpi.simulation import Schedule
from urpi.simulation.reeds import EdgeSink

OnEdge: TypeAlias = Callable[[int, Square, bool], None]
"""Called with an edge: its time in milliseconds, the square, and whether it is occupied now."""
Transport: TypeAlias = Callable[[Schedule, Random, OnEdge, Squares], EdgeSink]
"""Makes the way from the switches, whose levels are those squares now, to the callback."""

LATE_MS: Final = 40
CLUMP_MS: Final = 30
LOST: Final = 0.05
READING_MS: Final = 1000
"""The interval at which the program reads the whole board."""


class AsIs:
    """Passes on every edge at its time."""

    def __init__(self, schedule: Schedule, _rng: Random, on_edge: OnEdge, _levels: Squares) -> None:
        self._schedule, self._on_edge = schedule, on_edge

    def __call__(self, square: Square, on: bool) -> None:
        """Accept an edge that happens now."""
        self._on_edge(self._schedule.now, square, on)


class Polled:
    """Reads the levels at an interval; changes are passed on in bit order, with that time."""

    def __init__(
        self, schedule: Schedule, rng: Random, on_edge: OnEdge, levels: Squares, period_ms: int
    ) -> None:
        self._schedule, self._on_edge = schedule, on_edge
        self._levels = self._sent = levels
        self._period_ms = period_ms
        self._next = schedule.now + rng.randrange(period_ms)
        self._awaited = False

    def __call__(self, square: Square, on: bool) -> None:
        """Accept an edge that happens now."""
        self._levels = self._levels | 1 << square if on else self._levels & ~(1 << square)
        if not self._awaited:
            # Polls without a change are skipped.
            behind = max(0, self._schedule.now - self._next)
            self._next += -(-behind // self._period_ms) * self._period_ms
            self._awaited = True
            self._schedule.at(self._next, self._poll)

    def _poll(self) -> None:
        self._awaited = False
        self._next = self._schedule.now + self._period_ms
        changed, self._sent = self._sent ^ self._levels, self._levels
        for square in each_square(changed):
            self._on_edge(self._schedule.now, square, bool(self._levels >> square & 1))


class Late:
    """Passes on each edge up to `most_ms` late, in order and with its true time."""

    def __init__(
        self, schedule: Schedule, rng: Random, on_edge: OnEdge, _levels: Squares, most_ms: int
    ) -> None:
        self._schedule, self._rng, self._on_edge = schedule, rng, on_edge
        self._most_ms = most_ms
        self._last = 0

    def __call__(self, square: Square, on: bool) -> None:
        """Accept an edge that happens now."""
        happened = self._schedule.now
        self._last = max(self._last, happened + self._rng.randint(0, self._most_ms))
        self._schedule.at(self._last, lambda: self._on_edge(happened, square, on))


class Clumped:
    """Passes on all edges of a span at its end, with that time."""

    def __init__(
        self, schedule: Schedule, _rng: Random, on_edge: OnEdge, _levels: Squares, span_ms: int
    ) -> None:
        self._schedule, self._on_edge = schedule, on_edge
        self._span_ms = span_ms
        self._edges: list[tuple[Square, bool]] = []

    def __call__(self, square: Square, on: bool) -> None:
        """Accept an edge that happens now."""
        if not self._edges:
            self._schedule.after(self._span_ms, self._flush)
        self._edges.append((square, on))

    def _flush(self) -> None:
        edges, self._edges = self._edges, []
        for square, on in edges:
            self._on_edge(self._schedule.now, square, on)


class Repeated(AsIs):
    """Passes on every edge twice."""

    def __call__(self, square: Square, on: bool) -> None:
        """Accept an edge that happens now."""
        super().__call__(square, on)
        super().__call__(square, on)


class Lossy(AsIs):
    """Loses edges with a probability, but no second one before the board is read again.

    If two were lost at once, nothing could show what happened.
    """

    def __init__(
        self, schedule: Schedule, rng: Random, on_edge: OnEdge, levels: Squares, chance: float
    ) -> None:
        super().__init__(schedule, rng, on_edge, levels)
        self._rng, self._chance = rng, chance
        self._spared_until = 0

    def __call__(self, square: Square, on: bool) -> None:
        """Accept an edge that happens now."""
        now = self._schedule.now
        if now >= self._spared_until and self._rng.random() < self._chance:
            self._spared_until = now + READING_MS
        else:
            super().__call__(square, on)


def polled(period_ms: int) -> Transport:
    """Return a transport that reads the levels every `period_ms` milliseconds."""
    return lambda schedule, rng, on_edge, levels: Polled(schedule, rng, on_edge, levels, period_ms)


def late(most_ms: int) -> Transport:
    """Return a transport that delays edges by up to `most_ms` milliseconds."""
    return lambda schedule, rng, on_edge, levels: Late(schedule, rng, on_edge, levels, most_ms)


def clumped(span_ms: int) -> Transport:
    """Return a transport that passes edges on together after `span_ms` milliseconds."""
    return lambda schedule, rng, on_edge, levels: Clumped(schedule, rng, on_edge, levels, span_ms)


def lossy(chance: float) -> Transport:
    """Return a transport that loses edges with a probability."""
    return lambda schedule, rng, on_edge, levels: Lossy(schedule, rng, on_edge, levels, chance)


TRANSPORTS: Final[Mapping[str, Transport]] = MappingProxyType(
    {
        "as-is": AsIs,
        "polled-1": polled(1),
        "polled-5": polled(5),
        "polled-20": polled(20),
        "late": late(LATE_MS),
        "clumped": clumped(CLUMP_MS),
        "repeated": Repeated,
        "lossy": lossy(LOST),
    }
)
"""All transports by name."""


def transport(name: str) -> Transport:
    """Return the transport with a name.

    Raises:
        UrpiError: If there is none.
    """
    if name not in TRANSPORTS:
        message = f"There is no transport {name!r}; the transports are {', '.join(TRANSPORTS)}."
        raise UrpiError(message)
    return TRANSPORTS[name]
