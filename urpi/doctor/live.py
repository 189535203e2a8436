"""Contacts as they change, for somebody who holds a magnet: a line a change, bounce counted. Pure.

Told every contact's raw edges and the time, it gathers the edges of one change. All times are
whole milliseconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

QUIET_MS: Final = 50
"""A contact has changed when it has been quiet for so long; a good one bounces for 2 ms."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a contact came to, after how many edges, from the first to the last in `within_ms`."""

    name: str
    closed: bool
    edges: int
    within_ms: int

    @property
    def text(self) -> str:
        """One line.

        >>> Change("A1", True, 3, 2).text
        'A1 closed (3 edges in 2 ms)'
        """
        edges = "1 edge" if self.edges == 1 else f"{self.edges} edges in {self.within_ms} ms"
        return f"{self.name} {'closed' if self.closed else 'opened'} ({edges})"


@dataclass(slots=True)
class _Burst:
    first: int
    last: int
    closed: bool
    edges: int = 1


class Changes:
    """The changes of many contacts."""

    def __init__(self) -> None:
        self._bursts: dict[str, _Burst] = {}

    def heard(self, name: str, closed: bool, t: int) -> None:
        """A contact's raw edge at `t`."""
        burst = self._bursts.get(name)
        if burst is None:
            self._bursts[name] = _Burst(t, t, closed)
        else:
            burst.last, burst.closed, burst.edges = t, closed, burst.edges + 1

    def passed(self, t: int) -> Iterator[Change]:
        """It is `t` now: the changes that are over."""
        over = [name for name, burst in self._bursts.items() if t - burst.last >= QUIET_MS]
        for name in over:
            burst = self._bursts.pop(name)
            yield Change(name, burst.closed, burst.edges, burst.last - burst.first)
