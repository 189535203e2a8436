"""Whether the club's database stores messages: logged and reported when it changes."""

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import Final, Literal, TypeAlias, assert_never

from urpi.club.server.database import one_line_reason
from urpi.link.protocol.outbox import RETRY_MS

StorageState: TypeAlias = Literal["works", "full", "unavailable"]
"""Whether the database stores: its disk may be full, or it may not respond."""

FORGET_S: Final = 2 * RETRY_MS[-1] / 1000
"""Time after which a table that has not repeated its message is ignored."""

_log: Final = logging.getLogger(__name__)


class StorageStatus:
    """The state of the database, as the messages of tables find it. Thread-safe.

    A full disk has room for some messages still, in the pages that the database has. So it is full
    until every table whose message did not fit has repeated it with success.

    Args:
        on_change: Called with every change, by any thread.
        clock: Returns seconds, never decreasing.
    """

    def __init__(
        self,
        on_change: Callable[[StorageState], None] = lambda _state: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_change, self._clock = on_change, clock
        self._lock = Lock()
        self._state: StorageState = "works"
        self._unstored: dict[str, float] = {}
        """When the message of a table did not fit, by the table's id."""

    def stored(self, table: str) -> None:
        """Record that a table's message is stored."""
        # Without the lock, because this is called for each message; a change is noticed by the next
        # one.
        if self._state == "works":
            return
        with self._lock:
            self._unstored.pop(table, None)
            oldest = self._clock() - FORGET_S
            if any(at > oldest for at in self._unstored.values()):
                return
            self._unstored.clear()
        self._change("works")

    def full(self, error: Exception, table: str | None = None) -> None:
        """Record that the disk is full, and the table whose message did not fit, if it was one."""
        if table is not None:
            with self._lock:
                self._unstored[table] = self._clock()
        self._change("full", error)

    def unavailable(self, error: Exception) -> None:
        """Record that the database cannot be used."""
        self._change("unavailable", error)

    def connected(self) -> bool:
        """Record that there is a connection; return whether there was none before.

        If several threads reconnect, this is true for the first one only.
        """
        return self._state == "unavailable" and self._change("works")

    def _change(self, state: StorageState, error: Exception | None = None) -> bool:
        with self._lock:
            before, self._state = self._state, state
        if before == state:
            return False
        reason = one_line_reason(error)
        match state:
            case "works":
                _log.info("The database stores messages again.")
            case "full":
                _log.error(
                    "Not everything can be stored: the disk of the database is full: %s", reason
                )
            case "unavailable":
                _log.warning("The database cannot be used: %s", reason)
            case _:
                assert_never(state)
        self._on_change(state)
        return True
