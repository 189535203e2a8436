"""The test of the squares one by one: a piece is placed on each, held, and lifted. Pure.

Raw contact edges and the time are passed in; `Session` decides what to request next and judges
each square. All times are whole milliseconds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

STILL_MS: Final = 150
"""Time without an edge after which the hand is considered gone."""
PLACING_MS: Final = 1500
"""Time after the first edge when a contact that does not settle is watched all the same."""
HOLDING_MS: Final = 1000
"""Time during which the contact is watched below a standing piece."""
PATIENCE_MS: Final = 30_000
"""Timeout for a square that does not react."""
CLEARING_MS: Final = 10_000
"""Timeout for a contact that stays closed on the empty board: it is stuck."""
FLICKERS: Final = 2
"""Number of edges below a standing piece from which a contact is unsteady."""
WEAK_EDGES: Final = 12
"""Number of edges from which a contact is weak. A good reed switch bounces two to four times,
which makes up to nine edges."""
WEAK_MS: Final = 250
"""Settling time from which a contact is weak. A good one settles in a millisecond or two, but the
hand that places the piece may waver."""


class SquareVerdict(Enum):
    """The result of testing a square."""

    RIGHT = "right"
    SILENT = "silent"
    """No contact closed."""
    OTHER = "other"
    """Another contact closed instead."""
    SEVERAL = "several"
    """Other contacts closed as well."""
    STUCK = "stuck"
    """The contact did not open."""
    FLICKERS = "flickers"
    """The contact opened and closed below a standing piece."""
    WEAK = "weak"
    """The contact bounced too often or settled too slowly."""


class SquareStep(Enum):
    """What the person at the board has to do."""

    CLEAR = "clear"
    PLACE = "place"
    HOLD = "hold"
    LIFT = "lift"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class ContactEdge:
    """A raw edge of a contact at time `t`."""

    t: int
    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of testing one square.

    Attributes:
        square: name of the square.
        verdict: what is wrong with it, if anything.
        answered: contacts that closed.
        edges: number of edges of its own contact while the piece was placed.
        within_ms: time from the first of those edges to the last.
    """

    square: str
    verdict: SquareVerdict
    answered: tuple[str, ...] = ()
    edges: int = 0
    within_ms: int = 0


def judge(square: str, placing: Iterable[ContactEdge], holding: Iterable[ContactEdge]) -> Result:
    """Judge a square by the edges while its piece was placed and while it stood.

    >>> judge("A1", [ContactEdge(5, "A2", True)], []).verdict
    <SquareVerdict.OTHER: 'other'>
    """
    placed = list(placing)
    answered = _answered(placed)
    edges = [edge.t for edge in placed if edge.name == square]
    within_ms = edges[-1] - edges[0] if edges else 0
    unsteady = sum(edge.name in answered for edge in holding) >= FLICKERS
    return Result(
        square,
        _verdict(square, answered, unsteady, len(edges), within_ms),
        answered,
        len(edges),
        within_ms,
    )


def _answered(placed: Sequence[ContactEdge]) -> tuple[str, ...]:
    """The contacts that ended closed or, if none did, all that closed at some point."""
    # Only the final state counts: a piece that is slid to its square closes others on the way.
    last = {edge.name: edge.on for edge in placed}
    closed = tuple(name for name, on in last.items() if on)
    return closed or tuple(dict.fromkeys(edge.name for edge in placed if edge.on))


def _verdict(
    square: str, answered: tuple[str, ...], unsteady: bool, edges: int, within_ms: int
) -> SquareVerdict:
    if not answered:
        return SquareVerdict.SILENT
    if square not in answered:
        return SquareVerdict.OTHER
    if len(answered) > 1:
        return SquareVerdict.SEVERAL
    if unsteady:
        return SquareVerdict.FLICKERS
    return (
        SquareVerdict.WEAK if edges >= WEAK_EDGES or within_ms >= WEAK_MS else SquareVerdict.RIGHT
    )


