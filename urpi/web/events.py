"""`/api/events`: the stream of server-sent events."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from urpi.web.event_lines import HEARTBEAT
from urpi.web.feed import Feed
from urpi.web.versions import Cursor

HEARTBEAT_S: Final = 15.0
STUCK_S: Final = 30.0
"""A page that takes nothing for so long is let go; it comes back by itself."""
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
RETRY: Final = b"retry: 2000\n\n"
"""How soon a browser comes back, in milliseconds."""


class EventStream:
    """The response of one page: sends what the feed has behind its cursor, until either ends."""

    def __init__(self, feed: Feed, after: int | None, *, may_act: bool) -> None:
        self._feed, self._may_act = feed, may_act
        self._cursor = Cursor(feed.seq if after is None else after)

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Stream."""
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
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
            async with asyncio.timeout(STUCK_S):
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
    said = request.headers.get("last-event-id") or request.query_params.get("after") or ""
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 16 else None
