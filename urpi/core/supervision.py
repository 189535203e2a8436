"""Supervision of the parts of a program that run as long as it does, each a thread or a task.

A part that fails is started again, after a pause that grows while it keeps failing. What it was
working on, such as a message, is given up; what is stored, such as a game, is set aside when it has
failed several times (`Quarantine`). A part that hangs is found too, because it notes before each
piece of work how long that takes at most (`Part.alive`). `faults` returns what fails or hangs now,
as the page, the display, systemd and `urpi doctor` report it.
"""

import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread, get_ident
from typing import Final, NamedTuple
from weakref import WeakSet

PAUSE_S: Final = (0.5, 60.0)
"""The pause after the first failure, and the longest. It doubles with each failure in a row."""
SPREAD: Final = 0.25
"""The part of a pause that is random, so that parts do not fail together again."""
STABLE_S: Final = 60.0
"""Time after which a part that runs is in order again."""
LATE_S: Final = 8.0
"""Longest time in seconds for a piece of a part's work, unless it states another."""
CONFIRM_S: Final = 4.0
"""Time in seconds for which a part must be seen late. After a pause of the whole program, such as
of a virtual machine, every part is late for a moment."""
BEAT_S: Final = 1.0
"""Seconds between two signs of life of an event loop."""
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
        """The state with the failures forgotten if it has run long enough since."""
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

    Attributes:
        part: Its name.
        problem: What has failed, or where it hangs.
        failures: Number of failures in a row.
        affects_players: Whether a game cannot go on as usual without it.
        hangs: Whether it works without an end.
        ends_program: Whether only a new start of the program helps: a thread cannot be ended.
    """

    part: str
    problem: str
    failures: int
    affects_players: bool
    hangs: bool = False
    ends_program: bool = False

    @property
    def text(self) -> str:
        return f"{self.part} {'hangs' if self.hangs else 'has failed'} ({self.problem})"


class Part:
    """A supervised part of the program.

    Args:
        name: Its name, for people who repair.
        affects_players: Whether a game cannot go on as usual without it.
        is_vital: Whether the program is started again if it hangs; by default if it affects
            players.
        clock: Returns seconds, never decreasing.
        chance: Returns random numbers, 0 <= n < 1.
    """

    def __init__(
        self,
        name: str,
        *,
        affects_players: bool = False,
        is_vital: bool | None = None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name, self._affects_players = name, affects_players
        self._is_vital = affects_players if is_vital is None else is_vital
        self._clock, self._chance = clock, chance
        self._state = PartState()
        self._thread = 0
        self._due: float | None = None
        """The time until which the piece of work takes at most, None for a wait without a limit."""
        self._late: tuple[float, float] | None = None
        """The due time that passed, and when that was seen first."""
        with _lock:
            _parts.add(self)

    @property
    def fault(self) -> Fault | None:
        """Its fault, None if it is in order. Call it repeatedly, to find out whether it hangs."""
        # A table looks at all parts in each loop; most of them wait, and have never failed.
        if self._due is None and not self._state.problem:
            self._late = None
            return None
        now = self._clock()
        state = self._state.at(now)
        if self._hangs(now):
            problem = _place_of(self._thread)
            return Fault(
                self.name, problem, state.failures, self._affects_players, True, self._is_vital
            )
        if not state.problem:
            return None
        return Fault(self.name, state.problem, state.failures, self._affects_players)

    def _hangs(self, now: float) -> bool:
        due = self._due
        if due is None or now <= due:
            self._late = None
            return False
        late = self._late
        if late is None or late[0] != due:
            self._late = late = due, now
        return now - late[1] >= CONFIRM_S

    def start(self) -> None:
        """Note that it is started, in its thread."""
        with _lock:
            _parts.add(self)
        self._thread, self._due = get_ident(), None
        self._state = replace(self._state, started=self._clock())

    @property
    def is_called_here(self) -> bool:
        """Whether the current thread is the one that has started it."""
        return self._thread == get_ident()

    def alive(self, within_s: float | None = LATE_S) -> None:
        """Note that it works, and will note so again within a time; None for any, as it waits."""
        self._due = None if within_s is None else self._clock() + within_s

    def fail(self, error: Exception) -> float:
        """Note a failure; return the pause in seconds until the next start."""
        problem, self._due = f"{type(error).__name__}: {error}", None
        self._state, pause = after_failure(self._state, problem, self._clock(), self._chance())
        _log.error("%s has failed and is started again in %.1f s", self.name, pause, exc_info=error)
        return pause

    def end(self) -> None:
        """Note that it has ended as intended."""
        self._state, self._due = PartState(), None
        # It may be deleted much later.
        with _lock:
            _parts.discard(self)


def _place_of(thread: int) -> str:
    """Return the module, the function and the line that a thread executes, innermost of urpi's."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - documented in `sys`, in spite of its name
    place = "its thread has ended"
    while frame is not None:
        module = str(frame.f_globals.get("__name__", "?"))
        found = f"{module}.{frame.f_code.co_name}, line {frame.f_lineno}"
        if module.split(".", 1)[0] == "urpi":
            return found
        place, frame = found, frame.f_back
    return place


