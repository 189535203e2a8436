"""Transports: how the switches' raw edges come to the program, also when that goes badly.

A transport hears an edge when it happens and hands on what the program is told of it: the
time that the program is given, the square, and the level. That time never goes back.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.errors import UrpiError
from urpi.rules import Square, Squares, each_square
from urpi.simulation import Schedule
from urpi.simulation.reeds import EdgeSink

Take: TypeAlias = Callable[[int, Square, bool], None]
"""Is told of an edge: its time in milliseconds, the square, whether something stands there."""
Transport: TypeAlias = Callable[[Schedule, Random, Take, Squares], EdgeSink]
"""Lays a way from the switches, whose levels are those squares now, to whoever takes."""

LATE_MS: Final = 40
CLUMP_MS: Final = 30
LOST: Final = 0.05
READING_MS: Final = 1000
"""The program reads the whole board so often."""


class AsIs:
    """Every edge at its time."""

    def __init__(self, schedule: Schedule, _rng: Random, take: Take, _levels: Squares) -> None:
        self._schedule, self._take = schedule, take

    def __call__(self, square: Square, on: bool) -> None:
        """An edge has happened."""
        self._take(self._schedule.now, square, on)


class Polled:
    """The levels are read so often; what differs is told in bit order, all of it at that time."""

    def __init__(
        self, schedule: Schedule, rng: Random, take: Take, levels: Squares, period_ms: int
    ) -> None:
        self._schedule, self._take = schedule, take
        self._levels = self._told = levels
        self._period_ms = period_ms
        self._next = schedule.now + rng.randrange(period_ms)
        self._awaited = False

    def __call__(self, square: Square, on: bool) -> None:
        """An edge has happened."""
        self._levels = self._levels | 1 << square if on else self._levels & ~(1 << square)
        if not self._awaited:
            # Polls that find nothing are left out.
            behind = max(0, self._schedule.now - self._next)
            self._next += -(-behind // self._period_ms) * self._period_ms
            self._awaited = True
            self._schedule.at(self._next, self._poll)

    def _poll(self) -> None:
        self._awaited = False
        self._next = self._schedule.now + self._period_ms
        changed, self._told = self._told ^ self._levels, self._levels
        for square in each_square(changed):
            self._take(self._schedule.now, square, bool(self._levels >> square & 1))


class Late:
    """Each edge comes up to so long after its time, in order, and says when it happened."""

    def __init__(
        self, schedule: Schedule, rng: Random, take: Take, _levels: Squares, most_ms: int
    ) -> None:
        self._schedule, self._rng, self._take = schedule, rng, take
        self._most_ms = most_ms
        self._last = 0

    def __call__(self, square: Square, on: bool) -> None:
        """An edge has happened."""
        happened = self._schedule.now
        self._last = max(self._last, happened + self._rng.randint(0, self._most_ms))
        self._schedule.at(self._last, lambda: self._take(happened, square, on))


class Clumped:
    """What happens within so long is told at the end of it, all as if it had happened then."""

    def __init__(
        self, schedule: Schedule, _rng: Random, take: Take, _levels: Squares, span_ms: int
    ) -> None:
        self._schedule, self._take = schedule, take
        self._span_ms = span_ms
        self._kept: list[tuple[Square, bool]] = []

    def __call__(self, square: Square, on: bool) -> None:
        """An edge has happened."""
        if not self._kept:
            self._schedule.after(self._span_ms, self._hand_over)
        self._kept.append((square, on))

    def _hand_over(self) -> None:
        kept, self._kept = self._kept, []
        for square, on in kept:
            self._take(self._schedule.now, square, on)


class Repeated(AsIs):
    """Every edge is told twice."""

    def __call__(self, square: Square, on: bool) -> None:
        """An edge has happened."""
        super().__call__(square, on)
        super().__call__(square, on)


class Lossy(AsIs):
    """Every edge is lost with that chance, but no second one before the board is read anew.

    Of two lost at once nothing is left to tell what happened.
    """

    def __init__(
        self, schedule: Schedule, rng: Random, take: Take, levels: Squares, chance: float
    ) -> None:
        super().__init__(schedule, rng, take, levels)
        self._rng, self._chance = rng, chance
        self._spared_until = 0

    def __call__(self, square: Square, on: bool) -> None:
        """An edge has happened."""
        now = self._schedule.now
        if now >= self._spared_until and self._rng.random() < self._chance:
            self._spared_until = now + READING_MS
        else:
            super().__call__(square, on)


def polled(period_ms: int) -> Transport:
    """Read so often."""
    return lambda schedule, rng, take, levels: Polled(schedule, rng, take, levels, period_ms)


def late(most_ms: int) -> Transport:
    """Up to so late."""
    return lambda schedule, rng, take, levels: Late(schedule, rng, take, levels, most_ms)


def clumped(span_ms: int) -> Transport:
    """Handed over together after so long."""
    return lambda schedule, rng, take, levels: Clumped(schedule, rng, take, levels, span_ms)


def lossy(chance: float) -> Transport:
    """Lost with that chance each."""
    return lambda schedule, rng, take, levels: Lossy(schedule, rng, take, levels, chance)


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
"""Every transport by name."""


def transport(name: str) -> Transport:
    """The transport of that name.

    Raises:
        UrpiError: when there is none.
    """
    if name not in TRANSPORTS:
        message = f"There is no transport {name!r}; the transports are {', '.join(TRANSPORTS)}."
        raise UrpiError(message)
    return TRANSPORTS[name]
