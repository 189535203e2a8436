"""The ticks of a running game clock, by which the display shows it. They decide nothing."""

from collections.abc import Callable

from urpi.referee import Snapshot
from urpi.referee.clock import Clock
from urpi.show.views.clock import lasts_ms


class ClockTicks:
    """A task that shows the clock again whenever its text changes.

    Args:
        snapshot: Returns the state of the game.
        show: Shows it.
    """

    def __init__(self, snapshot: Callable[[], Snapshot], show: Callable[[], None]) -> None:
        self._snapshot, self._show = snapshot, show
        self._clock: Clock | None = None
        self._shown_at = 0

    @property
    def next_due(self) -> int | None:
        """When the text of the running clock changes, None if none runs or its time is over."""
        clock = self._snapshot().clock
        if clock is None or clock.running is None:
            return None
        if clock is not self._clock:
            # It was shown when it began to run.
            self._clock, self._shown_at = clock, clock.since
        left = clock.left(clock.running, self._shown_at)
        return self._shown_at + lasts_ms(left) if left else None

    def tick(self, t: int) -> None:
        """Show the clock if it is due."""
        due = self.next_due
        if due is not None and due <= t:
            self._shown_at = t
            self._show()
