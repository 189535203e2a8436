"""The end of the page's server."""

import asyncio
import socket
from pathlib import Path
from threading import Event

import pytest
from starlette.types import Receive, Scope, Send

from tests.page.table import PageDesk, Table
from urpi.http.addresses import Address
from urpi.http.server import PageServer
from urpi.page.site import make_site


@pytest.mark.parametrize("begun", [False, True], ids=["no response", "half a response"])
def test_requests_that_are_open_at_the_end_are_cancelled_without_a_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, begun: bool
) -> None:
    requested = Event()

    async def respond_never(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        requested.set()
        await asyncio.Event().wait()

    table = Table.at(tmp_path / "games.sqlite")
    feed = make_site(PageDesk(table)).feed
    with PageServer(respond_never, feed, Address("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.address)
        client.sendall(b"GET / HTTP/1.1\r\nHost: urpi\r\n\r\n")
        assert requested.wait(60)
    client.close()
    table.service.close()
    assert caplog.records == []
