"""Attacks on the page through real sockets, during which a real game must continue."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.page.running_game import DEADLINE_S, RunningGame, running_game
from tests.waiting import wait_until
from urpi.http.limits import Limits
from urpi.http.responses import png_url
from urpi.journal import Journal
from urpi.show.views.menu_screens import draw_pin

LIMITS = Limits(connections=40, streams=25, request_s=0.4, stuck_s=0.4, in_kernel=8192, unsent=8192)
"""Low limits, so that an attack ends soon."""
PATIENT = replace(LIMITS, request_s=DEADLINE_S, stuck_s=DEADLINE_S)
GET = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n"
STREAM = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST /api/resign HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Content-Type: application/json\r\n"
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGame]:
    with running_game(tmp_path_factory.mktemp("played"), LIMITS) as one:
        yield one


@pytest.fixture(scope="module")
def patient_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGame]:
    """A game whose page has long timeouts, so that a slow machine does not count as an attack."""
    with running_game(tmp_path_factory.mktemp("patient"), PATIENT) as one:
        yield one


@pytest.fixture(autouse=True)
def _the_game_continues_and_the_page_is_available(game: RunningGame) -> Iterator[None]:
    yield
    game.wait_for_decisions(1)
    # Dropped connections leave room for others.
    wait_until(lambda: _state(game).get("game"), "the page after the attack")


def _state(game: RunningGame) -> dict[str, object]:
    with connected(game) as one:
        one.sendall(GET + b"Connection: close\r\n\r\n")
        answer = all_of(one)
    return dict(json.loads(answer.partition(b"\r\n\r\n")[2])) if answer else {}


@contextmanager
def connected(game: RunningGame, buffer: int | None = None) -> Iterator[socket.socket]:
    with closing(socket.socket()) as one:
        if buffer is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        one.settimeout(DEADLINE_S)
        one.connect(tuple(game.server.address))
        yield one


def all_of(one: socket.socket) -> bytes:
    """Return everything that is received until the other end closes or drops the connection."""
    parts = []
    try:
        while part := one.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_silent_connections_are_dropped(game: RunningGame) -> None:
    with ExitStack() as opened:
        silent = [opened.enter_context(connected(game)) for _ in range(30)]
        game.wait_for_decisions()
        assert [all_of(one) for one in silent] == [b""] * 30


@pytest.mark.slow
def test_a_head_that_arrives_one_byte_at_a_time_is_cut_off(game: RunningGame) -> None:
    with connected(game) as one:
        one.sendall(GET)
        began = time.monotonic()
        try:
            while time.monotonic() - began < DEADLINE_S:
                one.sendall(b"X")
                time.sleep(0.02)
        except ConnectionError:
            pass
        assert time.monotonic() - began < DEADLINE_S


def test_an_endless_head_is_rejected(patient_game: RunningGame) -> None:
    with connected(patient_game) as one:
        try:
            one.sendall(GET + b"X-Long: " + b"x" * 1_000_000)
        except ConnectionError:
            return
        assert status_of(all_of(one)) == 400


@pytest.mark.parametrize("junk", [b"\x00" * 4096, b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n"])
def test_malformed_http_is_rejected(game: RunningGame, junk: bytes) -> None:
    with connected(game) as one:
        one.sendall(junk + b"\r\n\r\n")
        assert all_of(one)[:12] in {b"", b"HTTP/1.1 400"}


@pytest.mark.slow
def test_an_endless_body_is_rejected(game: RunningGame) -> None:
    with connected(game) as one:
        one.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            while sent < 10_000_000:
                sent += one.send(b"400\r\n" + b" " * 1024 + b"\r\n")
        except ConnectionError:
            pass
        assert sent < 10_000_000
        answer = all_of(one)
        assert not answer or status_of(answer) == 413


@pytest.mark.parametrize("length", [b"8193", b"10000000000"])
def test_a_huge_content_length_is_rejected_before_the_body_arrives(
    patient_game: RunningGame, length: bytes
) -> None:
    with connected(patient_game) as one:
        one.sendall(POST + b"Content-Length: " + length + b"\r\n\r\n")
        assert status_of(all_of(one)) == 413


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 6\r\n",
        b"Content-Length: +5\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding : chunked\r\n",
    ],
)
def test_no_second_request_is_smuggled_in_the_first(game: RunningGame, lengths: bytes) -> None:
    with connected(game) as one:
        one.sendall(POST + lengths + b"\r\n0\r\n\r\n" + GET + b"Connection: close\r\n\r\n")
        answer = all_of(one)
    assert answer.count(b"HTTP/1.1 200") == 0
    assert answer.count(b"HTTP/1.1 ") <= 1


def test_a_body_to_get_closes_the_connection(patient_game: RunningGame) -> None:
    with connected(patient_game) as one:
        one.sendall(GET + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        assert status_of(all_of(one)) == 400


@pytest.mark.slow
def test_an_answer_that_takes_longer_than_a_request_may_is_complete(
    game: RunningGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, read = game.site.journal, game.site.journal.read

    async def slow(function: Callable[[Journal], object]) -> object:
        await asyncio.sleep(3 * LIMITS.request_s)
        return await read(function)

    monkeypatch.setattr(journal, "read", slow)
    with connected(game) as one:
        one.sendall(GET.replace(b"/state", b"/stats") + b"Connection: close\r\n\r\n")
        answer = all_of(one)
    assert status_of(answer) == 200
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["values"]["games"] >= 1


@pytest.mark.slow
def test_a_page_that_reads_nothing_is_dropped_and_others_still_receive_events(
    game: RunningGame,
) -> None:
    stop = threading.Event()

    def flood() -> None:
        number = 0
        while not stop.wait(0.01):
            number += 1
            game.site.feed.publish_table({"number": number, "padding": "x" * 30_000})

    flooding = threading.Thread(target=flood)
    with connected(game) as reader, connected(game, buffer=2048) as stuck:
        stuck.sendall(STREAM)
        reader.sendall(STREAM)
        flooding.start()
        try:
            read = 0
            began = time.monotonic()
            while game.server.open_connections > 1:
                read += len(reader.recv(65536))
                assert time.monotonic() - began < DEADLINE_S
            for _ in range(50):
                read += len(reader.recv(65536))
        finally:
            stop.set()
            flooding.join()
        assert read > 100_000
    game.site.feed.publish_table({})


@pytest.mark.slow
def test_pages_beyond_the_limit_are_rejected_and_the_others_stay_open(
    patient_game: RunningGame,
) -> None:
    with ExitStack() as opened:
        statuses = []
        for _ in range(LIMITS.streams + 5):
            one = opened.enter_context(connected(patient_game))
            one.sendall(STREAM)
            statuses.append(status_of(one.recv(4096)))
        assert statuses.count(200) == LIMITS.streams
        assert statuses.count(503) == 5
        # Open pages leave room for single requests.
        assert _state(patient_game)["game"]
        patient_game.wait_for_decisions()


@pytest.mark.slow
def test_connections_beyond_the_limit_are_dropped_at_once(game: RunningGame) -> None:
    dropped = 0
    for _ in range(2):
        with ExitStack() as opened:
            for _ in range(3 * LIMITS.connections):
                one = opened.enter_context(connected(game))
            wait_until(
                lambda: game.server.open_connections <= LIMITS.connections,
                "the crowd to be dropped",
            )
            dropped += all_of(one) == b""
        game.wait_for_decisions()
    assert dropped == 2


def test_a_client_that_pipelines_requests_without_reading_is_stopped(game: RunningGame) -> None:
    with connected(game, buffer=2048) as one:
        one.settimeout(1.0)
        try:
            for _ in range(20_000):
                one.sendall(GET + b"\r\n")
        except (ConnectionError, TimeoutError):
            pass
        game.wait_for_decisions()


@pytest.mark.slow
def test_pages_that_disconnect_leave_nothing_behind(patient_game: RunningGame) -> None:
    for _ in range(60):
        with connected(patient_game) as one:
            one.sendall(STREAM)
            assert status_of(one.recv(4096)) == 200
    state = patient_game.server._server.server_state
    wait_until(lambda: not state.connections, "all to be gone")
    # A task ends shortly after its connection.
    wait_until(lambda: not state.tasks, "the tasks to end")


@pytest.mark.slow
def test_pages_never_receive_a_picture_with_the_pin(tmp_path: Path) -> None:
    show_pin = POST.replace(b"resign", b"session/ask") + b"Content-Length: 2\r\n\r\n{}"
    # Slowly, because the PIN is shown for some seconds of the table's time.
    with running_game(tmp_path, PATIENT, speed=2.0) as slow:
        words, access = slow.site.desk.preferences.words, slow.site.access
        hidden, shown = (draw_pin(pin, "", words) for pin in ("******", access.pin))
        with connected(slow) as page, connected(slow) as one:
            page.sendall(STREAM)
            one.sendall(show_pin)
            assert status_of(one.recv(4096)) == 200
            wanted, leaked = (png_url(image).encode() for image in (hidden, shown))
            stream = b""
            while wanted not in stream:
                stream += page.recv(65536)
    assert leaked not in stream


def test_responses_are_sent_without_nagle_s_delay(
    patient_game: RunningGame,
) -> None:
    with connected(patient_game) as one:
        one.sendall(STREAM)
        assert status_of(one.recv(4096)) == 200
        held = [each.transport for each in patient_game.server._server.server_state.connections]
        sockets = [each.get_extra_info("socket") for each in held]
        assert all(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in sockets)