async def beat(part: Part) -> None:
    """Note again and again that a part's event loop responds; await it in a task of its own."""
    import asyncio  # noqa: PLC0415 - as in `supervise`

    while True:
        part.alive()
        await asyncio.sleep(BEAT_S)


_lock: Final = Lock()
_parts: Final[WeakSet[Part]] = WeakSet()
"""All parts of this process that have not ended, as `threading.enumerate` returns all threads."""
_quarantines: "Final[WeakSet[Quarantine]]" = WeakSet()


def faults() -> tuple[Fault, ...]:
    """The faults of all parts of this process, those that affect players first."""
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
        is_vital: As of `Part`.
    """

    def __init__(
        self,
        run: Callable[[], object],
        name: str,
        *,
        affects_players: bool = False,
        is_vital: bool | None = None,
    ) -> None:
        # A daemon: a part that does not return must not keep the program from ending.
        super().__init__(name=f"urpi-{name}", daemon=True)
        self.part = Part(name, affects_players=affects_players, is_vital=is_vital)
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


def raise_if_cancelled(error: Exception) -> None:
    """Go on with the cancellation of the current task, whose clean-up has raised an error instead.

    Without it, a loop that goes on after errors never ends.

    Raises:
        asyncio.CancelledError: If the task has been cancelled.
    """
    import asyncio  # noqa: PLC0415 - as in `supervise`

    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from error


async def supervise(part: Part, run: Callable[[], Awaitable[object]]) -> None:
    """Await a function until it returns, and again after each exception."""
    import asyncio  # noqa: PLC0415 - commands that only use threads start without it

    while True:
        part.start()
        try:
            await run()
        except Exception as error:
            raise_if_cancelled(error)
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
        with _lock:
            _quarantines.add(self)

    def __contains__(self, item: Hashable) -> bool:
        return self._failures.get(item, 0) >= self._max_failures

    def fail(self, item: Hashable) -> bool:
        """Count a failure, and return whether the item is set aside now."""
        with self._guard:
            count = self._failures.pop(item, 0) + 1
            self._failures[item] = count
            if len(self._failures) > MAX_ITEMS:
                # A dict keeps its order, and a new failure moves an item to the end: this is the
                # oldest one.
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
        """What is set aside."""
        with self._guard:
            return tuple(item for item in self._failures if item in self)

    @property
    def kind(self) -> str:
        return self._kind


def set_aside() -> tuple[tuple[str, int], ...]:
    """Return what is set aside in this process: each kind with its number."""
    with _lock:
        quarantines = tuple(_quarantines)
    counts = Counter(one.kind for one in quarantines for _ in one.items())
    return tuple(sorted(counts.items()))
