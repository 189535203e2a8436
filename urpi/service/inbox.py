"""Facts and function calls from any thread, for the one thread that processes them.

`UnstoredFacts` are processed, and wait to be stored with the next decision or with each other.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Any, Final, TypeVar

from urpi.core.errors import UrpiError
from urpi.referee.facts import Fact, Time
from urpi.referee.lines import fact_line

_T = TypeVar("_T")
MAX_HELD: Final = 1000
"""Maximum number of facts that wait while the game is held; a reading corrects what is lost."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function to be called in the processing thread."""

    function: Callable[[], Any]
    done: Future[Any]

    def run(self) -> None:
        """Call the function, unless the call was cancelled, and set the future's result."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.function())
        except UrpiError as error:
            self.done.set_exception(error)
        except BaseException as error:
            # A bug or an interrupt: release the waiting thread, and end the program.
            self.done.set_exception(error)
            raise


class Inbox:
    """A queue of facts and calls. All methods but `items` are thread-safe."""

    def __init__(self) -> None:
        # Not SimpleQueue: up to Python 3.12, its `get` waits for ever if a signal arrives shortly
        # before the timeout.
        self._queue: Queue[Fact | Call] = Queue()
        self._closed = False
        self._held: deque[Fact] = deque(maxlen=MAX_HELD)
        self.holds = False
        """Whether facts wait and only calls are passed on. For the processing thread."""

    @property
    def waits(self) -> bool:
        """Whether facts that were held can be passed on now."""
        return bool(self._held) and not self.holds

    @property
    def empty(self) -> bool:
        """Whether every item has been removed."""
        return self._queue.empty()

    def put(self, fact: Fact) -> None:
        self._queue.put(fact)

    def call(self, function: Callable[[], _T]) -> Future[_T]:
        """Append a call of a function.

        Returns:
            A future with the result or the exception, cancelled if the inbox is closed first.
        """
        done: Future[_T] = Future()
        self._queue.put(Call(function, done))
        # Checked after appending, so that `close` in another thread cannot miss the call.
        if self._closed:
            done.cancel()
        return done

    def items(self, wait_s: float) -> Iterator[Fact | Call]:
        """Remove and yield items until there are no more, but not facts that are to wait.

        Args:
            wait_s: The longest wait for a first item, in seconds.
        """
        with suppress(Empty):
            while True:
                while self.waits:
                    yield self._held.popleft()
                item = self._queue.get(timeout=wait_s) if wait_s else self._queue.get_nowait()
                wait_s = 0
                if isinstance(item, Call):
                    yield item
                else:
                    self._held.append(item)

    def close(self) -> None:
        """Remove all items; cancel their calls and those that follow."""
        self._closed = True
        for item in self.items(0):
            if isinstance(item, Call):
                item.done.cancel()


STORE_DELAY_MS: Final = 250
"""Maximum time in milliseconds until facts without a decision are stored."""


class UnstoredFacts:
    """The lines of the current game's facts that are not stored yet."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._due = 0
        self._silent_time: Time | None = None

    @property
    def due(self) -> int | None:
        """The game's time at which they must be stored, None if there are none."""
        return self._due if self.lines else None

    def add(self, fact: Fact, *, decided: bool) -> None:
        """Add a processed fact. A `Time` is only kept if it caused a decision.

        Args:
            fact: The fact.
            decided: Whether it caused a decision.
        """
        silent, self._silent_time = self._silent_time, None
        if isinstance(fact, Time) and not decided:
            self._silent_time = fact
            return
        if not self.lines:
            self._due = fact.t + STORE_DELAY_MS
        # A replay runs the timers itself, but those due at a fact's own time after the fact. Here
        # they ran before it, so the line of that time is needed.
        if silent is not None and silent.t == fact.t:
            self.lines.append(fact_line(silent))
        self.lines.append(fact_line(fact))

    def clear(self) -> None:
        """Remove all lines after they were stored."""
        self.lines = []
