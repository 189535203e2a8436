"""Supervision of the parts of a program that run as long as it does, each a thread or a task.

A part that fails is started again, after a pause that grows while it keeps failing. What it was
working on, such as a message, is given up; what is stored, such as a game, is set aside when it has
failed several times (`Quarantine`). `faults` returns what fails now, as the page, the display and
systemd report it.
"""

import logging
import random
import time
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Final, NamedTuple
from weakref import WeakSet

PAUSE_S: Final = (0.5, 60.0)
"""The pause after the first failure, and the longest. It doubles with each failure in a row."""
SPREAD: Final = 0.25
"""The part of a pause that is random, so that parts do not fail together again."""
STABLE_S: Final = 60.0
"""Time after which a part that runs is in order again."""
MAX_FAILURES: Final = 3
"""Failures after which something is set aside."""
MAX_ITEMS: Final = 1000
"""Number of things that a quarantine remembers; the oldest is then tried again."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PartState:
    """How a part runs. Times are in seconds, of any clock that never decreases.

    Attributes:
        failures: Number of failures in a row.
        problem: The last failure, empty before the first.
        started: When it was started last, None while it is paused.
    """

    failures: int = 0
    problem: str = ""
    started: float | None = None

    def at(self, now: float) -> "PartState":
        """Return the state with the failures forgotten if it has run long enough since."""
        is_stable = self.started is not None and now - self.started >= STABLE_S
        return replace(self, failures=0, problem="") if is_stable else self


def after_failure(
    state: PartState, problem: str, now: float, chance: float
) -> tuple[PartState, float]:
    """Return the state after a failure, and the pause in seconds until the next start.

    Args:
        state: The state before.
        problem: What has failed.
        now: The time.
        chance: A random number, 0 <= n < 1.
    """
    failures = state.at(now).failures + 1
    first, longest = PAUSE_S
    # Bounded before, as a float has no room for 2 ** 1024.
    pause = min(first * 2 ** min(failures - 1, 30), longest)
    return PartState(failures, problem), pause * (1 - SPREAD * chance)


class Fault(NamedTuple):
    """A part that fails, or has failed a short time ago.

    `affects_players` is whether a game cannot go on as usual without it.
    """

    part: str
    problem: str
    failures: int
    affects_players: bool


class Part:
    """A supervised part of the program.

    Args:
        name: Its name, for people who repair.
        affects_players: Whether a game cannot go on as usual without it.
        clock: Returns seconds, never decreasing.
        chance: Returns random numbers, 0 <= n < 1.
    """

    def __init__(
        self,
        name: str,
        *,
        affects_players: bool = False,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name, self._affects_players = name, affects_players
        self._clock, self._chance = clock, chance
        self._state = PartState()
        with _lock:
            _parts.add(self)

    @property
    def fault(self) -> Fault | None:
        """Its fault, None if it is in order."""
        state = self._state.at(self._clock())
        if not state.problem:
            return None
        return Fault(self.name, state.problem, state.failures, self._affects_players)

    def start(self) -> None:
        """Note that it is started."""
        self._state = replace(self._state, started=self._clock())

    def fail(self, error: Exception) -> float:
        """Note a failure; return the pause in seconds until the next start."""
        problem = f"{type(error).__name__}: {error}"
        self._state, pause = after_failure(self._state, problem, self._clock(), self._chance())
        _log.error("%s has failed and is started again in %.1f s", self.name, pause, exc_info=error)
        return pause

    def end(self) -> None:
        """Note that it has ended as intended."""
        self._state = PartState()


_lock: Final = Lock()
_parts: Final[WeakSet[Part]] = WeakSet()
"""All parts of this process, as `threading.enumerate` returns all threads."""


def faults() -> tuple[Fault, ...]:
    """Return the faults of all parts of this process, those that affect players first."""
    with _lock:
        parts = tuple(_parts)
    found = [fault for part in parts if (fault := part.fault) is not None]
    return tuple(sorted(found, key=lambda fault: (not fault.affects_players, fault.part)))


class SupervisedThread(Thread):
    """A thread that calls a function until it returns, and again after each exception.

    Args:
        run: The function. It returns soon after what it serves has been closed.
        name: The name of the part; the thread's has the prefix ``urpi-``.
        affects_players: As of `Part`.
    """

    def __init__(
        self, run: Callable[[], object], name: str, *, affects_players: bool = False
    ) -> None:
        super().__init__(name=f"urpi-{name}", daemon=True)
        self.part = Part(name, affects_players=affects_players)
        self._run, self._ending = run, Event()

    def run(self) -> None:
        """Call the function; called by `start`."""
        pause: float | None = 0.0
        while pause is not None and not self._ending.wait(pause):
            self.part.start()
            pause = self._failure()
        self.part.end()

    def _failure(self) -> float | None:
        """Call the function; return the pause after an exception, None if there was none."""
        try:
            self._run()
        except Exception as error:
            return self.part.fail(error)
        return None

    def end(self, timeout_s: float | None = None) -> None:
        """Do not call the function again, and wait for its end, for at most `timeout_s`."""
        self._ending.set()
        if self.is_alive():
            self.join(timeout_s)


async def supervise(part: Part, run: Callable[[], Awaitable[object]]) -> None:
    """Await a function until it returns, and again after each exception."""
    import asyncio  # noqa: PLC0415 - commands that only use threads start without it

    while True:
        part.start()
        try:
            await run()
        except Exception as error:
            pause = part.fail(error)
        else:
            part.end()
            return
        await asyncio.sleep(pause)


class Quarantine:
    """Things, such as games, that are set aside because they failed several times.

    Thread-safe. They are tried again after the next start of the program.

    Args:
        kind: What they are, for the log.
        max_failures: Number of failures after which one is set aside.
    """

    def __init__(self, kind: str, max_failures: int = MAX_FAILURES) -> None:
        self._kind, self._max_failures = kind, max_failures
        self._failures: dict[Hashable, int] = {}
        self._guard = Lock()

    def __contains__(self, item: Hashable) -> bool:
        return self._failures.get(item, 0) >= self._max_failures

    def fail(self, item: Hashable) -> bool:
        """Count a failure, and return whether the item is set aside now."""
        with self._guard:
            count = self._failures.pop(item, 0) + 1
            self._failures[item] = count
            if len(self._failures) > MAX_ITEMS:
                del self._failures[next(iter(self._failures))]
        return count >= self._max_failures

    def succeed(self, item: Hashable) -> None:
        """Forget the failures of an item."""
        with self._guard:
            self._failures.pop(item, None)

    @contextmanager
    def trying(self, item: Hashable, other: tuple[type[Exception], ...] = ()) -> Iterator[None]:
        """Count what fails inside as a failure of an item, except for `other` errors."""
        try:
            yield
        except other:
            raise
        except Exception as error:
            if self.fail(item):
                _log.error("The %s %s is set aside: %r", self._kind, item, error)
            raise
        self.succeed(item)

    def items(self) -> tuple[Hashable, ...]:
        """Return what is set aside."""
        with self._guard:
            return tuple(item for item in self._failures if item in self)
