"""Reed switches: they turn changes of the occupied squares into raw edges, with bounce.

A contact that closes or opens bounces for a few milliseconds: data sheets of small reed switches
name 0.1 to 1 ms for the contact alone, and a magnet that is put down by hand moves for longer. The
edges go to a callback: gpiozero's mock pins, a test, or a converter to facts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import TypeAlias

from urpi.rules import ALL_SQUARES, Square, Squares
from urpi.simulation.schedule import Schedule, Script

EdgeSink: TypeAlias = Callable[[Square, bool], None]
"""Called with each raw edge: the square, and whether its switch is closed now (occupied)."""


class ReedFault(Enum):
    """A fault of a switch."""

    STUCK_ON = "stuck-on"
    STUCK_OFF = "stuck-off"
    FLICKER = "flicker"
    """It opens and closes at random while the square is occupied."""
    LOST_EDGE = "lost-edge"
    """It misses the next change of the square, and is repaired then."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """How switches bounce: with the chance `likely`, up to `most` extra edges in `spread_ms`."""

    likely: float = 0.8
    most: int = 8
    spread_ms: int = 4


class Reeds:
    """The twenty switches. `levels` are the squares whose switch is closed at this moment."""

    def __init__(
        self, schedule: Schedule, rng: Random, sink: EdgeSink, bounce: Bounce | None = None
    ) -> None:
        self.levels: Squares = 0
        self.faults: dict[Square, ReedFault] = {}
        self._schedule = schedule
        self._rng = rng
        self._sink = sink
        self._bounce = bounce or Bounce()
        self.followed: Callable[[], None] = lambda: None
        """Called whenever pieces were lifted or put down, also where no switch shows it."""
        self._truth: Squares = 0
        self._change = [0] * len(ALL_SQUARES)
        """The number of changes of each square; a new one ends the bounce of the previous one."""

    def follow(self, occupancy: Squares) -> None:
        """Change the occupied squares: pieces were lifted or put down."""
        changed, self._truth = self._truth ^ occupancy, occupancy
        for square in ALL_SQUARES:
            if changed >> square & 1:
                self._react(square, on=bool(occupancy >> square & 1))
        self.followed()

    def set_at_rest(self, occupancy: Squares) -> None:
        """Set the occupied squares before the program listens: every edge, without bounce."""
        self._truth = occupancy
        for square in ALL_SQUARES:
            self._drive(square, on=bool(occupancy >> square & 1))

    def knock(self, square: Square, wait_ms: int, open_ms: int) -> None:
        """Let a closed switch open for `open_ms` after `wait_ms`: the board was knocked."""
        self._schedule.after(wait_ms, lambda: self._blink(square, open_ms))

    def break_down(self, square: Square, fault: ReedFault) -> None:
        """Give a switch a fault from now on."""
        self.faults[square] = fault
        if fault is ReedFault.STUCK_ON:
            self._drive(square, on=True)
        elif fault is ReedFault.STUCK_OFF:
            self._drive(square, on=False)
        elif fault is ReedFault.FLICKER:
            self._schedule.start(self._flicker(square))

    def repair(self, square: Square) -> None:
        """Repair a switch: it follows its square again."""
        self.faults.pop(square, None)
        self._chatter(square, on=bool(self._truth >> square & 1))

    def _blink(self, square: Square, open_ms: int) -> None:
        if not self._truth >> square & 1 or square in self.faults:
            return
        self._chatter(square, on=False)
        change = self._change[square]
        # A knock that overlaps with a real change must not close a switch whose piece has been
        # lifted.
        self._schedule.after(open_ms, lambda: self._close_again(square, change))

    def _react(self, square: Square, *, on: bool) -> None:
        fault = self.faults.get(square)
        if fault is None:
            self._chatter(square, on=on)
        # `levels` keeps the old level: only a full reading or the next change shows the new one.
        elif fault is ReedFault.LOST_EDGE:
            del self.faults[square]

    def _close_again(self, square: Square, change: int) -> None:
        if self._change[square] == change:
            self._chatter(square, on=True)

    def _chatter(self, square: Square, *, on: bool) -> None:
        """Send one edge at once, then pairs of edges that end at the same level."""
        self._change[square] += 1
        change = self._change[square]
        self._drive(square, on=on)
        for number, wait_ms in enumerate(self._bounces()):
            self._plan(square, change, wait_ms, on=on if number % 2 else not on)

    def _bounces(self) -> list[int]:
        if self._rng.random() >= self._bounce.likely:
            return []
        # Pairs, so that the bounce ends at the level that it began with.
        pairs = self._rng.randint(1, self._bounce.most // 2)
        return sorted(self._rng.randint(0, self._bounce.spread_ms) for _ in range(2 * pairs))

    def _plan(self, square: Square, change: int, wait_ms: int, *, on: bool) -> None:
        def edge() -> None:
            if self._change[square] == change and square not in self.faults:
                self._drive(square, on=on)

        self._schedule.after(wait_ms, edge)

    def _flicker(self, square: Square) -> Script:
        while self.faults.get(square) is ReedFault.FLICKER:
            standing = bool(self._truth >> square & 1)
            self._drive(square, on=standing and not self.levels >> square & 1)
            yield self._rng.randint(5, 60)

    def _drive(self, square: Square, *, on: bool) -> None:
        # A real contact makes no edge without a change of its level either.
        if bool(self.levels >> square & 1) is not on:
            self.levels ^= 1 << square
            self._sink(square, on)
