"""`/api/events`: the streams of server-sent events."""

import asyncio
from collections import Counter
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from urpi.web.answers import refused
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
    """The open streams, of which there are so many at most."""

    def __init__(self, feed: Feed, limits: Limits) -> None:
        self._feed, self._limits = feed, limits
        self._open: Counter[str] = Counter()

    def open(self, request: Request, after: int | None, *, may_act: bool) -> ASGIApp:
        """A stream behind the decision that the request names, or that there are too many."""
        visitor: Visitor = request.scope["state"][VISITOR]
        owner = whose(visitor.address)
        if self._open.total() >= self._limits.streams or self._has_enough(visitor, owner):
            answer = refused(503, "too-many", "Too many pages are open; close one, or wait.")
            answer.headers["retry-after"] = "10"
            return answer
        last = last_event(request)
        stream = _Stream(self._feed, after if last is None else last, may_act=may_act)

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            self._open[owner] += 1
            try:
                await stream(scope, receive, send)
            finally:
                self._open[owner] -= 1
                if not self._open[owner]:
                    del self._open[owner]

        return counted

    def _has_enough(self, visitor: Visitor, owner: str) -> bool:
        return not visitor.is_local and self._open[owner] >= self._limits.streams_of_one


class _Stream:
    """One page's: sends what the feed has behind its cursor, until either ends."""

    def __init__(self, feed: Feed, after: int | None, *, may_act: bool) -> None:
        self._feed, self._may_act = feed, may_act
        self._cursor = Cursor(feed.seq if after is None else after)

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
            # It waits here while the page takes nothing; the connection's own limit ends that.
            await send({"type": "http.response.body", "body": events, "more_body": True})
            events = await self._next()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                return await self._feed.news(self._cursor, may_act=self._may_act)
        except TimeoutError:
            return HEARTBEAT


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def last_event(request: Request) -> int | None:
    """The newest decision that a page has had, None when it says none, or nonsense."""
    said = request.headers.get("last-event-id", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 16 else None
