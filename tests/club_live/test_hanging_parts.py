"""Parts of the club that never return are reported; each is blocked as its peer would block it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from psycopg import Connection

from tests.club_live.running import Broker, Database, shared_folder
from tests.club_live.test_failing_games import NOWHERE, whole_game
from tests.service.test_hanging_parts import Block
from tests.waiting import wait_until
from urpi.club.server import game_worker
from urpi.club.server import verifier as verifier_module
from urpi.club.server.database import connect, store_of
from urpi.club.server.game_worker import GameWorker
from urpi.club.server.migrations import migrate
from urpi.club.server.receiver import CONNECTIONS, Receiver
from urpi.club.server.verifier import make_verifier
from urpi.club.server.watcher import Watcher
from urpi.config import ClubServerSection
from urpi.core import supervision
from urpi.core.supervision import CONFIRM_S, Fault, Part, faults
from urpi.install.running_parts import CLUB_PATH, RunningParts
from urpi.link.broker.broker_settings import BrokerSettings, club_settings
from urpi.link.protocol.archive import receive
from urpi.link.protocol.messages import Ack

LATER_S = 100.0
"""More than a part of the club takes for a message, or for reading a game."""
STORES = "SELECT pg_advisory_xact_lock(hashtextextended(%, 1))"
"""Like the query with which a receiver begins to store."""


def parts_called(prefix: str) -> list[Part]:
    return [part for part in supervision._parts if part.name.startswith(prefix) and part._thread]


def hanging(prefix: str) -> list[Fault]:
    """Return the faults of parts whose names begin so, with their clocks far ahead."""
    found = parts_called(prefix)
    clocks = [part._clock for part in found]
    try:
        for later in (LATER_S, LATER_S + CONFIRM_S):
            for part, clock in zip(found, clocks, strict=True):
                part._clock = lambda clock=clock, later=later: clock() + later  # type: ignore[misc]
            reported = [fault for fault in faults() if fault.part.startswith(prefix)]
    finally:
        for part, clock in zip(found, clocks, strict=True):
            part._clock = clock
    return [fault for fault in reported if fault.hangs]


@pytest.fixture
def connection(database: Database) -> Iterator["Connection"]:
    with closing(connect(database.url)) as opened:
        migrate(opened)
        yield opened


def waiting_for_locks(connection: "Connection", query: str) -> int:
    """Return how many wait for locks with a query; a busy server also waits with other ones."""
    activity = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    (count,) = connection.execute(f"{activity} AND query LIKE %s", (query,)).fetchone() or (0,)
    return int(count)


def test_receivers_that_wait_for_the_database_for_ever_are_reported(
    database: Database, connection: "Connection", tmp_path: Path
) -> None:
    message = whole_game(tmp_path, "2026-11-18T12:00:00+00:00").encode()
    club = Receiver(NOWHERE, database.url)
    club.open()
    try:
        with closing(connect(database.url)) as other, other.transaction():
            tables = [f"table-{number}" for number in range(CONNECTIONS)]
            for table in tables:
                # As another process of the club, which hangs while it stores.
                other.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (table,))
                club._messages.put(table, message)
            wait_until(
                lambda: waiting_for_locks(connection, STORES) == CONNECTIONS,
                "all receivers are blocked",
            )
            found = hanging("receiver")
            assert len(found) == CONNECTIONS
            assert all(fault.ends_program for fault in found)
            assert all("urpi.club.server.database.store_of" in fault.problem for fault in found)
        wait_until(lambda: club.stored == CONNECTIONS, "they go on")
        assert hanging("receiver-9") == []
    finally:
        club.close()


def test_a_verifier_that_waits_for_the_database_for_ever_is_reported(
    database: Database, connection: "Connection"
) -> None:
    verifier = make_verifier(database.url)
    with closing(connect(database.url)) as other, other.transaction():
        other.execute("LOCK TABLE histories IN ACCESS EXCLUSIVE MODE")
        verifier.open()
        wait_until(
            lambda: waiting_for_locks(connection, "%histories%") == 1, "the verifier is blocked"
        )
        (fault,) = hanging("verified")
        assert fault.ends_program
        assert "urpi.club.server.database.next_to_verify" in fault.problem
    verifier.close()


def test_a_game_whose_process_hangs_does_not_hold_up_the_next(
    database: Database,
    connection: "Connection",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervision, "PAUSE_S", (0.01, 0.01))
    with store_of(connection, "lisbon") as store:
        assert isinstance(receive(store, whole_game(tmp_path, "2026-11-18T12:00:00+00:00")), Ack)
    started: list[int] = []
    real = GameWorker._call

    def call(worker, pool, function, *arguments):  # type: ignore[no-untyped-def]
        started.append(worker._process)
        # Only the process that hangs has so little time: others may need it on a busy machine.
        with monkeypatch.context() as patch:
            if len(started) == 1:
                patch.setattr(game_worker, "MAX_CALL_S", 5.0)
                os.kill(worker._process, signal.SIGSTOP)
            return real(worker, pool, function, *arguments)

    monkeypatch.setattr(GameWorker, "_call", call)
    verifier = make_verifier(database.url)
    verifier.open()
    try:
        wait_until(
            lambda: (
                connection.execute("SELECT verdict FROM histories").fetchall() == [("verified",)]
            ),
            "it is verified after all",
        )
        assert len(started) == 2
        assert started[0] != started[1]
        (fault,) = [one for one in faults() if one.part == "verified"]
        assert "examine has taken more than 5 s" in fault.problem
    finally:
        verifier.close()


@pytest.mark.parametrize("works", [True, False])
def test_a_club_that_is_stopped_does_not_wait_for_a_process_that_gets_no_time(
    works: bool,
    database: Database,
    connection: "Connection",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a busy machine, a process of low priority gets none for a long time."""
    if works:
        with store_of(connection, "lisbon") as store:
            receive(store, whole_game(tmp_path, "2026-11-18T12:00:00+00:00"))
    reached = Event()

    def stop(worker: GameWorker) -> None:
        os.kill(worker._process, signal.SIGSTOP)
        reached.set()

    real_call, real_work = GameWorker._call, verifier_module._verify_next

    def call(worker, pool, function, *arguments):  # type: ignore[no-untyped-def]
        stop(worker)
        return real_call(worker, pool, function, *arguments)

    def work(*arguments):  # type: ignore[no-untyped-def]
        found = real_work(*arguments)
        stop(verifier)
        return found

    monkeypatch.setattr(GameWorker, "_call", call)
    monkeypatch.setattr(verifier_module, "_verify_next", work)
    verifier = make_verifier(database.url)
    verifier.open()
    assert reached.wait(120)
    # Receiving comes first.
    assert os.getpriority(os.PRIO_PROCESS, verifier._process) == 10
    closing = Thread(target=verifier.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()
    assert faults() == ()
    # Neither is it a failure of the game.
    assert connection.execute("SELECT verdict FROM histories").fetchall() == [(None,)] * works


@contextmanager
def a_broker() -> Iterator[Broker]:
    with ExitStack() as stack:
        broker = Broker(stack.enter_context(shared_folder()), ("lisbon",))
        stack.callback(broker.kill)
        broker.start()
        yield broker


def section_of(broker: Broker) -> BrokerSettings:
    password = str(broker.files / "club.password")
    return club_settings(
        ClubServerSection(broker=f"127.0.0.1:{broker.port}", password_file=password)
    )


class Blocking:
    """A wall whose lock is never released."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def receive(self, *_: object, **__: object) -> None:
        pass

    def set_connected(self, connected: bool) -> None:
        if connected:
            self._block()


def test_a_connection_to_the_broker_that_never_goes_on_is_reported() -> None:
    block = Block()
    with a_broker() as broker:
        watcher = Watcher(section_of(broker), Blocking(block))
        watcher.open()
        try:
            assert block.reached.wait(60)
            (fault,) = hanging("broker, states")
            assert fault.ends_program
            assert "test_hanging_parts" in fault.problem or "urpi.club" in fault.problem
        finally:
            block.release()
            watcher.close()
        assert hanging("broker, states") == []


CLUB = """\
import sys
from pathlib import Path
from urpi.cli.club_serve import serve_club
from urpi.club.server import game_worker
from urpi.config.reading import read
from urpi.core import supervision
from urpi.install import running_parts

supervision.CONFIRM_S = 0.1
game_worker.WORK_S = 0.5
running_parts.MIN_RUN_S = 0
serve_club(read(Path(sys.argv[1])).config.club_server, Path(sys.argv[1]).parent)
"""
"""A club that waits less long for its verifier and reviewer."""


def test_the_club_reports_to_systemd_and_the_doctor_what_hangs_and_is_started_again(
    database: Database, tmp_path: Path
) -> None:
    config = tmp_path / "club.toml"
    with a_broker() as broker, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        config.write_text(
            f'[club_server]\nbroker = "127.0.0.1:{broker.port}"\nlisten = "off"\n'
            f'password_file = "{broker.files / "club.password"}"\ndatabase = "{database.url}"\n'
        )
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        found = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "RUNTIME_DIRECTORY": str(tmp_path)}
        with subprocess.Popen(
            [sys.executable, "-c", CLUB, str(config)],
            env={**os.environ, **found},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as club:
            try:
                assert systemd.recv(1000).startswith(b"READY=1\nSTATUS=Receiving games at ")
                with closing(connect(database.url)) as other, other.transaction():
                    other.execute("LOCK TABLE histories IN ACCESS EXCLUSIVE MODE")
                    status = systemd.recv(1000).decode()
                    assert club.wait(60) == 1
            finally:
                club.kill()
            assert club.stderr is not None
            log = club.stderr.read()
    assert "ed hangs (urpi.club.server.database.next_to_" in status
    assert "; the program is started again.\n" in log
    parts = RunningParts.parse((tmp_path / CLUB_PATH.name).read_text())
    assert (parts.pid, len(parts.faults) > 0) == (club.pid, True)
