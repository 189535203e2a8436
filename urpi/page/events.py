"""`/api/events`: the streams of server-sent events."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from urpi.http.connections import DROP
from urpi.http.guard import CLIENT
from urpi.http.limits import Limits, client_key
from urpi.http.proxies import Client
from urpi.http.responses import HEARTBEAT, error_response
from urpi.page.versions import Cursor
from urpi.show.words import Words

EVENT_STREAM: Final = "text/event-stream"
# Proxies close a connection that is idle for a minute (nginx: proxy_read_timeout, 60 s).
HEARTBEAT_S: Final = 15.0
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # nginx would otherwise collect events before it forwards them.
    (b"x-accel-buffering", b"no"),
]
VERSION: Final = b"urpi-page"
"""Header with the version of the page's files. A page that reconnects and receives another one was
loaded before an upgrade, and loads itself again."""
RETRY: Final = b"retry: 2000\n\n"
"""Delay in milliseconds before a browser reconnects."""


class EventSource(Protocol):
    """The events for all open pages, as `urpi.page.feed.Feed`."""

    @property
    def seq(self) -> int:
        """The place of the newest event that a page can continue after."""

    @property
    def closed(self) -> bool:
        """Whether there are no more events."""

    async def next_events(self, cursor: Cursor, *, may_act: bool) -> bytes:
        """Wait for events after a cursor, advance it, and return them; empty once closed."""


class Streams:
    """A bounded number of open streams; those that only watch give way to those that can act."""

    def __init__(self, feed: EventSource, limits: Limits, version: str = "") -> None:
        self._feed, self._limits = feed, limits
        self._headers = [*HEADERS, (VERSION, version.encode())]
        self._open: dict[_Stream, None] = {}
        """Ordered by age, the oldest first."""

    def open(
        self,
        request: Request,
        after: int | None = None,
        *,
        may_act: bool,
        source: EventSource | None = None,
        words: Words | None = None,
    ) -> ASGIApp:
        """Return a stream, or an error response if there are too many.

        Args:
            request: The request. A Last-Event-ID header takes precedence over `after`.
            after: The place of the decision after which the stream begins, None for the newest.
            may_act: Whether the browser may act.
            source: The events, by default all of them.
            words: The language of their texts, None to follow the table's.
        """
        source = source or self._feed
        if source.closed:
            # A stream that ends at once would show the page as connected for a moment each time.
            return error_response(503, "stopped", "The page no longer receives any updates.")
        state = request.scope["state"]
        last = last_event_id(request)
        begin = after if last is None else last
        # A new page has the state, which includes what happened before.
        cursor = Cursor(source.seq if begin is None else begin, words)
        # Created before the check, which needs its owner and its priority.
        stream = _Stream(source, cursor, state, self._headers, may_act=may_act)
        if not self._has_room_for(stream):
            response = error_response(
                503, "too-many", "Too many pages are open; close one, or wait."
            )
            response.headers["retry-after"] = "10"
            return response

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            self._open[stream] = None
            try:
                await stream(scope, receive, send)
            finally:
                self._open.pop(stream, None)

        return counted

    def _has_room_for(self, new: "_Stream") -> bool:
        own = sum(stream.owner == new.owner for stream in self._open)
        if not new.has_priority and own >= self._limits.streams_per_client:
            return self._drop_one(
                lambda stream: stream.owner == new.owner and self._is_idle(stream)
            )
        if len(self._open) >= self._limits.streams:
            return self._drop_one(
                lambda stream: (
                    self._is_idle(stream) or (new.has_priority and not stream.has_priority)
                )
            )
        return True

    def _is_idle(self, stream: "_Stream") -> bool:
        return stream.unread_s > self._limits.idle_s

    def _drop_one(self, may_drop: Callable[["_Stream"], bool]) -> bool:
        """Drop the least important stream that may be dropped; return whether there was one.

        A stream that is not read is dropped first, then one of the client with the most streams,
        and of these the oldest.
        """
        count = Counter(stream.owner for stream in self._open)
        candidates = [stream for stream in self._open if may_drop(stream)]
        if not candidates:
            return False
        dropped = max(candidates, key=lambda stream: (self._is_idle(stream), count[stream.owner]))
        # At once, so that the place is free before its task has noticed.
        del self._open[dropped]
        dropped.drop()
        return True


class _Stream:
    """The stream of one page: sends the events after its cursor until either end closes it."""

    def __init__(
        self,
        feed: EventSource,
        cursor: Cursor,
        state: Mapping[str, Any],
        headers: list[tuple[bytes, bytes]],
        *,
        may_act: bool,
    ) -> None:
        client: Client = state[CLIENT]
        self.owner = client_key(client.address)
        self.has_priority = may_act or client.is_local
        self.drop: Callable[[], None] = state.get(DROP, _cannot_drop)
        self._feed, self._may_act, self._headers = feed, may_act, headers
        self._cursor = cursor
        self._sending_since: float | None = None

    @property
    def unread_s(self) -> float:
        """Seconds for which the page has not read what is being sent; 0 if it reads."""
        since = self._sending_since
        return 0.0 if since is None else asyncio.get_running_loop().time() - since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, as an ASGI application."""
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        sending = asyncio.create_task(self._send(send))
        disconnected = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((sending, disconnected), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, disconnected):
                task.cancel()
            await asyncio.gather(sending, disconnected, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        events = RETRY
        while events:
            # This blocks while the page does not read, until the connection's own limit ends it.
            self._sending_since = asyncio.get_running_loop().time()
            await send({"type": "http.response.body", "body": events, "more_body": True})
            self._sending_since = None
            events = await self._next()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                return await self._feed.next_events(self._cursor, may_act=self._may_act)
        except TimeoutError:
            return HEARTBEAT


def _cannot_drop() -> None:
    """Do nothing: the application runs without a server, as in tests."""


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def last_event_id(request: Request) -> int | None:
    """The Last-Event-ID header of a request, None if it is missing or invalid."""
    text = request.headers.get("last-event-id", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
