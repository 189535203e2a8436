"""The table's clock: what is to happen when, in whole virtual milliseconds.

The same schedule runs in real time, at any multiple of it, or as fast as it goes: whoever
drives it says how far. It knows nothing of what it runs.
"""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import TypeAlias

Action: TypeAlias = Callable[[], None]
Script: TypeAlias = Iterator[int]
"""What happens one thing after another: between two things it yields the milliseconds to wait."""


class Schedule:
    """Actions by the time at which they are due; of equal times the one that was planned first.

    >>> schedule, said = Schedule(), []
    >>> schedule.after(20, lambda: said.append("later"))
    >>> schedule.after(10, lambda: said.append("sooner"))
    >>> schedule.advance(15), said, schedule.next_due
    (None, ['sooner'], 20)
    """

    def __init__(self, now: int = 0) -> None:
        self.now = now
        self._planned = 0
        self._heap: list[tuple[int, int, Action]] = []

    @property
    def next_due(self) -> int | None:
        """When the next action is due, None when none is planned."""
        return self._heap[0][0] if self._heap else None

    def at(self, t_ms: int, action: Action) -> None:
        """Do it at that time; at once, but after what is due already, if that time is past."""
        self._planned += 1
        heappush(self._heap, (max(t_ms, self.now), self._planned, action))

    def after(self, wait_ms: int, action: Action) -> None:
        """Do it so many milliseconds from now."""
        self.at(self.now + wait_ms, action)

    def run_next(self) -> None:
        """Let the clock stand at the next action and do it. There must be one."""
        self.now, _, action = heappop(self._heap)
        action()

    def advance(self, to_ms: int) -> None:
        """Do everything that is due up to that time, in order; then it is that time."""
        while self._heap and self._heap[0][0] <= to_ms:
            self.run_next()
        self.now = max(self.now, to_ms)

    def start(self, script: Script) -> None:
        """Let a script begin now, and go on after each of its waits."""
        wait_ms = next(script, None)
        if wait_ms is not None:
            self.after(wait_ms, lambda: self.start(script))
