"""The table's clock: what is due when, in whole milliseconds of virtual time.

The same schedule runs in real time, at any multiple of it, or as fast as possible: its caller
decides how far it advances.
"""

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from typing import TypeAlias

Action: TypeAlias = Callable[[], None]
Script: TypeAlias = Iterator[int]
"""A sequence of actions: an iterator over the milliseconds to wait before the next action."""


def together(*scripts: Script) -> Script:
    """Run several scripts at the same time, until the last of them has ended.

    >>> list(together(iter([10, 10]), iter([5, 20])))
    [5, 5, 10, 5]
    """
    due = [(0, number, script) for number, script in enumerate(scripts)]
    heapify(due)
    now = 0
    while due:
        t, number, script = heappop(due)
        if t > now:
            yield t - now
            now = t
        wait_ms = next(script, None)
        if wait_ms is not None:
            heappush(due, (now + wait_ms, number, script))


class Schedule:
    """Actions in the order in which they are due; of equal times, the one that was added first.

    >>> schedule, done = Schedule(), []
    >>> schedule.after(20, lambda: done.append("later"))
    >>> schedule.after(10, lambda: done.append("sooner"))
    >>> schedule.advance(15), done, schedule.next_due
    (None, ['sooner'], 20)
    """

    def __init__(self, now: int = 0) -> None:
        self.now = now
        self._planned = 0
        self._heap: list[tuple[int, int, Action]] = []

    @property
    def next_due(self) -> int | None:
        """The time of the next action, None if there is none."""
        return self._heap[0][0] if self._heap else None

    def at(self, t_ms: int, action: Action) -> None:
        """Add an action at a time; if that is past, now, after everything that is already due."""
        self._planned += 1
        heappush(self._heap, (max(t_ms, self.now), self._planned, action))

    def after(self, wait_ms: int, action: Action) -> None:
        """Add an action `wait_ms` milliseconds from now."""
        self.at(self.now + wait_ms, action)

    def run_next(self) -> None:
        """Move the clock to the next action and run it. There must be one."""
        self.now, _, action = heappop(self._heap)
        action()

    def advance(self, to_ms: int) -> None:
        """Run every action that is due by a time, in order, and move the clock to it."""
        while self._heap and self._heap[0][0] <= to_ms:
            self.run_next()
        self.now = max(self.now, to_ms)

    def start(self, script: Script) -> None:
        """Run a script now up to its first wait, and continue it after each wait."""
        wait_ms = next(script, None)
        if wait_ms is not None:
            self.after(wait_ms, lambda: self.start(script))
