"""The beginning and the end of the page's server."""

import asyncio
import json
import socket
from pathlib import Path
from random import Random
from threading import Event
from urllib.request import urlopen

import pytest
from starlette.types import Receive, Scope, Send

from tests.page.table import PageDesk, Table
from urpi.http.addresses import Address
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.journal_reader import StoredDecision
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


def test_the_first_state_after_a_restart_has_the_record_however_slow_the_journal_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rng = tmp_path / "games.sqlite", Random(3)
    first = Table.at(path)
    first.begin()
    for _ in range(6):
        first.play_on(rng)
        first.wait(300)
    first.service.close()
    table = Table.at(path)
    table.service.resume()
    site = make_site(PageDesk(table))
    decisions = site.journal.decisions

    async def slow(game: int, after: int, until: int) -> list[StoredDecision]:
        await asyncio.sleep(0.5)
        return await decisions(game, after, until)

    monkeypatch.setattr(site.journal, "decisions", slow)
    with PageServer(make_app(site), site.feed, Address("127.0.0.1", 0)) as server:
        with urlopen(f"{server.url}api/state", timeout=60) as response:
            state = json.load(response)
        assert state["game"] == 1
        assert state["record"]
    table.service.close()
