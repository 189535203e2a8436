"""Attacks on the page by real sockets, while a real game goes on: it goes on in each."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.played import DEADLINE_S, Played, played, wait_for
from urpi.views.menu_screens import draw_pin
from urpi.web.limits import Limits
from urpi.web.picture import data_url, png

LIMITS = Limits(connections=40, streams=25, request_s=0.4, stuck_s=0.4, in_kernel=8192, unsent=8192)
"""Low ones, so that an attack comes to its end soon."""
GET = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n"
STREAM = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST /api/resign HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Content-Type: application/json\r\n"
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with played(tmp_path_factory.mktemp("played"), LIMITS) as one:
        yield one


@pytest.fixture(scope="module")
def patient_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A game whose page gives connections time, so that a slow machine is no attack."""
    limits = replace(LIMITS, request_s=DEADLINE_S, stuck_s=DEADLINE_S)
    with played(tmp_path_factory.mktemp("patient"), limits) as one:
        yield one


@pytest.fixture(autouse=True)
def _it_goes_on_and_the_page_is_there(game: Played) -> Iterator[None]:
    yield
    game.goes_on()
    # Whoever was dropped has left its place to others.
    wait_for(lambda: _state(game).get("game"), "the page after the attack")


def _state(game: Played) -> dict[str, object]:
    with connected(game) as one:
        one.sendall(GET + b"Connection: close\r\n\r\n")
        answer = all_of(one)
    return dict(json.loads(answer.partition(b"\r\n\r\n")[2])) if answer else {}


@contextmanager
def connected(game: Played, buffer: int | None = None) -> Iterator[socket.socket]:
    with closing(socket.socket()) as one:
        if buffer is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        one.settimeout(DEADLINE_S)
        one.connect(tuple(game.server.address))
        yield one


def all_of(one: socket.socket) -> bytes:
    """What comes until the other end is closed or drops the connection."""
    parts = []
    try:
        while part := one.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_connections_that_say_nothing_are_dropped(game: Played) -> None:
    with ExitStack() as opened:
        silent = [opened.enter_context(connected(game)) for _ in range(30)]
        game.goes_on()
        assert [all_of(one) for one in silent] == [b""] * 30


def test_a_head_that_comes_a_letter_at_a_time_is_cut_off(game: Played) -> None:
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


def test_a_head_without_end_is_refused(game: Played) -> None:
    with connected(game) as one:
        try:
            one.sendall(GET + b"X-Long: " + b"x" * 1_000_000)
        except ConnectionError:
            return
        assert status_of(all_of(one)) == 400


@pytest.mark.parametrize("junk", [b"\x00" * 4096, b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n"])
def test_what_is_no_http_is_refused(game: Played, junk: bytes) -> None:
    with connected(game) as one:
        one.sendall(junk + b"\r\n\r\n")
        assert all_of(one)[:12] in {b"", b"HTTP/1.1 400"}


def test_a_body_without_end_is_refused(game: Played) -> None:
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
def test_a_body_that_is_said_to_be_huge_is_refused_before_it_comes(
    game: Played, length: bytes
) -> None:
    with connected(game) as one:
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
def test_no_second_request_is_smuggled_in_the_first(game: Played, lengths: bytes) -> None:
    with connected(game) as one:
        one.sendall(POST + lengths + b"\r\n0\r\n\r\n" + GET + b"Connection: close\r\n\r\n")
        answer = all_of(one)
    assert answer.count(b"HTTP/1.1 200") == 0
    assert answer.count(b"HTTP/1.1 ") <= 1


def test_a_body_to_get_closes_the_connection(game: Played) -> None:
    with connected(game) as one:
        one.sendall(GET + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        assert status_of(all_of(one)) == 400


def test_a_page_that_takes_nothing_is_dropped_and_others_are_told_on(game: Played) -> None:
    stop = threading.Event()

    def flood() -> None:
        number = 0
        while not stop.wait(0.01):
            number += 1
            game.page.feed.tell_table({"number": number, "much": "x" * 30_000})

    flooding = threading.Thread(target=flood)
    with connected(game) as reader, connected(game, buffer=2048) as stuck:
        stuck.sendall(STREAM)
        reader.sendall(STREAM)
        flooding.start()
        try:
            read = 0
            began = time.monotonic()
            while len(game.server._server.server_state.connections) > 1:
                read += len(reader.recv(65536))
                assert time.monotonic() - began < DEADLINE_S
            for _ in range(50):
                read += len(reader.recv(65536))
        finally:
            stop.set()
            flooding.join()
        assert read > 100_000
    game.page.feed.tell_table({})


def test_pages_beyond_the_most_are_told_to_come_again_and_the_rest_go_on(
    patient_game: Played,
) -> None:
    with ExitStack() as opened:
        statuses = []
        for _ in range(LIMITS.streams + 5):
            one = opened.enter_context(connected(patient_game))
            one.sendall(STREAM)
            statuses.append(status_of(one.recv(4096)))
        assert statuses.count(200) == LIMITS.streams
        assert statuses.count(503) == 5
        # The open ones take no place from whoever just asks.
        assert _state(patient_game)["game"]
        patient_game.goes_on()


def test_connections_beyond_the_most_are_dropped_at_once(game: Played) -> None:
    dropped = 0
    for _ in range(2):
        with ExitStack() as opened:
            for _ in range(3 * LIMITS.connections):
                one = opened.enter_context(connected(game))
            wait_for(
                lambda: len(game.server._server.server_state.connections) <= LIMITS.connections,
                "the crowd to be dropped",
            )
            dropped += all_of(one) == b""
        game.goes_on()
    assert dropped == 2


def test_requests_behind_each_other_without_reading_are_stopped(game: Played) -> None:
    with connected(game, buffer=2048) as one:
        one.settimeout(1.0)
        try:
            for _ in range(20_000):
                one.sendall(GET + b"\r\n")
        except (ConnectionError, TimeoutError):
            pass
        game.goes_on()


def test_pages_that_come_and_go_leave_nothing_behind(patient_game: Played) -> None:
    for _ in range(60):
        with connected(patient_game) as one:
            one.sendall(STREAM)
            assert status_of(one.recv(4096)) == 200
    state = patient_game.server._server.server_state
    wait_for(lambda: not state.connections, "all to be gone")
    # A task ends shortly after its connection.
    wait_for(lambda: not state.tasks, "the tasks to end")


def test_the_pin_that_the_display_shows_is_in_no_picture_that_pages_get(tmp_path: Path) -> None:
    asked = POST.replace(b"resign", b"session/ask") + b"Content-Length: 2\r\n\r\n{}"
    # Slowly: the PIN is shown for some seconds of the table's time.
    with played(tmp_path, LIMITS, speed=2.0) as slow:
        words, access = slow.page.desk.words, slow.page.access
        hidden, told = (draw_pin(pin, "", words) for pin in ("******", access.pin))
        with connected(slow) as page, connected(slow) as one:
            page.sendall(STREAM)
            one.sendall(asked)
            assert status_of(one.recv(4096)) == 200
            wanted, leaked = (data_url(png(image)).encode() for image in (hidden, told))
            stream = b""
            while wanted not in stream:
                stream += page.recv(65536)
    assert leaked not in stream


def test_an_answer_s_second_half_does_not_wait_for_the_first_to_be_acknowledged(
    game: Played,
) -> None:
    with connected(game) as one:
        one.sendall(STREAM)
        assert status_of(one.recv(4096)) == 200
        held = [each.transport for each in game.server._server.server_state.connections]
        sockets = [each.get_extra_info("socket") for each in held]
        assert all(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in sockets)
