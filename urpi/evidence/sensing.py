"""Sensing: raw edges of the switches as lifts and puts, each told once it is sure."""

from collections import Counter
from collections.abc import Iterator

from urpi.evidence.story import Touch
from urpi.referee.contacts import Contacts, edge, forget, reading, settled
from urpi.referee.facts import Edge, Occupancy
from urpi.rules import Square, Squares


class Sensing:
    """Debounces with the referee's own code; `stable_ms` is the game's."""

    def __init__(self, stable_ms: int) -> None:
        self._contacts, self._stable_ms = Contacts(), stable_ms
        self._edges: Counter[Square] = Counter()
        self.picture: Squares = 0
        """The squares on which something stands, as far as it has been told."""

    def edge(self, fact: Edge) -> Iterator[Touch]:
        """What is sure now that one more raw edge has come."""
        yield from self.until(fact.t)
        was = self._contacts
        self._contacts = edge(was, fact.t, fact.square, fact.on, self._stable_ms)
        self._edges[fact.square] += self._contacts is not was
        yield from self._new()

    def reading(self, fact: Occupancy) -> Iterator[Touch]:
        """What is sure now that all squares were read; nothing of it has come before the first."""
        yield from self.until(fact.t)
        first = not self._contacts.since_any
        self._contacts = reading(self._contacts, fact.t, fact.squares, self._stable_ms)
        found = list(self.until(fact.t + self._stable_ms))
        if not first:
            yield from found

    def until(self, t: int) -> Iterator[Touch]:
        """What has become sure by then."""
        self._contacts = settled(self._contacts, t, self._stable_ms)
        yield from self._new()

    def _new(self) -> Iterator[Touch]:
        for change in sorted(self._contacts.log, key=lambda one: one.t):
            bit = 1 << change.square
            self.picture = self.picture | bit if change.on else self.picture & ~bit
            edges = self._edges.pop(change.square, 0)
            yield Touch(change.t, change.square, change.on, edges, self.picture)
        self._contacts = forget(self._contacts)
