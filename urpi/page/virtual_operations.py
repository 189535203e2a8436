"""Operations of the virtual table, which are passed to the table's thread.

A body that does not match its schema is answered with status 400, a physically impossible action
with 409, each with a one-sentence error message.
"""

import asyncio
from concurrent.futures import CancelledError, Future
from typing import Final, Protocol

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import error_response, json_response
from urpi.page.virtual_bodies import POSTINGS, Posting
from urpi.simulation.piece_layout import ImpossibleError
from urpi.simulation.table_orders import TableOrder

TIMEOUT_S: Final = 5.0
"""Timeout for the table's thread, which takes milliseconds unless it has stopped."""


class Hands(Protocol):
    """Carries out table orders from any thread."""

    def order(self, order: TableOrder) -> Future[None]:
        """Carry out an order; the future raises the `UrpiError` if that is not possible."""


def virtual_operations(hands: Hands) -> tuple[Operation, ...]:
    """The operations of a virtual table, below ``/api/table/``."""
    return tuple(_operation(posting, hands) for posting in POSTINGS)


def _operation(posting: Posting, hands: Hands) -> Operation:
    async def handle(request: ValidRequest) -> ASGIApp:
        return await _response(hands.order(posting.order(request.body)))

    return Operation(
        "POST",
        posting.path,
        posting.summary,
        handle,
        body=posting.schema,
        error_statuses=(400, 409, 503),
    )


async def _response(future: Future[None]) -> Response:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.wrap_future(future)
    except ImpossibleError as error:
        return error_response(409, "impossible", str(error))
    except UrpiError as error:
        return error_response(409, "not-there", str(error))
    # The table's thread cancels the orders that wait when it ends.
    except (CancelledError, asyncio.CancelledError, TimeoutError):
        return error_response(
            503, "stopping", "The table does not respond; it may just be stopping."
        )
    return json_response({"done": True})
