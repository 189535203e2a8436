"""The messages of tables that wait to be stored, of each table only a few."""

import queue
from collections import defaultdict
from threading import Lock
from typing import Final

MAX_WAITING: Final = 2000
"""Messages of all tables that wait to be stored; further ones are dropped and repeated."""
MAX_OF_TABLE: Final = 4
"""Messages of one table that wait to be stored. A table has one in flight, and may repeat it."""


class TableQueue:
    """A bounded queue of the messages of tables. Its methods may be called by any thread.

    Args:
        max_waiting: Maximum number of messages that wait.
        max_of_table: Maximum number of messages of one table that wait or are being stored.
    """

    def __init__(self, max_waiting: int = MAX_WAITING, max_of_table: int = MAX_OF_TABLE) -> None:
        self._max_of_table = max_of_table
        self._messages: queue.Queue[tuple[str, bytes]] = queue.Queue(max_waiting)
        self._held: defaultdict[str, list[bytes]] = defaultdict(list)
        """The messages of each table that wait or are being stored."""
        self._lock = Lock()
        self.dropped = 0
        """Number of messages for which there was no room."""

    def put(self, table: str, data: bytes) -> None:
        """Add a message, unless the same one waits already or there is no room. Never blocks."""
        with self._lock:
            held = self._held[table]
            if data in held:
                # Repeated before it was answered. Storing both would take the time of other
                # tables' messages, which would be repeated, too.
                return
            # Dropped, not rejected: the table repeats it.
            if len(held) >= self._max_of_table:
                self.dropped += 1
                return
            held.append(data)
        try:
            self._messages.put_nowait((table, data))
        except queue.Full:
            self.dropped += 1
            self.release(table, data)

    def get(self, timeout_s: float) -> tuple[str, bytes] | None:
        """Remove the oldest message, and return its table and its data; `release` it afterwards.

        Returns:
            None if there is no message within `timeout_s`.
        """
        try:
            return self._messages.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def release(self, table: str, data: bytes) -> None:
        """Forget a message that was stored or could not be; the same one may be added again."""
        with self._lock:
            self._held[table].remove(data)
            # Empty lists are removed, or the tables' ids would accumulate for ever.
            if not self._held[table]:
                del self._held[table]

    @property
    def tables(self) -> frozenset[str]:
        """The tables with messages that wait or are being stored."""
        with self._lock:
            return frozenset(self._held)
