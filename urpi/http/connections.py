"""A bounded number of connections to the page's server; idle ones give way to new ones.

uvicorn waits without a limit for a request, and for a browser that does not read its response, and
it accepts connections until no file descriptor is left, which the journal needs too. Here the
protocol of each connection is wrapped, and so is the application, to see when a response begins
and ends.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from urpi.core.loopback import is_loopback
from urpi.http.limits import Limits, client_key

DROP: Final = "urpi_drop"
"""Key of a function in the scope's state that drops the request's connection."""
_Ends: TypeAlias = tuple[tuple[str, int], tuple[str, int]]
"""Address and port of the browser and of this machine, which identify a connection."""


class Connections:
    """The open connections of a server.

    A connection *waits* from its beginning, or from the end of a response, until the next request
    is complete. If there are too many connections, the one that has waited longest is dropped, so
    that new clients always find room.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open: dict[_Ends, ClientConnection] = {}
        self._owners: Counter[str] = Counter()
        self._waiting: dict[ClientConnection, None] = {}
        """Ordered by the time at which they began to wait, the earliest first."""

    def protocol(self) -> type[asyncio.Protocol]:
        """The class of a connection's protocol, for uvicorn's ``http`` option."""
        connections = self

        # uvicorn creates the protocol itself, with options of its own, so it needs a class.
        class Protocol(ClientConnection):
            def __init__(self, **options: Any) -> None:
                super().__init__(connections, H11Protocol(**options))

        return Protocol

    def track(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application so that the beginning and end of each response are tracked."""

        async def tracked(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get((scope["client"], scope["server"]))
            if connection is None:
                # It has just been dropped, so nothing receives the response.
                await app(scope, receive, send)
                return

            async def tracked_receive() -> Message:
                message = await receive()
                if not message.get("more_body", False):
                    connection.begin_response()
                return message

            async def tracked_send(message: Message) -> None:
                connection.begin_response()
                await send(message)

            scope.setdefault("state", {})[DROP] = connection.drop
            connection.begin_waiting()
            # The guard rejects a body here, so that the request is complete: how long its response
            # takes is up to this program.
            if scope["method"] in {"GET", "HEAD"}:
                connection.begin_response()
            try:
                await app(scope, tracked_receive, tracked_send)
            finally:
                connection.begin_waiting()

        return tracked

    def add(self, connection: "ClientConnection") -> bool:
        """Add a connection, dropping another one if need be; return False if there is no room."""
        self._owners[connection.owner] += 1
        self._open[connection.ends] = connection
        limits, local = self.limits, is_loopback(connection.ends[0][0])
        # The machine's own connections are not limited: a proxy makes all of them in its name.
        if not local and self._owners[connection.owner] > limits.connections_per_client:
            return self._drop_waiting(lambda other: other.owner == connection.owner)
        if len(self._open) > limits.connections:
            return self._drop_waiting(lambda _: True)
        return True

    def _drop_waiting(self, may_drop: Callable[["ClientConnection"], bool]) -> bool:
        longest = next((waiting for waiting in self._waiting if may_drop(waiting)), None)
        if longest is None:
            return False
        self.remove(longest)
        longest.drop()
        return True

    def remove(self, connection: "ClientConnection") -> None:
        """Remove a connection that is closed, or about to be."""
        if connection not in self:
            return
        del self._open[connection.ends]
        self._waiting.pop(connection, None)
        self._owners[connection.owner] -= 1
        if not self._owners[connection.owner]:
            del self._owners[connection.owner]

    def set_waiting(self, connection: "ClientConnection", *, waiting: bool) -> None:
        """Record that an open connection begins to wait, or stops waiting."""
        # Removed first, so that the connection moves to the end of the order.
        self._waiting.pop(connection, None)
        if waiting:
            self._waiting[connection] = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is remembered of any connection or client."""
        return not (self._open or self._waiting or self._owners)

    def __contains__(self, connection: "ClientConnection") -> bool:
        """Whether a connection is open."""
        return self._open.get(connection.ends) is connection


class ClientConnection(asyncio.Protocol):
    """One connection: a protocol around uvicorn's, with limits on time and memory."""

    ends: _Ends
    owner: str

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self._connections, self._inner = connections, inner
        self._loop = asyncio.get_running_loop()
        self._request_timeout: asyncio.TimerHandle | None = None
        self._read_timeout: asyncio.TimerHandle | None = None
        self._responding = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request, or drop the connection if there is no room for it."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer, own = (transport.get_extra_info(name) for name in ("peername", "sockname"))
        self.ends = (str(peer[0]), int(peer[1])), (str(own[0]), int(own[1]))
        self.owner = client_key(self.ends[0][0])
        self._inner.connection_made(transport)
        if not self._connections.add(self):
            self.drop()
            return
        limits = self._connections.limits
        # Small buffers: otherwise a client that reads nothing holds megabytes of this process.
        transport.set_write_buffer_limits(high=limits.unsent)
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.in_kernel)
        self.begin_waiting()

    def data_received(self, data: bytes) -> None:
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """Start the timeout for the browser to read on."""
        self._read_timeout = self._loop.call_later(self._connections.limits.stuck_s, self.drop)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Cancel that timeout."""
        _cancel(self._read_timeout)
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._request_timeout)
        _cancel(self._read_timeout)
        self._connections.remove(self)
        self._inner.connection_lost(exc)

    def begin_waiting(self) -> None:
        """Start the timeout `request_s` for a complete request."""
        self._responding = False
        _cancel(self._request_timeout)
        if self in self._connections:
            request_s = self._connections.limits.request_s
            self._request_timeout = self._loop.call_later(request_s, self.drop)
            self._connections.set_waiting(self, waiting=True)

    def begin_response(self) -> None:
        """Cancel that timeout, because the request is complete or a response is being sent."""
        if not self._responding and self in self._connections:
            self._responding = True
            _cancel(self._request_timeout)
            self._connections.set_waiting(self, waiting=False)

    def drop(self) -> None:
        """Close the connection at once and discard unsent data."""
        # Not `close`, which would first send what the client does not read.
        self._transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
