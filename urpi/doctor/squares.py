"""Each square in turn: a piece is put there, stays, and is taken off again. Pure.

Told every contact's raw edges and the time, it says what to do next and what came of it. It
knows no pin; all times are whole milliseconds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

STILL_MS: Final = 150
"""Nothing changed for so long: the hand is gone."""
PLACING_MS: Final = 1500
"""A contact that does not come to rest in so long is watched as it is."""
HOLDING_MS: Final = 1000
"""A piece stands for so long while its contact is watched."""
PATIENCE_MS: Final = 30_000
"""A square that does not answer for so long does not answer."""
CLEARING_MS: Final = 10_000
"""And one that stays closed on an empty board for so long is stuck."""
FLICKERS: Final = 2
"""So many edges or more while a piece stands still."""
WEAK_EDGES: Final = 12
"""A good reed switch bounces two to four times: that is up to nine edges."""
WEAK_MS: Final = 250
"""It is at rest after a millisecond or two, but a hand that sets down may waver."""


class Verdict(Enum):
    """What came of a square."""

    RIGHT = "right"
    SILENT = "silent"
    OTHER = "other"
    """Another contact answered in its place."""
    SEVERAL = "several"
    STUCK = "stuck"
    FLICKERS = "flickers"
    WEAK = "weak"


class Step(Enum):
    """What the person is asked to do."""

    CLEAR = "clear"
    PLACE = "place"
    HOLD = "hold"
    LIFT = "lift"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Heard:
    """A contact's raw edge."""

    t: int
    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A square, what came of it, the contacts that answered, and the edges as it was placed.

    `within_ms` is from the first of those edges to the last.
    """

    square: str
    verdict: Verdict
    answered: tuple[str, ...] = ()
    edges: int = 0
    within_ms: int = 0


def judge(square: str, placing: Iterable[Heard], holding: Iterable[Heard]) -> Result:
    """What came of a square, from the edges as the piece was placed, and while it stood.

    >>> judge("A1", [Heard(5, "A2", True)], []).verdict
    <Verdict.OTHER: 'other'>
    """
    placed = list(placing)
    answered = _answered(placed)
    edges = [edge.t for edge in placed if edge.name == square]
    within_ms = edges[-1] - edges[0] if edges else 0
    restless = sum(edge.name in answered for edge in holding) >= FLICKERS
    return Result(
        square,
        _verdict(square, answered, restless, len(edges), within_ms),
        answered,
        len(edges),
        within_ms,
    )


def _answered(placed: Sequence[Heard]) -> tuple[str, ...]:
    """The contacts that are closed in the end; else those that closed at all.

    A piece that is slid to its square closes others on its way.
    """
    last = {edge.name: edge.on for edge in placed}
    closed = tuple(name for name, on in last.items() if on)
    return closed or tuple(dict.fromkeys(edge.name for edge in placed if edge.on))


def _verdict(
    square: str, answered: tuple[str, ...], restless: bool, edges: int, within_ms: int
) -> Verdict:
    if not answered:
        return Verdict.SILENT
    if square not in answered:
        return Verdict.OTHER
    if len(answered) > 1:
        return Verdict.SEVERAL
    if restless:
        return Verdict.FLICKERS
    return Verdict.WEAK if edges >= WEAK_EDGES or within_ms >= WEAK_MS else Verdict.RIGHT


def swapped(results: Iterable[Result]) -> list[tuple[str, str]]:
    """Squares that answered in each other's place.

    >>> a, b = Result("A1", Verdict.OTHER, ("B2",)), Result("B2", Verdict.OTHER, ("A1",))
    >>> swapped([a, b])
    [('A1', 'B2')]
    """
    instead = {one.square: one.answered[0] for one in results if one.verdict is Verdict.OTHER}
    return [
        (square, other)
        for square, other in instead.items()
        if instead.get(other) == square and square < other
    ]


class Session:
    """A walk over the squares. `levels` are the contacts' when it begins at `now`.

    Tell it every edge with `heard`, and the time with `passed` as often as you like; `step`
    and `square` say what to ask for, and `results` grows until `step` is DONE.
    """

    def __init__(self, squares: Sequence[str], levels: Mapping[str, bool], now: int) -> None:
        self.results: list[Result] = []
        self._squares = list(squares)
        self._levels = dict(levels)
        self._stuck: set[str] = set()
        self._placing: list[Heard] = []
        self._holding: list[Heard] = []
        self._since = self._changed_at = now
        self.step = Step.CLEAR
        self.passed(now)

    @property
    def square(self) -> str:
        """The square that it is about."""
        return self._squares[len(self.results)] if self.step is not Step.DONE else ""

    @property
    def closed(self) -> list[str]:
        """The contacts that are closed now, but for those that are always."""
        return [name for name, on in self._levels.items() if on and name not in self._stuck]

    def heard(self, name: str, on: bool, t: int) -> None:
        """A contact closed or opened at `t`; what is no contact of this walk counts for nothing."""
        if name not in self._levels:
            return
        self.passed(t)
        self._levels[name] = on
        self._changed_at = t
        if name in self._stuck:
            return
        if self.step is Step.PLACE:
            self._placing.append(Heard(t, name, on))
        elif self.step is Step.HOLD:
            self._holding.append(Heard(t, name, on))

    def passed(self, t: int) -> None:
        """It is `t` now."""
        acts = {
            Step.CLEAR: self._clear,
            Step.PLACE: self._place,
            Step.HOLD: self._hold,
            Step.LIFT: self._lift,
        }
        before = None
        while self.step is not Step.DONE and before is not self.step:
            before = self.step
            acts[before](t)

    def _still(self, t: int) -> bool:
        return t - self._changed_at >= STILL_MS

    def _go(self, step: Step, t: int) -> None:
        self.step, self._since = step, t

    def _clear(self, t: int) -> None:
        if not self.closed:
            self._next(t)
        elif t - max(self._since, self._changed_at) >= CLEARING_MS:
            self._stuck.update(self.closed)
            self._next(t)

    def _next(self, t: int) -> None:
        """To the next square that is not known to be stuck."""
        self._placing, self._holding = [], []
        while len(self.results) < len(self._squares):
            square = self._squares[len(self.results)]
            if square not in self._stuck:
                self._go(Step.PLACE, t)
                return
            self.results.append(Result(square, Verdict.STUCK))
        self._go(Step.DONE, t)

    def _place(self, t: int) -> None:
        if not self._placing:
            if t - self._since >= PATIENCE_MS:
                self._conclude(judge(self.square, [], []), t)
            return
        rested = bool(self.closed) and self._still(t)
        if rested or t - self._placing[0].t >= PLACING_MS:
            self._go(Step.HOLD, t)

    def _hold(self, t: int) -> None:
        if t - self._since >= HOLDING_MS:
            self._go(Step.LIFT, t)

    def _lift(self, t: int) -> None:
        if not self.closed and self._still(t):
            self._conclude(judge(self.square, self._placing, self._holding), t)
        elif t - self._since >= PATIENCE_MS:
            answered = tuple(self.closed)
            self._stuck.update(answered)
            self._conclude(Result(self.square, Verdict.STUCK, answered), t)

    def _conclude(self, result: Result, t: int) -> None:
        self.results.append(result)
        self._next(t)
