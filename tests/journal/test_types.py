"""A value of a journal that changes to any other is reported, and never ends a program.

SQLite checks the types of columns when it writes, and not when it reads a changed file.
"""

import io
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, redirect_stdout, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.journal.games import store_game
from tests.service_desk import Desk
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.journal import DamagedError, Journal, Preferences, store_preferences
from urpi.link.broker.published_games import PublishedGames
from urpi.service.stored_events import stored_events

STARTED = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
CONFIGURED = Preferences("en", "off", "finkel")
TABLES = ("games", "settings", "batches", "milestones", "finished", "preferences", "packing")
TYPES = (" STRICT", "INTEGER NOT NULL", "TEXT NOT NULL", "BLOB NOT NULL", "    side TEXT")
"""What keeps values of another type out of a table; `id INTEGER PRIMARY KEY` remains."""
COMMANDS = (
    ("list",),
    ("list", "--json"),
    ("show", "1"),
    ("show", "2"),
    ("export",),
    ("stats",),
    # More processes would import the program for every example.
    ("check", "--jobs", "1"),
    ("replay", "1"),
    ("dispute", "1"),
)
VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-2, 3),
    st.floats(),
    st.binary(max_size=40),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.sampled_from(("won", "fact", "5", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00")),
    st.sampled_from(("2026-11-21", "2026-11-21T19:02:11", "finkel[", "{}", '{"a":"b"}', "\ufeff")),
)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal with a game that has ended, one that has not, and preferences."""
    path = tmp_path_factory.mktemp("types") / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", 1, 6, {"table": "board", "shared": "g1"})
        journal.finish(1, STARTED.isoformat())
        store_game(journal, "bell", 2, 6, {"table": "board"})
        chosen = replace(CONFIGURED, language="fr", light="Zoë")
        store_preferences(journal, "board", CONFIGURED, chosen)
    return path


def replace_value(
    path: Path, table: str, column: str, row: Sequence[object], value: object
) -> None:
    """Replace a value of a row by another one of any type, as changed bytes can."""
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
        definitions = dict(found)
        _define(db, {name: _without_types(text) for name, text in found})
        db.execute("PRAGMA writable_schema = RESET")
        guard = f"{table}_not_UPDATE"
        db.execute(f"DROP TRIGGER IF EXISTS {guard}")
        keys = " AND ".join(f'"{name}" IS ?' for name in columns_of(db, table))
        # The number of a game, if it is no whole number, has no place in the file.
        with suppress(sqlite3.IntegrityError):
            db.execute(f'UPDATE {table} SET "{column}" = ? WHERE {keys}', (value, *row))
        if guard in definitions:
            db.execute(definitions[guard])
        _define(db, definitions)


def columns_of(db: sqlite3.Connection, table: str) -> list[str]:
    return [name for name, *_ in db.execute(f"SELECT * FROM {table}").description]


def _without_types(text: str) -> str:
    for one in TYPES:
        text = text.replace(one, "    side" if "side" in one else " BLOB" if "NOT" in one else "")
    return text.replace(", WITHOUT ROWID", " WITHOUT ROWID")


def _define(db: sqlite3.Connection, definitions: Mapping[str, str]) -> None:
    db.execute("PRAGMA writable_schema = ON")
    query = "UPDATE sqlite_schema SET sql = ?2 WHERE name = ?1 AND type = 'table'"
    db.executemany(query, definitions.items())
    db.commit()


@pytest.mark.slow
@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_value_ends_a_program_other_than_by_a_report(
    stored: Path, tmp_path: Path, data: st.DataObject
) -> None:
    for left in tmp_path.iterdir():
        left.unlink()
    path = tmp_path / "journal.db"
    path.write_bytes(stored.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        table = data.draw(st.sampled_from(TABLES), "table")
        column = data.draw(st.sampled_from(columns_of(db, table)), "column")
        row = data.draw(st.sampled_from(db.execute(f"SELECT * FROM {table}").fetchall()), "row")
    replace_value(path, table, column, row, data.draw(VALUES, "value"))
    before = path.read_bytes()

    for command in COMMANDS:
        assert report_of(path, command).count("\n") == 0
        assert path.read_bytes() == before, command
    _read_as_a_club_connection(path)
    _start_the_service(path)


def report_of(path: Path, command: Sequence[str]) -> str:
    """Return the error of a command, or its exit status, as after a comparison that failed."""
    try:
        with redirect_stdout(io.StringIO()):
            cli.main(("games", "--journal", str(path), *command), standalone_mode=False)
    except UrpiError as error:
        return str(error)
    except SystemExit as ended:
        return str(ended.code)
    return ""


def _read_as_a_club_connection(path: Path) -> None:
    games = PublishedGames(path, "board")
    try:
        with games.opened():
            for game in games.games():
                list(games.lines(game.head.number, 0))
            games.agreed()
        with Journal.read_only(path) as journal:
            stored_events(journal, "g1", "t2")
    except UrpiError:
        pass


def _start_the_service(path: Path) -> None:
    desk = Desk.at(path)
    try:
        desk.service.last_game()
        if desk.service.resume() is None:
            desk.begin()
        desk.throw("g---")
    finally:
        desk.service.close()
    # Whatever was found: afterwards there is a journal that is in order.
    with Journal.open(path) as journal:
        assert journal.latest_game()


@pytest.mark.parametrize("seq", [0, -1, -(2**63)])
def test_a_batch_before_the_first_one_is_damage(stored: Path, tmp_path: Path, seq: int) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(stored.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        row = db.execute("SELECT * FROM batches ORDER BY seq").fetchone()
    replace_value(path, "batches", "seq", row, seq)
    with Journal.read_only(path) as journal, pytest.raises(DamagedError, match="entry"):
        list(journal.entries(1))


@pytest.mark.parametrize("at", ["0001-01-10", "2999-11-21T19:02:11"])
def test_an_end_without_an_offset_from_utc_is_damage(stored: Path, tmp_path: Path, at: str) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(stored.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        row = db.execute("SELECT * FROM finished").fetchone()
    replace_value(path, "finished", "at", row, at)
    for command in (("list",), ("show", "1")):
        assert "has no offset from UTC" in report_of(path, command)
    _start_the_service(path)


@pytest.mark.parametrize("words", [None, 5, 0.5, "text"])
def test_a_dictionary_of_another_type_is_damage(
    stored: Path, tmp_path: Path, words: object
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(stored.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        (row,) = db.execute("SELECT * FROM packing").fetchall()
    replace_value(path, "packing", "words", row, words)

    with pytest.raises(DamagedError, match="a value of words is of the type"):
        Journal.open(path)
