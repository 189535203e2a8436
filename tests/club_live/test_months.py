"""The lines are partitioned by month, and old months can be removed."""

import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from threading import Thread
from typing import Any

import psycopg
import pytest
from psycopg import errors

from tests.club_live.running import ROOT, Database
from tests.page.client import Client
from tests.waiting import DEADLINE_S, wait_until
from urpi.club.server.database import connect, next_to_verify, read_lines, store_of, store_verdict
from urpi.club.server.migrations import MIGRATIONS, VERSION, migrate
from urpi.club.server.months import create_months
from urpi.club.server.reviewer import review
from urpi.club.server.verification import examine
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.link.protocol.archive import receive
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import Ack, FromClub, GameHead, Lines

TODAY = date(2026, 1, 15)
STARTED = "2026-01-15T19:02:11+00:00"
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","first":"light"}'


@pytest.fixture
def connection(database: Database) -> Iterator["psycopg.Connection[Any]"]:
    with contextlib.closing(connect(database.url)) as found:
        yield found


@pytest.fixture
def club(connection: "psycopg.Connection[Any]") -> "psycopg.Connection[Any]":
    """A database of the newest version, at which it is January 2026."""
    migrate(connection)
    turn_clock(connection, datetime(2026, 1, 15, tzinfo=UTC))
    return connection


def turn_clock(connection: "psycopg.Connection[Any]", now: datetime) -> None:
    """Let the club receive the first lines of games at another time."""
    connection.execute(f"ALTER TABLE histories ALTER received SET DEFAULT '{now.isoformat()}'")


def game(first: int, count: int, number: int = 1, finished: str | None = None) -> Lines:
    """A message with some lines of a game, each of which is a second later."""
    head = GameHead(number, STARTED, "1.0.0", "finkel", {})
    texts = [GAME, *(f'{{"t":{t}000,"type":"time"}}' for t in range(1, 6000))]
    sent = tuple(texts[first - 1 : first - 1 + count])
    before = next_chain(head.key, texts[: first - 1])
    return Lines(
        number, head.key, first, before, sent, head if first == 1 else None, {}, finished=finished
    )


def send(connection: "psycopg.Connection[Any]", message: Lines) -> FromClub:
    with store_of(connection, "lisbon") as store:
        return receive(store, message)


def send_all(connection: "psycopg.Connection[Any]", *messages: Lines) -> None:
    for message in messages:
        answer = send(connection, message)
        assert isinstance(answer, Ack)
        assert answer.stored


def places(connection: "psycopg.Connection[Any]") -> list[tuple[str, int, int]]:
    """The partition of each batch with its first and last line."""
    query = "SELECT tableoid::regclass::text, first, last FROM batches ORDER BY history, first"
    return connection.execute(query).fetchall()


def partitions(connection: "psycopg.Connection[Any]") -> list[str]:
    query = "SELECT relid::text FROM pg_partition_tree('batches') WHERE isleaf ORDER BY 1"
    return [name for (name,) in connection.execute(query)]


ALL_LINES = (
    "SELECT table_id, history, first, last, before, lines, received FROM batches ORDER BY 2, 3"
)
FURTHER = "ALTER TABLE histories ADD COLUMN further text; UPDATE histories SET further = 'x';"
"""A migration that changes one table, and then another one."""


def test_a_migration_that_is_interrupted_changes_nothing_and_can_be_repeated(
    database: Database, connection: "psycopg.Connection[Any]"
) -> None:
    migrate(connection)
    send_all(connection, game(1, 20), game(21, 10))
    migrations = (*MIGRATIONS, FURTHER + "ALTER TABLE batches ADD COLUMN further text;")
    before = connection.execute(ALL_LINES).fetchall()
    interrupted: list[BaseException] = []

    def upgrade() -> None:
        with contextlib.closing(connect(database.url)) as other:
            try:
                migrate(other, migrations)
            except psycopg.OperationalError as error:
                interrupted.append(error)

    waits = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with connection.transaction():
        # The migration has to wait for this lock, after the migration of `histories`.
        connection.execute("LOCK TABLE batches IN ACCESS SHARE MODE")
        upgrading = Thread(target=upgrade)
        upgrading.start()
        wait_until(lambda: database.rows(waits), "the migration")
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM ({waits}) AS waiting".encode())
        upgrading.join()
    assert interrupted
    assert database.rows("SELECT version FROM schema_version") == [(VERSION,)]
    assert connection.execute(ALL_LINES).fetchall() == before
    migrate(connection, migrations)
    assert connection.execute(ALL_LINES).fetchall() == before


