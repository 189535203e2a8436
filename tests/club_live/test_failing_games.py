"""A game or message at which the club's program fails holds up no others."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest
from psycopg import Connection

from tests.club_live.running import Database
from tests.journal.games import store_game
from tests.waiting import wait_until
from urpi.club.server import receiver as receiver_module
from urpi.club.server import verifier as verifier_module
from urpi.club.server.database import connect, store_of
from urpi.club.server.migrations import migrate
from urpi.club.server.receiver import Receiver
from urpi.club.server.verification import Examined, examine
from urpi.club.server.verifier import make_verifier
from urpi.core.supervision import faults
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines

NOWHERE = BrokerSettings("127.0.0.1", 1, False, None, "urpi-club", "secret", "club_server")


@pytest.fixture
def connection(database: Database, tmp_path: Path) -> Iterator["Connection"]:
    """Return a connection to a database."""
    with closing(connect(database.url)) as opened:
        migrate(opened)
        yield opened


def whole_game(tmp_path: Path, started: str) -> Lines:
    with Journal.open(tmp_path / f"{started[:10]}.db") as journal:
        game = store_game(journal, seed=5)
        lines = tuple(without_names(entry.line) for entry in entries_of(journal, game))
        head = GameHead(game, started, "1.0.0", "finkel", settings_of(journal, game))
    return Lines(game, head.key, 1, head.key, lines, head, {}, started)


def fail(*_arguments: object) -> NoReturn:
    message = "an error in the program"
    raise LookupError(message)


def examine_all_but_the_first(head: GameHead, lines: tuple[str, ...]) -> Examined:
    if head.started.startswith("2026-11-18"):
        fail()
    return examine(head, lines)


def test_the_oldest_game_is_set_aside_and_the_next_is_verified(
    database: Database,
    connection: "Connection",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for day in ("18", "19"):
        with store_of(connection, "lisbon") as store:
            message = whole_game(tmp_path, f"2026-11-{day}T12:00:00+00:00")
            assert isinstance(receive(store, message), Ack)
    monkeypatch.setattr(verifier_module, "examine", examine_all_but_the_first)
    verifier = make_verifier(database.url)
    verifier.open()

    def verdicts() -> list[str | None]:
        rows = connection.execute("SELECT verdict FROM histories ORDER BY received").fetchall()
        return [verdict for (verdict,) in rows]

    try:
        wait_until(lambda: verdicts() == [None, "verified"], "the second game is verified")
        assert any(fault.part == "verified" for fault in faults())
    finally:
        verifier.close()


def test_a_message_that_fails_is_rejected_and_occupies_no_connection(
    database: Database, connection: "Connection", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver_module, "receive", fail)
    monkeypatch.setattr(receiver_module, "parse_from_table", bytes.decode)
    club = Receiver(NOWHERE, database.url)
    answer = club._receive(connection, "lisbon", b"break")
    assert "an error in the program" in str(answer)
    assert club.rejected == 1
    # The connection is usable at once.
    assert connection.execute("SELECT 1").fetchone() == (1,)
