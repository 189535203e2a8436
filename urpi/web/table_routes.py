"""The virtual table's routes: what the page's hands do is handed to the table's thread.

A body that is none of the schema's is answered with 400, what is physically impossible with 409;
both in one sentence.
"""

import asyncio
import json
from concurrent.futures import CancelledError, Future
from typing import Any, Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from urpi.errors import UrpiError
from urpi.table.layout import ImpossibleError
from urpi.table.orders import TableOrder
from urpi.web.answers import json_answer, refused
from urpi.web.table_bodies import POSTINGS, Posting

LARGEST_BODY: Final = 2048
"""Bytes; the largest body that says anything has a tenth."""
PATIENCE_S: Final = 5.0
"""The table's thread is waited for so long: it works in milliseconds, or it has stopped."""


class Hands(Protocol):
    """What takes table orders, from any thread."""

    def order(self, order: TableOrder) -> Future[None]:
        """Have something done; the future gets None, or the `UrpiError` that says why not."""


def table_routes(hands: Hands) -> tuple[Route, ...]:
    """The routes of a virtual table, under ``/api/table/``."""
    return tuple(_route(posting, hands) for posting in POSTINGS)


def _route(posting: Posting, hands: Hands) -> Route:
    async def answer(request: Request) -> Response:
        try:
            order = posting.read(await _body(request))
        except UrpiError as error:
            return refused(400, "bad-body", str(error))
        return await _done(hands.order(order))

    return Route(posting.path, answer, methods=["POST"])


async def _body(request: Request) -> Any:
    """The body as JSON; an empty one is an object without keys.

    Raises:
        UrpiError: when it is too large, or no JSON.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            message = f"A body here has {LARGEST_BODY} bytes at most."
            raise UrpiError(message)
    try:
        return json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        message = "The body is to be JSON in UTF-8."
        raise UrpiError(message) from error


async def _done(future: Future[None]) -> Response:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wrap_future(future)
    except ImpossibleError as error:
        return refused(409, "impossible", str(error))
    except UrpiError as error:
        return refused(400, "not-there", str(error))
    except (CancelledError, asyncio.CancelledError, TimeoutError):
        return refused(503, "stopping", "The table does not answer; it may just be stopping.")
    return json_answer({"done": True})
