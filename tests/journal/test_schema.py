"""Migrations: an old file becomes a new one, or stays whole as it was."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from urpi.errors import UrpiError
from urpi.journal import Journal, list_games
from urpi.journal.schema import MIGRATIONS, migrate

ADDS_A_PLACE = ("ALTER TABLE games ADD COLUMN place TEXT",)
FAILS_HALF_WAY = ("CREATE TABLE half (way TEXT)", "INSERT INTO nowhere VALUES (1)")


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
    assert version(db) == len(MIGRATIONS) + 1
    assert tables(db) == {"games", "settings", "entries", "finished"}


def test_an_old_file_gets_what_it_lacks_and_keeps_what_it_holds(db: sqlite3.Connection) -> None:
    migrate(db)
    db.execute(
        "INSERT INTO games (started, program, rules, light, dark) VALUES ('', '', '', '', '')"
    )
    migrate(db, [*MIGRATIONS, ADDS_A_PLACE])
    assert db.execute("SELECT id, place FROM games").fetchall() == [(1, None)]


def test_a_file_of_today_is_not_written(db: sqlite3.Connection) -> None:
    migrate(db)
    before = db.total_changes
    migrate(db)
    assert db.total_changes == before


def test_a_migration_that_fails_is_rolled_back_whole(db: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(db, [*MIGRATIONS, ADDS_A_PLACE, FAILS_HALF_WAY])
    assert version(db) == len(MIGRATIONS) + 1
    assert "half" not in tables(db)
    assert not db.in_transaction


def test_a_file_of_a_newer_version_is_refused(db: sqlite3.Connection, tmp_path: Path) -> None:
    migrate(db, [*MIGRATIONS, ADDS_A_PLACE])
    with pytest.raises(UrpiError, match=r"of version 2, this program knows versions up to 1; "):
        Journal.open(tmp_path / "journal.db")


def test_a_file_of_version_1_is_opened(tmp_path: Path) -> None:
    """The file as the first version made it, from its own statements."""
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:1])
    with Journal.open(path, create=False) as journal:
        assert list_games(journal) == ()
