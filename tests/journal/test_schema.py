"""Migrations: an older file is upgraded, or unchanged if that fails."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from tests.journal.games import store_game
from urpi.core.errors import UrpiError
from urpi.journal import (
    DamagedError,
    Journal,
    check_contents,
    correct_game,
    entries_of,
    list_games,
    migrations,
)
from urpi.journal.migrations import (
    APPLICATION_ID,
    FIRST_VERSION,
    MIGRATIONS,
    newest_version,
    statements,
)
from urpi.journal.packing import DICTIONARY, pack
from urpi.journal.schema import migrate

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
TIME = '{"t":4,"type":"time"}'
ROLL = '{"t":5,"type":"roll","side":"dark","faces":"gs--","value":2,"legal":[]}'
WON = '{"t":6,"type":"won","side":"dark","code":"off"}'
FREELIST_COUNT = 36
"""Offset of a field of SQLite's header that every check of the pages compares."""
ADDS_A_PLACE = statements("ALTER TABLE games ADD COLUMN place TEXT")
FAILS_HALF_WAY = statements("CREATE TABLE half (way TEXT)", "INSERT INTO nowhere VALUES (1)")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as opened:
        yield opened


def version(db: sqlite3.Connection) -> int:
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


def tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_a_new_file_gets_every_migration(db: sqlite3.Connection) -> None:
    migrate(db, [*MIGRATIONS, ADDS_A_PLACE])
    assert version(db) == newest_version() + 1
    assert tables(db) == {
        "games",
        "settings",
        "packing",
        "batches",
        "milestones",
        "finished",
        "preferences",
        "answers",
        "corrections",
    }


def test_a_migration_keeps_the_rows_of_an_older_file(db: sqlite3.Connection) -> None:
    migrate(db)
    db.execute(
        "INSERT INTO games (started, program, rules, light, dark) VALUES ('', '', '', '', '')"
    )
    migrate(db, [*MIGRATIONS, ADDS_A_PLACE])
    assert db.execute("SELECT id, place FROM games").fetchall() == [(1, None)]


def test_a_file_of_the_current_version_is_not_written(db: sqlite3.Connection) -> None:
    migrate(db)
    before = db.total_changes
    migrate(db)
    assert db.total_changes == before


def test_a_migration_that_fails_is_rolled_back(db: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(db, [*MIGRATIONS, ADDS_A_PLACE, FAILS_HALF_WAY])
    assert version(db) == newest_version() + 1
    assert "half" not in tables(db)
    assert not db.in_transaction


def test_a_file_of_a_newer_version_is_rejected(db: sqlite3.Connection, tmp_path: Path) -> None:
    migrate(db, [*MIGRATIONS, ADDS_A_PLACE])
    with pytest.raises(
        UrpiError, match=r"its version is 7, and this program supports versions up to 6; "
    ):
        Journal.open(tmp_path / "journal.db")


@pytest.mark.parametrize("number", range(1, FIRST_VERSION))
def test_a_file_from_before_the_first_release_is_rejected(
    db: sqlite3.Connection, tmp_path: Path, number: int
) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {number}")
    with pytest.raises(UrpiError, match=f"its version is {number}, which no release of urpi had"):
        Journal.open(tmp_path / "journal.db")


def test_a_file_of_the_first_release_keeps_its_games(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    started = "2026-11-20T19:02:11+01:00"
    batches = [
        (1, 2, 1, [GAME, TIME]),
        (1, 5, 1, [TIME, ROLL]),
        (2, 3, 1, [GAME]),
        (1, 7, 0, [WON]),
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:1])
        db.executemany(
            f"INSERT INTO games VALUES (?, '{started}', '0.1.0', 'finkel', '', '')", [(1,), (2,)]
        )
        db.executemany(
            "INSERT INTO batches VALUES (?, ?, ?, ?)",
            [(game, seq, facts, pack(lines, DICTIONARY)) for game, seq, facts, lines in batches],
        )
        db.execute("INSERT INTO milestones VALUES (1, 5, 'roll', 'dark'), (1, 7, 'won', 'dark')")
        db.execute("INSERT INTO finished VALUES (1, ?)", (started,))
        db.execute("INSERT INTO preferences VALUES ('board', 'language', 'pt', 'en')")
    with Journal.open(path, create=False) as journal:
        for game in (1, 2):
            assert [entry.line for entry in entries_of(journal, game)] == [
                line for of, _, _, lines in batches for line in lines if of == game
            ]
        assert [(one.id, one.turns, one.result) for one in list_games(journal)] == [
            (2, 0, None),
            (1, 1, "dark"),
        ]
        rows = journal.rows("SELECT name, value FROM preferences")
        assert rows == [("language", "pt")]
        assert journal.append(2, [TIME]) == 8


def test_a_file_without_corrections_keeps_every_checksum(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        game = store_game(journal, longest=40)
    with closing(sqlite3.connect(path)) as db, db:
        # As the version before it was.
        db.execute("DROP TABLE corrections")
        db.execute("PRAGMA user_version = 5")
        before = [db.execute(f"SELECT * FROM {table}").fetchall() for table in sorted(tables(db))]
    with Journal.open(path, create=False) as journal:
        kept = sorted(tables(journal.connection.db) - {"corrections"})
        assert [journal.rows(f"SELECT * FROM {table}") for table in kept] == before
        assert list_games(journal)[0].corrections == ()
        correct_game(journal, game, {"void": ""}, "only a test", datetime.now().astimezone())
        check_contents(journal)


def test_a_damaged_older_file_is_rejected_before_its_migration(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:1])
    with path.open("r+b") as file:
        file.seek(FREELIST_COUNT)
        file.write(b"\0\0\0\x63")
    before = path.read_bytes()
    with pytest.raises(DamagedError, match=r"(?i)freelist"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_an_older_file_is_unchanged_if_its_migration_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:1])
        before = tables(db)
        failing = ("INSERT INTO nowhere VALUES (1)",)
        monkeypatch.setattr(migrations, "append_only", lambda *_: failing)
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            migrate(db)
        assert (version(db), tables(db)) == (FIRST_VERSION, before)
