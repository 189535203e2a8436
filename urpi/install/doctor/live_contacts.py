"""Contact changes as `urpi doctor --live` prints them: one line per change, bounces counted.

Pure: raw edges and the time are passed in. All times are whole milliseconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

QUIET_MS: Final = 50
"""Time without an edge after which a change is complete. A good contact bounces for 2 ms."""


@dataclass(frozen=True, slots=True)
class ContactChange:
    """A completed change of a contact.

    Attributes:
        name: name of the contact.
        closed: its final state.
        edges: number of edges, bounces included.
        within_ms: time from the first edge to the last.
    """

    name: str
    closed: bool
    edges: int
    within_ms: int

    @property
    def text(self) -> str:
        """The change as one line.

        >>> ContactChange("A1", True, 3, 2).text
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
    """Collects the raw edges of all contacts into completed changes."""

    def __init__(self) -> None:
        self._bursts: dict[str, _Burst] = {}

    def on_edge(self, name: str, closed: bool, t: int) -> None:
        """Record a raw edge of a contact at time `t`."""
        burst = self._bursts.get(name)
        if burst is None:
            self._bursts[name] = _Burst(t, t, closed)
        else:
            burst.last, burst.closed, burst.edges = t, closed, burst.edges + 1

    def pop_completed(self, now: int) -> Iterator[ContactChange]:
        """Yield and forget the changes whose contact has been quiet for `QUIET_MS`."""
        completed = [name for name, burst in self._bursts.items() if now - burst.last >= QUIET_MS]
        for name in completed:
            burst = self._bursts.pop(name)
            yield ContactChange(name, burst.closed, burst.edges, burst.last - burst.first)
