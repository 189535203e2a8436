"""The virtual table's routes: what the page's hands do is handed to the table's thread.

A body that is none of the schema's is answered with 400, what is physically impossible with 409;
both in one sentence.
"""

import asyncio
from concurrent.futures import CancelledError, Future
from typing import Final, Protocol

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.errors import UrpiError
from urpi.simulation.piece_layout import ImpossibleError
from urpi.simulation.table_orders import TableOrder
from urpi.web.answers import json_answer, refused
from urpi.web.operations import Asked, Operation
from urpi.web.table_bodies import POSTINGS, Posting

PATIENCE_S: Final = 5.0
"""The table's thread is waited for so long: it works in milliseconds, or it has stopped."""


class Hands(Protocol):
    """What takes table orders, from any thread."""

    def order(self, order: TableOrder) -> Future[None]:
        """Have something done; the future gets None, or the `UrpiError` that says why not."""


def table_operations(hands: Hands) -> tuple[Operation, ...]:
    """What can be asked of a virtual table, under ``/api/table/``."""
    return tuple(_operation(posting, hands) for posting in POSTINGS)


def _operation(posting: Posting, hands: Hands) -> Operation:
    async def answer(asked: Asked) -> ASGIApp:
        return await _done(hands.order(posting.order(asked.body)))

    return Operation(
        "POST",
        posting.path,
        posting.summary,
        answer,
        body=posting.schema,
        refusals=(400, 409, 503),
    )


async def _done(future: Future[None]) -> Response:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wrap_future(future)
    except ImpossibleError as error:
        return refused(409, "impossible", str(error))
    except UrpiError as error:
        return refused(409, "not-there", str(error))
    except (CancelledError, asyncio.CancelledError, TimeoutError):
        return refused(503, "stopping", "The table does not answer; it may just be stopping.")
    return json_answer({"done": True})
