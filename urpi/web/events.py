"""`/api/events`: the streams of server-sent events."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from urpi.web.answers import refused
from urpi.web.connections import DROP
from urpi.web.event_lines import HEARTBEAT
from urpi.web.feed import Feed
from urpi.web.guard import VISITOR
from urpi.web.limits import Limits
from urpi.web.proxies import Visitor
from urpi.web.rates import whose
from urpi.web.versions import Cursor

EVENT_STREAM: Final = "text/event-stream"
HEARTBEAT_S: Final = 15.0
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
RETRY: Final = b"retry: 2000\n\n"
"""How soon a browser comes back, in milliseconds."""


class Streams:
    """The open streams, a bounded number; those that only watch give way to those that act."""

    def __init__(self, feed: Feed, limits: Limits) -> None:
        self._feed, self._limits = feed, limits
        self._open: dict[_Stream, None] = {}
        """The oldest first."""

    def open(self, request: Request, after: int | None, *, may_act: bool) -> ASGIApp:
        """A stream after the decision that the request names, or a refusal if there are too many.

        Args:
            request: the request.
            after: the decision, unless the request's header names one.
            may_act: whether the browser may act.
        """
        state = request.scope["state"]
        last = last_event(request)
        stream = _Stream(self._feed, after if last is None else last, state, may_act=may_act)
        if not self._has_room_for(stream):
            answer = refused(503, "too-many", "Too many pages are open; close one, or wait.")
            answer.headers["retry-after"] = "10"
            return answer

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            self._open[stream] = None
            try:
                await stream(scope, receive, send)
            finally:
                self._open.pop(stream, None)

        return counted

    def _has_room_for(self, new: "_Stream") -> bool:
        own = sum(one.owner == new.owner for one in self._open)
        if not new.comes_first and own >= self._limits.streams_of_one:
            return self._drop_one(lambda one: one.owner == new.owner and self._is_idle(one))
        if len(self._open) >= self._limits.streams:
            return self._drop_one(
                lambda one: self._is_idle(one) or (new.comes_first and not one.comes_first)
            )
        return True

    def _is_idle(self, stream: "_Stream") -> bool:
        return stream.unread_s > self._limits.idle_s

    def _drop_one(self, fits: Callable[["_Stream"], bool]) -> bool:
        """Drop the stream that is missed least; whether there is one that fits.

        That is one that is not read, else one of the address that has most of them, and of these
        the oldest.
        """
        count = Counter(one.owner for one in self._open)
        fitting = [one for one in self._open if fits(one)]
        if not fitting:
            return False
        least = max(fitting, key=lambda one: (self._is_idle(one), count[one.owner]))
        del self._open[least]
        least.drop()
        return True


class _Stream:
    """One page's stream: sends what comes after its cursor, until either end closes it."""

    def __init__(
        self, feed: Feed, after: int | None, state: Mapping[str, Any], *, may_act: bool
    ) -> None:
        visitor: Visitor = state[VISITOR]
        self.owner = whose(visitor.address)
        self.comes_first = may_act or visitor.is_local
        self.drop: Callable[[], None] = state.get(DROP, _cannot_drop)
        self._feed, self._may_act = feed, may_act
        self._cursor = Cursor(feed.seq if after is None else after)
        self._sending_since: float | None = None

    @property
    def unread_s(self) -> float:
        """For how many seconds the page has not read what is sent; 0 if it reads."""
        since = self._sending_since
        return 0.0 if since is None else asyncio.get_running_loop().time() - since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream."""
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        events = RETRY
        while events:
            # This waits while the page does not read; the connection's own limit ends that.
            self._sending_since = asyncio.get_running_loop().time()
            await send({"type": "http.response.body", "body": events, "more_body": True})
            self._sending_since = None
            events = await self._next()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                return await self._feed.news(self._cursor, may_act=self._may_act)
        except TimeoutError:
            return HEARTBEAT


def _cannot_drop() -> None:
    """Do nothing: the application runs without a server, as in tests."""


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def last_event(request: Request) -> int | None:
    """The newest decision that a page has had, None when it says none, or nonsense."""
    said = request.headers.get("last-event-id", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 16 else None
