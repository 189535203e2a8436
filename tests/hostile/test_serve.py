"""`urpi serve` that is killed again and again, and whose page is attacked."""

import json
import random
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

from tests.cli.test_serve import URPI, configuration, line_of
from tests.hostile.mallory import memory_of
from tests.page.table import Table
from tests.waiting import wait_until
from urpi.cli.club_demo.programs import accepts, free_port
from urpi.journal import Journal, find_game
from urpi.journal.integrity import check_contents, check_pages
from urpi.simulation import open_wire
from urpi.simulation.virtual_hub import VirtualHub

LATEST_S = 3.0
"""A kill is at most this long after the start."""
ATTACKERS = 6
ANSWER_S = 30.0
"""Longest time for an answer on a busy machine."""


def journal_with_a_running_game(folder: Path) -> Path:
    path, rng = folder / "games.db", random.Random(3)
    table = Table.at(path)
    table.begin()
    for _ in range(6):
        table.play_on(rng)
        table.wait(300)
    table.service.close()
    return path


@contextmanager
def serving(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    command = [*URPI, "--config", str(configuration(folder, listen=f"127.0.0.1:{port}")), "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def get(port: int, path: bytes, rest: bytes = b"") -> tuple[int, bytes, bytes]:
    """Return the status, head and body of a response; the status is 0 if there is none."""
    request = b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    try:
        with closing(socket.create_connection(("127.0.0.1", port), ANSWER_S)) as one:
            one.sendall(request + rest + b"\r\n")
            answer = b"".join(iter(lambda: one.recv(65536), b""))
    except ConnectionError:
        return 0, b"", b""
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split(b" ", 2)[1]) if head.startswith(b"HTTP/1.1 ") else 0), head, body


def test_a_killed_program_continues_and_its_first_answer_has_the_record(
    tmp_path: Path, chance: random.Random, kills: int
) -> None:
    path, port = journal_with_a_running_game(tmp_path), free_port()
    wire = open_wire("pty", tmp_path)
    wire.write(VirtualHub(4).start(0))
    lines = 0
    for number in range(kills):
        with serving(tmp_path, port):
            if number % 4 == 0:
                wait_until(lambda: accepts(port), "the page")
                status, _, body = get(port, b"/api/state")
                state = json.loads(body)
                assert (status, state["game"]) == (200, 1)
                assert state["record"]
                assert state["seq"] >= lines
                lines = state["seq"]
            else:
                time.sleep(chance.uniform(0, LATEST_S))
        with Journal.read_only(path) as journal:
            check_pages(journal)
            check_contents(journal)
            assert find_game(journal, 1).result is None
    wire.unplug()


def test_no_request_stops_the_page_or_fills_its_memory(
    tmp_path: Path, chance: random.Random, seconds: float
) -> None:
    journal_with_a_running_game(tmp_path)
    port, wire = free_port(), open_wire("pty", tmp_path)
    wire.write(VirtualHub(4).start(0))
    paths = [b"/", b"/games", b"/api/state", b"/api/stats", b"/api/games", b"/api/games/1"]
    queries = [b"", b"?player=%00", b"?rules=%00&since=x", b"?before=9e9", b"?%ff=%fe", b"?" * 999]
    answers: set[tuple[int, bool]] = set()

    def attack(own: random.Random, end: float) -> None:
        while time.monotonic() < end:
            path = own.choice(paths) + own.choice(queries)
            noise = bytes(own.randrange(32, 127) for _ in range(own.randrange(60)))
            rest = own.choice(
                [b"", b"Cookie: " + noise + b"\r\n", b"Range: bytes=0-,1-\r\n", noise]
            )
            status, head, _ = get(port, path, rest)
            answers.add((status, b"retry-after" in head.lower()))

    with serving(tmp_path, port) as process:
        assert line_of(process).startswith("Game 1")
        wait_until(lambda: accepts(port), "the page")
        get(port, b"/api/stats")
        before, end = memory_of(process.pid), time.monotonic() + seconds
        seeds = [random.Random(chance.random()) for _ in range(ATTACKERS)]
        attackers = [Thread(target=attack, args=(seed, end)) for seed in seeds]
        for one in attackers:
            one.start()
        for one in attackers:
            one.join()
        assert get(port, b"/api/games?player=%00")[0] == 400
        assert get(port, b"/api/stats")[0] == 200
        status, _, body = get(port, b"/api/state")
        assert (status, json.loads(body)["game"]) == (200, 1)
        assert memory_of(process.pid) - before < 50_000_000
    # Nothing fails; what is refused says when to try again.
    assert {status for status, _ in answers} <= {0, 200, 400, 404, 429, 503}
    assert all(again for status, again in answers if status in {429, 503})
    wire.unplug()