def swapped(results: Iterable[Result]) -> list[tuple[str, str]]:
    """The pairs of squares that closed each other's contact.

    >>> a = Result("A1", SquareVerdict.OTHER, ("B2",))
    >>> swapped([a, Result("B2", SquareVerdict.OTHER, ("A1",))])
    [('A1', 'B2')]
    """
    instead = {one.square: one.answered[0] for one in results if one.verdict is SquareVerdict.OTHER}
    return [
        (square, other)
        for square, other in instead.items()
        if instead.get(other) == square and square < other
    ]


class Session:
    """A test of squares in a given order.

    Pass every edge to `on_edge` and the time to `tick`. `step` and `square` are what to request
    of the person at the board; `results` grows until `step` is DONE.

    Args:
        squares: names of the squares to test.
        levels: state of every contact at the start, True if closed.
        now: time of the start.
    """

    def __init__(self, squares: Sequence[str], levels: Mapping[str, bool], now: int) -> None:
        self.results: list[Result] = []
        self._squares = list(squares)
        self._levels = dict(levels)
        self._stuck: set[str] = set()
        self._placing: list[ContactEdge] = []
        self._holding: list[ContactEdge] = []
        self._since = self._changed_at = now
        self.step = SquareStep.CLEAR
        self.tick(now)

    @property
    def square(self) -> str:
        """Name of the square being tested, empty when all are done."""
        return self._squares[len(self.results)] if self.step is not SquareStep.DONE else ""

    @property
    def closed(self) -> list[str]:
        """Names of the closed contacts, except those known to be stuck."""
        return [name for name, on in self._levels.items() if on and name not in self._stuck]

    def on_edge(self, name: str, on: bool, t: int) -> None:
        """Record an edge at time `t`; contacts that are not part of the test are ignored."""
        if name not in self._levels:
            return
        # A timeout that elapsed before this edge must take effect first.
        self.tick(t)
        self._levels[name] = on
        self._changed_at = t
        if name in self._stuck:
            return
        if self.step is SquareStep.PLACE:
            self._placing.append(ContactEdge(t, name, on))
        elif self.step is SquareStep.HOLD:
            self._holding.append(ContactEdge(t, name, on))

    def tick(self, now: int) -> None:
        """Advance as far as the contacts and the time allow."""
        actions = {
            SquareStep.CLEAR: self._clear,
            SquareStep.PLACE: self._place,
            SquareStep.HOLD: self._hold,
            SquareStep.LIFT: self._lift,
        }
        before = None
        while self.step is not SquareStep.DONE and before is not self.step:
            before = self.step
            actions[before](now)

    def _is_still(self, now: int) -> bool:
        return now - self._changed_at >= STILL_MS

    def _enter(self, step: SquareStep, now: int) -> None:
        self.step, self._since = step, now

    def _clear(self, now: int) -> None:
        if not self.closed:
            self._next_square(now)
        elif now - max(self._since, self._changed_at) >= CLEARING_MS:
            self._stuck.update(self.closed)
            self._next_square(now)

    def _next_square(self, now: int) -> None:
        """Advance to the next square whose contact is not known to be stuck."""
        self._placing, self._holding = [], []
        while len(self.results) < len(self._squares):
            square = self._squares[len(self.results)]
            if square not in self._stuck:
                self._enter(SquareStep.PLACE, now)
                return
            self.results.append(Result(square, SquareVerdict.STUCK))
        self._enter(SquareStep.DONE, now)

    def _place(self, now: int) -> None:
        if not self._placing:
            if now - self._since >= PATIENCE_MS:
                self._conclude(judge(self.square, [], []), now)
            return
        settled = bool(self.closed) and self._is_still(now)
        # A contact that never settles is watched too: its edges are then its verdict.
        if settled or now - self._placing[0].t >= PLACING_MS:
            self._enter(SquareStep.HOLD, now)

    def _hold(self, now: int) -> None:
        if now - self._since >= HOLDING_MS:
            self._enter(SquareStep.LIFT, now)

    def _lift(self, now: int) -> None:
        if not self.closed and self._is_still(now):
            self._conclude(judge(self.square, self._placing, self._holding), now)
        elif now - self._since >= PATIENCE_MS:
            answered = tuple(self.closed)
            self._stuck.update(answered)
            self._conclude(Result(self.square, SquareVerdict.STUCK, answered), now)

    def _conclude(self, result: Result, now: int) -> None:
        self.results.append(result)
        self._next_square(now)