def test_each_month_is_created_once_before_it_begins(
    database: Database, club: "psycopg.Connection[Any]", caplog: pytest.LogCaptureFixture
) -> None:
    def create(_number: int) -> None:
        with contextlib.closing(connect(database.url)) as one:
            # On a busy machine, the one before may be paused in its transaction for long.
            create_months(one, date(2026, 11, 30), lock_timeout_s=DEADLINE_S)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(create, range(16)))
    expected = ["batches_2026_11", "batches_2026_12", "batches_2027_01", "batches_default"]
    assert partitions(club) == expected
    create_months(club, date(2026, 12, 1))
    assert partitions(club) == sorted([*expected, "batches_2027_02"])
    assert not caplog.records


def test_a_month_that_cannot_be_created_is_logged_and_its_lines_are_stored(
    database: Database,
    club: "psycopg.Connection[Any]",
    caplog: pytest.LogCaptureFixture,
) -> None:
    with contextlib.closing(connect(database.url)) as other, other.transaction():
        other.execute("LOCK TABLE batches_default IN ACCESS SHARE MODE")
        create_months(club, TODAY, lock_timeout_s=0.05)
    assert "The partition of 2026-01 cannot be created now: canceling" in caplog.text
    send_all(club, game(1, 10))
    assert places(club) == [("batches_default", 1, 10)]
    # They move as soon as it is created.
    create_months(club, TODAY)
    assert places(club) == [("batches_2026_01", 1, 10)]
    months = ("2026_01", "2026_02", "2026_03", "default")
    assert partitions(club) == [f"batches_{month}" for month in months]


def test_a_game_stays_in_its_month_when_lines_are_repeated_later(
    club: "psycopg.Connection[Any]",
) -> None:
    create_months(club, TODAY)
    send_all(club, game(1, 10), game(11, 10))
    turn_clock(club, datetime(2026, 2, 1, tzinfo=UTC))
    create_months(club, date(2026, 2, 1))
    send_all(club, game(1, 10), game(11, 15), game(5, 6), game(1, 3, number=2))
    assert places(club) == [
        ("batches_2026_01", 1, 10),
        ("batches_2026_01", 11, 20),
        ("batches_2026_01", 21, 25),
        ("batches_2026_02", 1, 3),
    ]
    again = (
        "INSERT INTO batches SELECT table_id, history, {month}, first, last, before, lines"
        " FROM batches WHERE first = 11"
    )
    with pytest.raises(errors.UniqueViolation):
        club.execute(again.format(month="month").encode())
    with pytest.raises(errors.ForeignKeyViolation):
        club.execute(again.format(month="'2026-02-01'").encode())


def remove_january(connection: "psycopg.Connection[Any]") -> None:
    """Run the statements of the documentation."""
    text = (ROOT / "docs" / "operate" / "club.md").read_text()
    statements = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    assert len(statements) == 1
    connection.execute(statements[0].encode())


def test_games_of_a_month_that_was_removed_are_unavailable(
    database: Database, club: "psycopg.Connection[Any]"
) -> None:
    create_months(club, TODAY)
    ended = "2026-01-15T20:00:00+00:00"
    for number in (1, 2):
        send_all(club, game(1, 2000, number), game(2001, 1000, number, ended))
    send_all(club, game(1, 2000, 3))
    club.execute("UPDATE histories SET verdict = 'verified', result = 'light' WHERE game = 1")
    remove_january(club)
    assert places(club) == []

    # What was found before remains; what was not yet examined cannot be.
    waiting = next_to_verify(club)
    assert waiting is not None
    store_verdict(club, waiting.table, waiting.history, examine(waiting.head, waiting.lines))
    assert next_to_verify(club) is None
    rows = "SELECT verdict, verdict_text, result FROM histories ORDER BY game LIMIT 2"
    assert club.execute(rows.encode()).fetchall() == [
        ("verified", "", "light"),
        ("pruned", "Some of its facts have been removed.", None),
    ]
    assert review(STARTED, read_lines(club, "lisbon", waiting.history), ROOT) is None

    section = ClubServerSection(database=database.url)
    client = Client(make_club_app(make_site(section, Wall(lambda: datetime.now(UTC)))))
    listed = client.get("/api/games").json["games"]
    assert [one["verdict"] for one in listed] == ["running", "pruned", "verified"]
    for one in listed:
        for path in ("", "/replay.html", "/record.txt"):
            response = client.get(f"/api/games/{one['id']}{path}")
            assert response.status == 404
            assert "The club has removed the lines of this game." in response.text

    # Tables neither send the lines again, nor is anything lost that comes later.
    send_all(club, game(1, 2000), game(2001, 1000, 1, ended), game(1, 2000, 3), game(2001, 5, 3))
    assert places(club) == [("batches_default", 2001, 2005)]
    last = max(one["id"] for one in listed)
    found = read_lines(club, "lisbon", last)
    assert found == [""] * 2000 + list(game(2001, 5, 3).lines)
