"""The wall: the newest state of every table, as events for all open pages.

The broker's thread calls `receive`; everything else runs in the page's thread. A page has a cursor
and receives what has changed since, so that a slow page receives only the newest state of a table.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any, Final, Literal, TypeAlias

from urpi.club.server.log_lines import log_about
from urpi.club.server.storage_status import StorageState
from urpi.club.web.table_state import TableState, parse_state
from urpi.core.errors import UrpiError
from urpi.core.limited_log import LimitedLog
from urpi.http.feeding import Feeding
from urpi.http.responses import event_bytes, json_bytes
from urpi.link.protocol.message_parsers import parse_online
from urpi.page.versions import Cursor

MAX_TABLES: Final = 2000
"""Maximum number of tables on the wall; messages of further ones are ignored."""
PAUSE_S: Final = 0.1
"""Shortest time between two rounds in which changes are sent."""

Kind: TypeAlias = Literal["state", "online"]

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Table:
    """What is known of a table.

    Attributes:
        online: Whether it is connected to the broker.
        seen: When it published something last; a retained message was published earlier.
        state: Its newest valid state.
    """

    online: bool = False
    seen: datetime | None = None
    state: TableState | None = None

    def document(self, name: str) -> dict[str, Any]:
        return {
            "table": name,
            "online": self.online,
            "seen": None if self.seen is None else round(self.seen.timestamp() * 1000),
            "state": None if self.state is None else self.state.document(),
        }


class TableFilter:
    """Which tables a page shows.

    Args:
        text: Ids of tables, separated by commas; one that ends with ``*`` stands for all that
            begin with what is before it.
    """

    def __init__(self, text: str = "*") -> None:
        names = [name.strip() for name in text.split(",")]
        self._ids = frozenset(names)
        self._beginnings = tuple(name[:-1] for name in names if name.endswith("*"))

    def __contains__(self, table: str) -> bool:
        return table in self._ids or table.startswith(self._beginnings)


def steady_clock() -> Callable[[], datetime]:
    """Return a clock with the time of now that follows no later jump of the system clock."""
    began, at = datetime.now(UTC), time.monotonic()
    return lambda: began + timedelta(seconds=time.monotonic() - at)


class Wall(Feeding):
    """The live tables. `receive`, both setters and `close` may be called from any thread.

    Args:
        now: Returns the time, with the offset from UTC. It must not jump, because pages show how
            long ago a table published something: `steady_clock`.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self._lock = Lock()
        self._inbox: dict[tuple[str, Kind], tuple[bytes, bool]] = {}
        self.is_connected = False
        """Whether the club is connected to the broker."""
        self.storage: StorageState = "works"
        """Whether the club's database stores."""
        # The broker sends the tables' states some time later.
        self.ready.set()
        self._tables: dict[str, _Table] = {}
        self._events: dict[str, tuple[int, bytes]] = {}
        """The newest event of each table with its version, the newest last; that of the club has
        the key ""."""
        # A page that has received the clock before the first event has the version 1.
        self._version = 1
        self._limited_log = LimitedLog(_log)

    # Called by any thread.

    def receive(self, table: str, kind: Kind, data: bytes, *, retained: bool) -> None:
        """Receive a message of a table; an older one that was not shown yet is replaced."""
        with self._lock:
            self._inbox[table, kind] = data, retained
        self._wake()

    def set_connected(self, connected: bool) -> None:
        """Show whether the club is connected to the broker."""
        self.is_connected = connected
        self._wake()

    def set_storage(self, state: StorageState) -> None:
        """Show whether the club's database stores."""
        self.storage = state
        self._wake()

    # Called by the page's thread.

    async def _process(self) -> None:
        self._received.set()
        while not self.closed:
            await self._received.wait()
            self._received.clear()
            self.update()
            await asyncio.sleep(PAUSE_S)

    def update(self) -> None:
        """Process what has been received since."""
        with self._lock:
            inbox, self._inbox = self._inbox, {}
        for (table, kind), (data, retained) in inbox.items():
            with log_about(table=table):
                self._accept(table, kind, data, retained=retained)
        self._publish("", "club", {"connected": self.is_connected, "storage": self.storage})
        self._notify_pages()

    def _accept(self, name: str, kind: Kind, data: bytes, *, retained: bool) -> None:
        """Process a message of a table, which keeps what it had if the message is not valid."""
        if name not in self._tables and (not data or len(self._tables) >= MAX_TABLES):
            if data:
                self._log_about(name, f"is ignored: there are {MAX_TABLES} tables already")
            return
        try:
            table = self._changed(self._tables.get(name, _Table()), kind, data, retained=retained)
            self._publish(name, "table", table.document(name))
        except UrpiError as error:
            self._log_about(name, f"is not valid: {error}")
        except Exception as error:
            self._log_about(name, f"cannot be shown: {error!r}", error)
        else:
            self._tables[name] = table

    def _changed(self, table: _Table, kind: Kind, data: bytes, *, retained: bool) -> _Table:
        """What is known of a table after a message.

        Raises:
            UrpiError: If the message is not valid.
        """
        if not data:
            # An administrator has removed the retained message.
            return replace(table, online=False) if kind == "online" else replace(table, state=None)
        now = self._now()
        if kind == "online":
            online = parse_online(data)
            seen = now if online and not retained else table.seen
            return replace(table, online=online, seen=seen)
        state = parse_state(data)
        # A table whose clock is fast must not have been seen in the future.
        return replace(table, state=state, seen=min(state.at, now) if retained else now)

    def _publish(self, key: str, kind: str, document: dict[str, Any]) -> None:
        event = event_bytes(kind, json_bytes(document))
        if self._events.get(key, (0, b""))[1] == event:
            return
        self._version += 1
        # Removed first, so that it moves to the end of the order.
        self._events.pop(key, None)
        self._events[key] = self._version, event

    def _log_about(self, name: str, text: str, error: Exception | None = None) -> None:
        self._limited_log.warning(name, f"What table {name} publishes {text}", error)

    @property
    def connected_tables(self) -> dict[str, bool]:
        """Whether each table on the wall is connected to the broker."""
        return {name: table.online for name, table in self._tables.items()}

    async def next_events(self, cursor: Cursor, tables: TableFilter) -> bytes:
        """Wait for changes after a cursor, advance it, and return them; empty once closed.

        Args:
            cursor: What the page has received.
            tables: The tables that the page shows.
        """
        return await self._next(lambda: self._events_after(cursor, tables))

    async def _events_after(self, cursor: Cursor, tables: TableFilter) -> bytes:
        events: list[bytes] = []
        # The newest first, so that a page that lacks little looks at little.
        for key, (version, event) in reversed(self._events.items()):
            if version <= cursor.version:
                break
            if not key or key in tables:
                events.append(event)
        if not cursor.version:
            now = round(self._now().timestamp() * 1000)
            # The browser's clock may differ, and a wall without tables must show that it has none.
            events.append(event_bytes("clock", json_bytes({"now": now})))
        cursor.version = self._version
        return b"".join(reversed(events))


class WallEvents:
    """The events of a wall, of all tables or of some: `urpi.page.events.EventSource`."""

    seq = 0
    """Every stream begins with the newest states."""

    def __init__(self, wall: Wall, tables: TableFilter | None = None) -> None:
        self._wall, self._tables = wall, tables or TableFilter()

    @property
    def closed(self) -> bool:
        return self._wall.closed

    async def next_events(self, cursor: Cursor, *, may_act: bool) -> bytes:  # noqa: ARG002 - all only watch
        return await self._wall.next_events(cursor, self._tables)
