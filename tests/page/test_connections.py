"""A server that is full of slow connections still serves new clients, through real sockets."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.page.running_game import RunningGame, running_game
from tests.page.test_attacks import GET, POST, STREAM, _state, connected, status_of
from tests.slow import mostly_slow
from tests.waiting import wait_until
from urpi.http.limits import Limits

PATIENT = Limits(connections=40, streams=25, request_s=600.0, stuck_s=600.0)
"""No timeout expires during a test: a new client is served because another gives way."""
NEW_CLIENTS = 20


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGame]:
    with running_game(tmp_path_factory.mktemp("full"), PATIENT) as one:
        yield one


@pytest.mark.parametrize(
    "begun",
    mostly_slow(
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b"GET /api/state HTTP/1.1\r\nHost: loc", id="half a head"),
            pytest.param(POST + b"Content-Length: 20\r\n\r\n{", id="half a body"),
            pytest.param(GET + b"\r\n", id="kept alive"),
        ],
        1,
    ),
)
def test_every_new_client_is_served_while_slow_connections_fill_the_server(
    game: RunningGame, begun: bytes
) -> None:
    with ExitStack() as opened:
        for _ in range(3 * PATIENT.connections):
            opened.enter_context(connected(game)).sendall(begun)
        wait_until(
            lambda: game.server.open_connections == PATIENT.connections, "the server is full"
        )
        served = [bool(_state(game)) for _ in range(NEW_CLIENTS)]
        assert served == [True] * NEW_CLIENTS


@pytest.mark.slow
def test_open_pages_stay_open_while_slow_connections_come_and_go(game: RunningGame) -> None:
    with ExitStack() as opened:
        pages = [opened.enter_context(connected(game)) for _ in range(10)]
        for page in pages:
            page.sendall(STREAM)
            assert status_of(page.recv(4096)) == 200
        for _ in range(3 * PATIENT.connections):
            opened.enter_context(connected(game))
        wait_until(
            lambda: game.server.open_connections <= PATIENT.connections, "the others to be dropped"
        )
        game.wait_for_decisions()
        assert [is_open(page) for page in pages] == [True] * len(pages)
    wait_until(lambda: not game.server.open_connections, "all to be closed")


def is_open(page: socket.socket) -> bool:
    """Whether the stream still sends."""
    return bool(page.recv(1 << 20))


def test_a_page_that_acts_is_served_while_pages_that_watch_fill_the_server(
    game: RunningGame,
) -> None:
    # By the machine's host name, which is not loopback, so these pages may not act.
    watch = STREAM.replace(b"localhost", socket.gethostname().encode())
    with ExitStack() as opened:
        statuses = []
        for _ in range(PATIENT.streams + 3):
            page = opened.enter_context(connected(game))
            page.sendall(watch)
            statuses.append(status_of(page.recv(4096)))
        assert statuses == [200] * PATIENT.streams + [503] * 3
        for _ in range(5):
            page = opened.enter_context(connected(game))
            page.sendall(STREAM)
            assert status_of(page.recv(4096)) == 200
    wait_until(lambda: not game.server.open_connections, "all to be closed")


def test_all_connections_are_forgotten_when_they_are_closed(
    game: RunningGame, tmp_path: Path
) -> None:
    with ExitStack() as opened:
        for _ in range(2 * PATIENT.connections):
            opened.enter_context(connected(game)).sendall(GET + b"\r\n")
    wait_until(lambda: not game.server.open_connections, "all to be closed")
    wait_until(lambda: game.server.connections.is_empty, "all to be forgotten")
