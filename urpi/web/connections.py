"""Connections to the page's server: a bounded number, in which those that only wait give way.

uvicorn waits without a limit for a request, and for a browser that does not read its answer, and
it accepts connections until no file is left, which the journal needs too. Here each connection's
protocol is wrapped, and so is the application, to see when an answer begins and ends.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from urpi.web.hosts import is_loopback
from urpi.web.limits import Limits
from urpi.web.rates import whose

DROP: Final = "urpi_drop"
"""The key of the scope's state with a function that drops the request's connection."""
_Ends: TypeAlias = tuple[tuple[str, int], tuple[str, int]]
"""Address and port of the browser, and of this machine: they name a connection."""


class Connections:
    """The open connections of a server.

    A connection *waits* from its beginning, or from the end of an answer, until the next answer
    begins. So that new visitors always find room, the connection that has waited longest is
    dropped when there are too many.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open: dict[_Ends, Connection] = {}
        self._owners: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}
        """Ordered by when they began to wait, the earliest first."""

    def protocol(self) -> type[asyncio.Protocol]:
        """The class of a connection's protocol, for uvicorn's ``http`` option."""
        connections = self

        class Protocol(Connection):
            def __init__(self, **options: Any) -> None:
                super().__init__(connections, H11Protocol(**options))

        return Protocol

    def observed(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application so that each answer's beginning and end is noted."""

        async def observing(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get((scope["client"], scope["server"]))
            if connection is None:
                # It has just been dropped; the answer goes nowhere.
                await app(scope, receive, send)
                return

            async def sending(message: Message) -> None:
                connection.answers()
                await send(message)

            scope.setdefault("state", {})[DROP] = connection.drop
            connection.waits()
            try:
                await app(scope, receive, sending)
            finally:
                connection.waits()

        return observing

    def add(self, connection: "Connection") -> bool:
        """Add a connection, in place of another one if need be; False if there is no room."""
        self._owners[connection.owner] += 1
        self._open[connection.ends] = connection
        limits, local = self.limits, is_loopback(connection.ends[0][0])
        if not local and self._owners[connection.owner] > limits.connections_of_one:
            return self._drop_waiting(lambda one: one.owner == connection.owner)
        if len(self._open) > limits.connections:
            return self._drop_waiting(lambda _: True)
        return True

    def _drop_waiting(self, fits: Callable[["Connection"], bool]) -> bool:
        longest = next((one for one in self._waiting if fits(one)), None)
        if longest is None:
            return False
        self.remove(longest)
        longest.drop()
        return True

    def remove(self, connection: "Connection") -> None:
        """Remove a connection that is closed, or about to be."""
        if connection not in self:
            return
        del self._open[connection.ends]
        self._waiting.pop(connection, None)
        self._owners[connection.owner] -= 1
        if not self._owners[connection.owner]:
            del self._owners[connection.owner]

    def note(self, connection: "Connection", *, waits: bool) -> None:
        """Note that an open connection waits from now on, or does not wait any more."""
        self._waiting.pop(connection, None)
        if waits:
            self._waiting[connection] = None

    def __contains__(self, connection: "Connection") -> bool:
        """Whether a connection is open."""
        return self._open.get(connection.ends) is connection


class Connection(asyncio.Protocol):
    """One connection: a protocol around uvicorn's, with limits on time and memory."""

    ends: _Ends
    owner: str

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self._connections, self._inner = connections, inner
        self._loop = asyncio.get_running_loop()
        self._request_by: asyncio.TimerHandle | None = None
        self._read_by: asyncio.TimerHandle | None = None
        self._answering = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request, or drop the connection if there is no room for it."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer, own = (transport.get_extra_info(name) for name in ("peername", "sockname"))
        self.ends = (str(peer[0]), int(peer[1])), (str(own[0]), int(own[1]))
        self.owner = whose(self.ends[0][0])
        self._inner.connection_made(transport)
        if not self._connections.add(self):
            self.drop()
            return
        limits = self._connections.limits
        transport.set_write_buffer_limits(high=limits.unsent)
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.in_kernel)
        self.waits()

    def data_received(self, data: bytes) -> None:
        """Pass on what was received."""
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass on that the browser sends nothing more."""
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """Limit the time until the browser reads on."""
        self._read_by = self._loop.call_later(self._connections.limits.stuck_s, self.drop)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Stop limiting that time."""
        _cancel(self._read_by)
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        _cancel(self._request_by)
        _cancel(self._read_by)
        self._connections.remove(self)
        self._inner.connection_lost(exc)

    def waits(self) -> None:
        """Note that a request is expected, or being read: that takes `request_s` at most."""
        self._answering = False
        _cancel(self._request_by)
        if self in self._connections:
            request_s = self._connections.limits.request_s
            self._request_by = self._loop.call_later(request_s, self.drop)
            self._connections.note(self, waits=True)

    def answers(self) -> None:
        """Note that an answer is being sent."""
        if not self._answering and self in self._connections:
            self._answering = True
            _cancel(self._request_by)
            self._connections.note(self, waits=False)

    def drop(self) -> None:
        """Close the connection at once, without sending what is left."""
        self._transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
