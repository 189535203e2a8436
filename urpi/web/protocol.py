"""One connection, with bounds on what it may cost: uvicorn's protocol, looked after.

uvicorn waits for ever for a request's head, for a page that takes nothing, and for what is
being closed; and it takes connections until no file is left, which the journal needs too.
"""

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from urpi.web.hosts import is_loopback
from urpi.web.rates import whose

HEAD_S: Final = 10.0
"""A request's head has come whole within this time."""
STUCK_S: Final = 20.0
"""A connection that takes nothing of what is sent for so long is dropped."""
LOOK_S: Final = 2.5
MOST_CONNECTIONS: Final = 480
"""pyserial reads the hub by select(2), which knows file numbers below 1024 alone."""
MOST_OF_ONE: Final = 64
"""Of an address that is not this machine's own."""
MOST_UNSENT: Final = 32 * 1024
"""Bytes that wait in us for a page to take them, before no more are written."""


class GuardedProtocol(H11Protocol):
    """A connection that is dropped when it is one too many, too slow, or stuck."""

    _looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it, or drop it at once."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=MOST_UNSENT)
        self._waits_since: float | None = self.loop.time()
        self._stuck_since: float | None = None
        if self._is_one_too_many():
            transport.abort()
        else:
            self._looking = self.loop.call_later(LOOK_S, self._look)

    def _is_one_too_many(self) -> bool:
        if len(self.connections) > MOST_CONNECTIONS:
            return True
        if self.client is None or is_loopback(self.client[0]):
            return False
        own = whose(self.client[0])
        others = (one.client for one in self.connections if isinstance(one, H11Protocol))
        return sum(one is not None and whose(one[0]) == own for one in others) > MOST_OF_ONE

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
        now = self.loop.time()
        if self.transport.is_closing() and self._stuck_since is None:
            self._stuck_since = now
        if _is_over(self._waits_since, HEAD_S, now) or _is_over(self._stuck_since, STUCK_S, now):
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(LOOK_S, self._look)


def _is_over(since: float | None, most_s: float, now: float) -> bool:
    return since is not None and now - since > most_s
