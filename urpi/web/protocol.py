"""One connection, with bounds on what it may cost: uvicorn's protocol, looked after.

uvicorn waits for ever for a request's head, for a page that takes nothing, and for what is
being closed; and it takes connections until no file is left, which the journal needs too.
"""

import asyncio
import socket
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from urpi.web.hosts import is_loopback
from urpi.web.limits import Limits
from urpi.web.rates import whose


class GuardedProtocol(H11Protocol):
    """A connection that is dropped when it is one too many, too slow, or stuck."""

    limits: ClassVar[Limits]
    _looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it, or drop it at once."""
        super().connection_made(transport)
        self._waits_since: float | None = self.loop.time()
        self._stuck_since: float | None = None
        if self._is_one_too_many():
            transport.abort()
            return
        transport.set_write_buffer_limits(high=self.limits.unsent)
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.limits.in_kernel)
        self._looking = self.loop.call_later(self.limits.look_s, self._look)

    def _is_one_too_many(self) -> bool:
        if len(self.connections) > self.limits.connections:
            return True
        if self.client is None or is_loopback(self.client[0]):
            return False
        own = whose(self.client[0])
        others = (one.client for one in self.connections if isinstance(one, H11Protocol))
        of_one = sum(one is not None and whose(one[0]) == own for one in others)
        return of_one > self.limits.connections_of_one

    def handle_events(self) -> None:
        """Take what has come; with a request's head the waiting ends."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._waits_since = None

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._waits_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The page takes less than is sent."""
        self._stuck_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._stuck_since = None
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        now, limits = self.loop.time(), self.limits
        if self.transport.is_closing() and self._stuck_since is None:
            self._stuck_since = now
        slow = _is_over(self._waits_since, limits.head_s, now)
        if slow or _is_over(self._stuck_since, limits.stuck_s, now):
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(limits.look_s, self._look)


def guarded(limits: Limits) -> type[GuardedProtocol]:
    """The protocol with those limits."""
    return type("LimitedProtocol", (GuardedProtocol,), {"limits": limits})


def _is_over(since: float | None, most_s: float, now: float) -> bool:
    return since is not None and now - since > most_s
