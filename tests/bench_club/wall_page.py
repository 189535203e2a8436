"""A page with the wall: reads the club's events, and notes how old each shown state is."""

import json
import socket
import time
from typing import Any, Final

from tests.bench_club.tables import Fleet, Shown

_BYTES: Final = 1 << 20


class WallPage:
    """An open page. Connected again by `open` after the club was restarted.

    Args:
        fleet: The tables whose states are shown.
        port: The port of the club's page, on loopback.
    """

    def __init__(self, fleet: Fleet, port: int) -> None:
        self._fleet, self._port = fleet, port
        self._tables = {table.name: table for table in fleet.tables}
        self._connection: socket.socket | None = None
        self._rest = b""
        self.delays_s: list[float] = []
        self.events = 0
        self.bytes = 0

    def open(self) -> None:
        """Request the events."""
        connection = self._connection = socket.create_connection(("127.0.0.1", self._port), 5)
        request = (
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            "Accept: text/event-stream\r\n\r\n"
        )
        connection.sendall(request.encode())
        connection.setblocking(False)
        self._fleet.add_reader(connection, self._read)

    def close(self) -> None:
        if self._connection is not None:
            self._fleet.remove_reader(self._connection)
            self._connection.close()
            self._connection = None

    def _read(self) -> None:
        assert self._connection is not None
        try:
            data = self._connection.recv(_BYTES)
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self.bytes += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        now = time.monotonic()
        for line in lines:
            # Chunk lengths and the names of events are of no interest.
            if line.startswith(b'data: {"table"'):
                self._show(json.loads(line.removeprefix(b"data: ")), now)

    def _show(self, event: dict[str, Any], now: float) -> None:
        table, state = self._tables.get(event["table"]), event["state"]
        if table is None or state is None:
            return
        self.events += 1
        shown: Shown = (
            state["game"],
            state["position"]["text"],
            state["phase"],
            state["side"] or "",
            state["throw"]["faces"] if state["throw"] else "",
        )
        published = table.published
        if any(each == shown for each, _ in published):
            while published:
                each, began = published.popleft()
                if self._fleet.measures:
                    # Also those that were replaced before they were shown.
                    self.delays_s.append(now - began)
                if each == shown:
                    return
