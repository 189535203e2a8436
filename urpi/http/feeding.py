"""What feeds the open pages with events beside a server: its thread, its end, and its waiting."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable


class Feeding(ABC):
    """What runs beside a server and ends with it. `close` may be called from any thread.

    Attributes:
        ready: Set when the first state is complete, or `run` has ended; no request is answered
            before, for at most `urpi.http.server.READY_S`.
        closed: Whether all streams have ended.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._received, self._updated = asyncio.Event(), asyncio.Event()
        self.ready = asyncio.Event()
        self.closed = self._is_closing = False

    async def run(self) -> None:
        """Process what is received, until `close`; all streams end with it, also if it fails.

        After an error it can be called again.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in {None, loop}:
            # Those of an earlier call belong to its loop; pages may wait for those of this one.
            self._received, self._updated = asyncio.Event(), asyncio.Event()
        self._loop, self.closed = loop, self._is_closing
        try:
            await self._process()
        finally:
            # After an error too: a page must not show an old state as the present one.
            self.closed = True
            self.ready.set()
            self._notify_pages()

    @abstractmethod
    async def _process(self) -> None:
        """Process what is received, as long as it is not closed."""

    def close(self) -> None:
        """End the streams of all pages."""
        self.closed = self._is_closing = True
        self._wake()

    def _wake(self) -> None:
        """Let `run` process what was received; it begins with what was received before it."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._received.set)

    def _notify_pages(self) -> None:
        # A new event for each update: an event that is cleared could be missed by a page that is
        # still sending.
        updated, self._updated = self._updated, asyncio.Event()
        updated.set()

    async def _next(self, find: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the events that a page lacks, once there are some; empty once closed."""
        while not self.closed:
            # Before looking for events, so that an update in between ends the wait below at once.
            updated = self._updated
            if events := await find():
                return events
            await updated.wait()
        return b""
