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
    """A bounded queue of the messages of tables, in turn. Its methods may be called by any thread.

    Of each table one message at a time is removed, so that no table occupies every thread.

    Args:
        max_waiting: Maximum number of messages that wait.
        max_of_table: Maximum number of messages of one table that wait or are being stored.
    """

    def __init__(self, max_waiting: int = MAX_WAITING, max_of_table: int = MAX_OF_TABLE) -> None:
        self._max_waiting, self._max_of_table = max_waiting, max_of_table
        self._ready: queue.SimpleQueue[str] = queue.SimpleQueue()
        """The tables with a message that waits, and none that is being stored."""
        self._held: defaultdict[str, list[bytes]] = defaultdict(list)
        """The messages of each table that wait or are being stored, the oldest first."""
        self._count = 0
        self._lock = Lock()
        self.dropped = 0
        """Number of messages for which there was no room."""

    def put(self, table: str, data: bytes) -> None:
        """Add a message, unless the same one waits already or there is no room. Never blocks."""
        with self._lock:
            held = self._held.get(table, [])
            if data in held:
                # Repeated before it was answered. Storing both would take the time of other
                # tables' messages, which would be repeated, too.
                return
            # Dropped, not rejected: the table repeats it.
            if len(held) >= self._max_of_table or self._count >= self._max_waiting:
                self.dropped += 1
                return
            self._count += 1
            self._held[table].append(data)
            if not held:
                self._ready.put(table)

    def get(self, timeout_s: float) -> tuple[str, bytes] | None:
        """Return the oldest message of the next table with its table; `release` it afterwards.

        Returns:
            None if there is no message within `timeout_s`.
        """
        try:
            table = self._ready.get(timeout=timeout_s)
        except queue.Empty:
            return None
        with self._lock:
            # It stays there until `release`, so that the same message is not added a second time.
            return table, self._held[table][0]

    def release(self, table: str, data: bytes) -> None:
        """Forget a message that was stored or could not be; the same one may be added again."""
        with self._lock:
            self._count -= 1
            self._held[table].remove(data)
            if self._held[table]:
                self._ready.put(table)
            else:
                # Empty lists are removed, or the tables' ids would accumulate for ever.
                del self._held[table]

    @property
    def count(self) -> int:
        """The number of messages that wait or are being stored."""
        return self._count

    @property
    def tables(self) -> frozenset[str]:
        """The tables with messages that wait or are being stored."""
        with self._lock:
            return frozenset(self._held)
