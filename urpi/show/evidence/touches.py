"""Detection of lifts and puts in the raw edges of the switches."""

from collections import Counter
from collections.abc import Iterator

from urpi.referee.contacts import Contacts, edge, forget, reading, settled
from urpi.referee.facts import Edge, Occupancy
from urpi.referee.settings import Timing
from urpi.rules import Square, Squares
from urpi.show.evidence.story import Touch


class TouchDetector:
    """Detects touches with the referee's debouncing.

    Args:
        stable_ms: time that a contact has to keep its level, as in the game.
    """

    def __init__(self, stable_ms: int) -> None:
        self._contacts, self._timing = Contacts(), Timing(contact_stable_ms=stable_ms)
        self._edges: Counter[Square] = Counter()
        self.picture: Squares = 0
        """Squares whose switch is closed after the last touch yielded."""

    def on_edge(self, fact: Edge) -> Iterator[Touch]:
        """Add a raw edge and yield the touches that are complete."""
        yield from self.advance(fact.t)
        before = self._contacts
        self._contacts = edge(before, fact.t, fact.square, fact.on, self._timing)
        self._edges[fact.square] += self._contacts is not before
        yield from self._new()

    def on_reading(self, fact: Occupancy) -> Iterator[Touch]:
        """Add a reading of all squares and yield the touches that are complete.

        The differences found by the first reading are the initial state, not touches.
        """
        yield from self.advance(fact.t)
        first = not self._contacts.any_edge
        self._contacts = reading(self._contacts, fact.t, fact.squares, self._timing)
        # A reading is a level, not an edge: it counts at once, without waiting for bounces.
        found = list(self.advance(fact.t + self._timing.contact_stable_ms))
        if not first:
            yield from found

    def advance(self, t: int) -> Iterator[Touch]:
        """Yield the touches that are complete at time `t`."""
        self._contacts = settled(self._contacts, t, self._timing)
        yield from self._new()

    def _new(self) -> Iterator[Touch]:
        for change in sorted(self._contacts.log, key=lambda one: one.t):
            bit = 1 << change.square
            self.picture = self.picture | bit if change.on else self.picture & ~bit
            edges = self._edges.pop(change.square, 0)
            yield Touch(change.t, change.square, change.on, edges, self.picture)
        self._contacts = forget(self._contacts)
