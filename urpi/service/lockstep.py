"""Virtual time: one clock for a virtual table and the program at it, which advance in lockstep.

The table's schedule is the only clock. It advances from one due event to the next, of the table or
of the service, and only after the program has processed everything that the table has sent. The
wall clock only limits the pace, so a process that was stopped for a while continues where it was:
no event is late, and no device appears silent.
"""

import time
from collections.abc import Callable
from typing import Final

from urpi.service.board import BoardService
from urpi.simulation import TableHardware

POLL_S: Final = 0.0005
"""Wait between two checks of whether the program has processed everything."""
PATIENCE: Final = 1000
"""Checks without progress after which lines on the hub's cable count as lost.

A count, not a time: while the process is stopped, the program's threads cannot make progress."""
MAX_LAG_S: Final = 0.25
"""Maximum wall time in seconds that is made up for after a delay; the rest is skipped."""
_NOTHING: Final = (0, 0)

WallClock = Callable[[], float]
"""Returns seconds, never decreasing."""


class Pace:
    """A speed limit: virtual time may advance `speed` times as fast as the wall clock.

    A `speed` of 0 sets no limit. It may change at any time.
    """

    def __init__(self, speed: float, wall_s: WallClock = time.monotonic) -> None:
        self.speed = speed
        self._wall_s = wall_s
        self._read_at = wall_s()
        self._limit = 0.0

    def limit(self, now: int) -> int | None:
        """Return the virtual time that may be reached, None without a limit.

        Args:
            now: The virtual time in milliseconds. The limit is at most `MAX_LAG_S` ahead of it.
        """
        if not self.speed:
            return None
        wall_s = self._wall_s()
        ms_per_s = 1000 * self.speed
        elapsed_ms = (wall_s - self._read_at) * ms_per_s
        self._read_at = wall_s
        # After a long stop the table continues where it was, and does not hurry after the clock.
        self._limit = min(self._limit + elapsed_ms, now + MAX_LAG_S * ms_per_s)
        return max(int(self._limit), now)

    def wall_s_until(self, now: int, due: int) -> float:
        """Return the seconds of wall time from `now` until `due`, both virtual milliseconds."""
        return (due - now) / (1000 * self.speed) if self.speed else 0.0


class Lockstep:
    """Advances the time of a table and of the program at it.

    Args:
        table: The table.
        pace: The speed limit.
        lines_received: Returns the number of lines that the program has received from the hub.
    """

    def __init__(self, table: TableHardware, pace: Pace, lines_received: Callable[[], int]) -> None:
        self._table, self._pace, self._lines_received = table, pace, lines_received
        self._progress = _NOTHING
        self._checks = 0
        self._lost = 0

    def now(self) -> int:
        """Return the virtual time in milliseconds. It never decreases; any thread may call it."""
        return self._table.schedule.now

    def advance(self, board: BoardService | None) -> bool:
        """Process what is due by now; without a limit, the next due event.

        Args:
            board: The program, None while it has no power.

        Returns:
            False if the program has not processed everything yet and time waits for it.
        """
        limit = self._pace.limit(self.now())
        while True:
            if not self._is_processed(board):
                return False
            due = self.next_due(board)
            if due is None or (limit is not None and due > limit):
                break
            self._run(due)
            if limit is None:
                break
        if limit is not None:
            self._table.advance(limit)
        if board is not None:
            board.service.work()
        return True

    def next_due(self, board: BoardService | None) -> int | None:
        """Return the virtual time of the next event, None if nothing is planned."""
        dues = (self._table.next_due, self._service_due(board))
        return min((due for due in dues if due is not None), default=None)

    def wait_s(self, board: BoardService | None, longest_s: float) -> float:
        """Return how long to wait for facts until the next event is due, in wall seconds."""
        due = self.next_due(board)
        if due is None:
            return longest_s
        return max(min(self._pace.wall_s_until(self.now(), due), longest_s), POLL_S)

    def forget(self) -> None:
        """Stop waiting for the lines sent so far: the program to receive them has ended."""
        self._lost = self._table.rig.lines_sent

    def _run(self, due: int) -> None:
        # The table first, if both are due: the program reacts to what it shows.
        if due == self._table.next_due:
            self._table.run_next()
        else:
            self._table.schedule.advance(due)

    def _service_due(self, board: BoardService | None) -> int | None:
        """Return when the service has something to do, None if never, in the table's time."""
        due = None if board is None else board.service.next_due
        if board is None or due is None:
            return None
        # The service's clock has another origin if it continues a stored game.
        left_ms = due - board.service.clock()
        # The service has just worked, so what is overdue now waits for something other than time.
        return self.now() + left_ms if left_ms > 0 else None

    def _is_processed(self, board: BoardService | None) -> bool:
        self._table.rig.poll()
        if board is None:
            return True
        board.service.work()
        return self._is_received() and board.idle

    def _is_received(self) -> bool:
        """Return whether the program has received all lines of the hub that were not lost.

        Lines sent to a closed port are lost: they are given up after `PATIENCE` checks without
        progress.
        """
        progress = self._table.rig.lines_sent, self._lines_received()
        if progress != self._progress:
            self._progress, self._checks = progress, 0
        missing = progress[0] - progress[1]
        # Lines that were given up can arrive after all.
        self._lost = min(self._lost, missing)
        if self._table.rig.acknowledged and self._table.rig.drained and missing <= self._lost:
            return True
        self._checks += 1
        if self._checks <= PATIENCE:
            return False
        self._lost = missing
        return True
