"""The loop of the service: facts and calls from any thread, processed in one, and what is due.

What it means to process a fact is `urpi.service.service`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from urpi.journal import Journal, Keeper
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Occupancy, Time
from urpi.service.inbox import Call, Inbox
from urpi.service.notices import DiceCode, Notices
from urpi.service.refereed import Refereed
from urpi.service.restart import GameClock

Clock = Callable[[], int]
"""Returns whole milliseconds, never decreasing."""

_T = TypeVar("_T")


class TimedTask(Protocol):
    """A task with deadlines that runs in the service's thread, such as the menu."""

    @property
    def next_due(self) -> int | None:
        """The game's time in milliseconds at which `tick` must be called, None for no deadline."""

    def tick(self, t: int) -> None:
        """Do what is due at `t`; the game may have changed since the last call."""


class FactLoop(ABC):
    """`submit` facts from any thread, call `work` in one.

    Args:
        keeper: Stores the games.
        clock: The machine's clock; its origin is arbitrary.
        now: Returns the local time.
    """

    def __init__(self, keeper: Keeper, clock: Clock, now: Callable[[], datetime]) -> None:
        self.clock: Final = GameClock(clock)
        """The game's time. The devices use it too, so that their facts follow the stored ones."""
        self.now: Final = now
        """Returns the local time."""
        self.notices: Final = Notices(keeper)
        """What is shown to the players besides the game."""
        self._keeper, self._inbox = keeper, Inbox()
        self._tasks: list[TimedTask] = []
        self._read: Callable[[], Occupancy | None] | None = None
        self._reading_ms = self._read_at = 0
        self._reads_on = False

    @property
    @abstractmethod
    def current(self) -> Refereed:
        """What is refereed now."""

    @abstractmethod
    def process(self, fact: Fact) -> tuple[Decision, ...]:
        """Process a fact at once and return its decisions. Call it in the service's thread."""

    @abstractmethod
    def refresh(self) -> None:
        """Show the current state again: something besides the game has changed."""

    def add_task(self, task: TimedTask) -> None:
        """Call a task's `tick` after each processing of facts, and when it is due.

        Tasks are called in the order in which they were added.
        """
        self._tasks.append(task)

    def report_silent(self, silent_ms: int | None) -> None:
        """Report for how long the opponent's table has been silent, None if it is not.

        Call it in the service's thread.
        """
        if silent_ms is None:
            self.notices.set_silent("")
        else:
            since = self.now() - timedelta(milliseconds=silent_ms)
            self.notices.set_silent(f"{since:%H:%M}")

    def report_dice(self, code: DiceCode, dice: tuple[int, ...]) -> None:
        """Report the numbers of all dice that a code of `NOTICES` concerns. Thread-safe."""
        self.call(lambda: self.notices.set_dice(code, dice, self.clock()))

    @property
    def idle(self) -> bool:
        """Whether every submitted fact has been processed."""
        return self._inbox.empty

    def submit(self, fact: Fact) -> None:
        """Queue a fact for processing. Thread-safe."""
        self._inbox.put(fact)

    def call(self, function: Callable[[], _T]) -> Future[_T]:
        """Call a function in the service's thread, in its order among the facts. Thread-safe.

        Returns:
            A future with the result or the exception, cancelled if the service is closed first.
        """
        return self._inbox.call(function)

    def read(self, reading: Callable[[Journal], _T]) -> _T | None:
        """Return what `reading` reads in the journal, None while the disk fails."""
        return self._keeper.read(reading, self.now())

    def write(self, name: str, writing: Callable[[Journal], None]) -> None:
        """Store something other than a game's lines, as `urpi.journal.Keeper.write`."""
        self._keeper.write(name, writing, self.now())

    def read_board(self, read: Callable[[], Occupancy | None], every_ms: int) -> None:
        """Read all squares periodically, because an edge can be lost, until a game is over.

        Args:
            read: Returns the reading, None while the contacts are unavailable.
            every_ms: The period in milliseconds.
        """
        self._read, self._reading_ms, self._reads_on = read, every_ms, True
        self._read_at = self.clock() + every_ms

    @property
    def next_due(self) -> int | None:
        """The time at which `work` must be called even without a fact, None for no deadline."""
        due = [self.current.next_due, self._keeper.next_due(), self.notices.next_due]
        due += [task.next_due for task in self._tasks]
        if self._inbox.waits:
            due.append(self.clock())
        if self._is_reading:
            due.append(self._read_at)
        return min((t for t in due if t is not None), default=None)

    @property
    def _is_reading(self) -> bool:
        if self._read is None or self.current.held:
            return False
        return self._reads_on or not self.current.finished

    def work(self, wait_s: float = 0.0) -> None:
        """Process all queued facts and calls, then whatever is due.

        Args:
            wait_s: The longest wait for a first fact, in seconds; 0, the default, does not wait.

        Raises:
            UrpiError: If a decision can never be stored. It is not shown, and the service must be
                closed.
        """
        for item in self._inbox.items(wait_s):
            if isinstance(item, Call):
                item.run()
            else:
                self.process(item)
        self._run_due()

    def _run_due(self) -> None:
        now = self.clock()
        due = self.current.referee_due
        if due is not None and due + self.current.away_ms <= now:
            self.process(Time(now))
        # After `Time`: a reading must not overtake what was due before it.
        if self._is_reading and self._read_at <= now:
            self._find_lost_edges(now)
        self.current.tick(now, self.now())
        if self.current.keeper is not self._keeper:
            self._keeper.tick(now, self.now())
        for task in self._tasks:
            task.tick(now)
        if self.notices.update(now):
            self.refresh()

    def _find_lost_edges(self, now: int) -> None:
        assert self._read is not None
        self._read_at = now + self._reading_ms
        reading = self._read()
        # A reading without a change is not worth its space on the disk.
        if reading is not None and reading.squares != self.current.state.contacts.raw:
            self.process(reading)
