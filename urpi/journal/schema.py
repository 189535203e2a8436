"""The journal's tables, and the numbered migrations that upgrade an older file.

A file's version is SQLite's ``user_version``. A migration that was released is never changed,
comments included: SQLite keeps the text of a definition in the file, and `check_schema` compares
it.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import groupby
from typing import Final, TypeAlias
from zlib import crc32

from urpi.errors import UrpiError
from urpi.journal.checksums import (
    batch_checksum,
    end_checksum,
    game_checksum,
    preference_checksum,
)
from urpi.journal.failures import CorruptError
from urpi.journal.packing import DICTIONARY, pack, unpack

APPLICATION_ID: Final = int.from_bytes(b"urpi", "big")
"""SQLite's ``application_id`` of a journal, by which other SQLite files are recognised."""

MILESTONES: Final = ("roll", "won", "drawn", "abandoned")
"""The types of the decisions that a list of games needs."""

Migration: TypeAlias = Callable[[sqlite3.Connection], None]
"""Upgrades a file from version n - 1 to n. Runs in a transaction of the caller."""

_EVENTS: Final = ("UPDATE", "DELETE")
_APPEND_ONLY: Final = """
CREATE TRIGGER {table}_not_{event} BEFORE {event} ON {table}
BEGIN SELECT RAISE(ABORT, 'the journal is appended to, never changed'); END
"""


def append_only(*tables: str) -> tuple[str, ...]:
    """Return the statements after which no row of those tables can be changed or deleted."""
    return tuple(
        _APPEND_ONLY.format(table=table, event=event) for table in tables for event in _EVENTS
    )


@contextmanager
def changeable(db: sqlite3.Connection, *tables: str) -> Iterator[None]:
    """Allow changes of append-only tables. To be used in a transaction, which hides them."""
    for table in tables:
        for event in _EVENTS:
            db.execute(f"DROP TRIGGER {table}_not_{event}")
    yield
    for text in append_only(*tables):
        db.execute(text)


def statements(*texts: str) -> Migration:
    """Return a migration that executes those statements."""

    def apply(db: sqlite3.Connection) -> None:
        for text in texts:
            db.execute(text)

    return apply


_FIRST: Final = statements(
    f"PRAGMA application_id = {APPLICATION_ID}",
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        started TEXT NOT NULL,  -- ISO 8601 with the offset from UTC
        program TEXT NOT NULL,  -- the version that refereed
        rules TEXT NOT NULL,    -- the RULES word, with the options
        light TEXT NOT NULL,
        dark TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE settings (
        game INTEGER NOT NULL REFERENCES games (id),
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (game, name)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        game INTEGER NOT NULL REFERENCES games (id),
        kind TEXT NOT NULL CHECK (kind IN ('fact', 'decision')),
        type TEXT NOT NULL,
        side TEXT,              -- whose it is, where the line says so
        line TEXT NOT NULL      -- the JSON text as it was given
    ) STRICT
    """,
    "CREATE INDEX entries_by_game ON entries (game, seq)",
    """
    CREATE INDEX milestones ON entries (game, type, seq, side, kind)
    WHERE kind = 'decision' AND type IN ('roll', 'won', 'drawn', 'abandoned')
    """,
    """
    CREATE TABLE finished (
        game INTEGER PRIMARY KEY REFERENCES games (id),
        at TEXT NOT NULL        -- as games.started
    ) STRICT
    """,
    *append_only("games", "settings", "entries", "finished"),
)

# Without a rowid, a game's batches are stored next to each other and need no index.
_BATCHES: Final = (
    "DROP INDEX milestones",
    """
    CREATE TABLE packing (
        words BLOB NOT NULL     -- the preset dictionary of batches.lines
    ) STRICT
    """,
    """
    CREATE TABLE batches (
        game INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,   -- of its last line; lines count through all games from 1
        facts INTEGER NOT NULL, -- so many lines are facts, those behind them decisions
        lines BLOB NOT NULL,    -- JSON texts, packed
        PRIMARY KEY (game, seq)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE milestones (
        game INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,   -- the decision's
        type TEXT NOT NULL,
        side TEXT,
        PRIMARY KEY (game, seq)
    ) STRICT, WITHOUT ROWID
    """,
)


def _pack_entries(db: sqlite3.Connection) -> None:
    """Replace a row for each line by a row for each batch: a fifth of the bytes."""
    statements(*_BATCHES)(db)
    db.execute("INSERT INTO packing VALUES (?)", (DICTIONARY,))
    rows = db.execute("SELECT game, seq, kind, line FROM entries ORDER BY game, seq")
    db.executemany("INSERT INTO batches VALUES (?, ?, ?, ?)", _batches_of(rows))
    db.execute(
        "INSERT INTO milestones SELECT game, seq, type, side FROM entries"
        " WHERE kind = 'decision' AND type IN ('roll', 'won', 'drawn', 'abandoned')"
    )
    db.execute("DROP TABLE entries")
    statements(*append_only("packing", "batches", "milestones"))(db)


def _batches_of(
    rows: Iterable[tuple[int, int, str, str]],
) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield the rows of `batches`, each of seqs without a gap and with facts before decisions."""
    number = 0
    before: tuple[int, int, str] = (0, 0, "")

    def run_of(row: tuple[int, int, str, str]) -> int:
        nonlocal number, before
        game, seq, kind, _ = row
        follows = before[:2] == (game, seq - 1) and (before[2], kind) != ("decision", "fact")
        number += not follows
        before = game, seq, kind
        return number

    for _, run in groupby(rows, run_of):
        batch = list(run)
        game, seq, _, _ = batch[-1]
        facts = sum(kind == "fact" for _, _, kind, _ in batch)
        lines = (line.replace("\n", " ") for *_, line in batch)
        yield game, seq, facts, pack(lines, DICTIONARY)


# Not append-only: players change their preferences.
_PREFERENCES: Final = statements(
    """
    CREATE TABLE preferences (
        "table" TEXT NOT NULL,      -- as the setting of that name of games
        name TEXT NOT NULL,
        value TEXT NOT NULL,        -- what the players chose
        "instead" TEXT NOT NULL,    -- of what the configuration said then
        PRIMARY KEY ("table", name)
    ) STRICT, WITHOUT ROWID
    """
)

_WITH_CHECKSUMS: Final = (
    """
    CREATE TABLE packing (
        words BLOB NOT NULL,        -- the preset dictionary of batches.lines
        checksum INTEGER NOT NULL   -- CRC-32 of it
    ) STRICT
    """,
    """
    CREATE TABLE batches (
        game INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,       -- of its last line; lines count through all games from 1
        facts INTEGER NOT NULL,     -- number of lines that are facts; decisions follow them
        lines BLOB NOT NULL,        -- JSON texts, packed
        checksum INTEGER NOT NULL,  -- CRC-32, continued from the batch before
        PRIMARY KEY (game, seq)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE finished (
        game INTEGER PRIMARY KEY REFERENCES games (id),
        at TEXT NOT NULL,           -- as games.started
        checksum INTEGER NOT NULL   -- CRC-32 of both and of the game's last seq
    ) STRICT
    """,
    """
    CREATE TABLE preferences (
        "table" TEXT NOT NULL,      -- as the setting of that name of games
        name TEXT NOT NULL,
        value TEXT NOT NULL,        -- what the players chose
        "instead" TEXT NOT NULL,    -- of what the configuration said then
        checksum INTEGER NOT NULL,  -- CRC-32 of the others
        PRIMARY KEY ("table", name)
    ) STRICT, WITHOUT ROWID
    """,
)


def _add_checksums(db: sqlite3.Connection) -> None:
    """Add a checksum to the dictionary and to every batch, end and preference."""
    tables = ("packing", "batches", "finished", "preferences")
    statements(*(f"ALTER TABLE {table} RENAME TO old_{table}" for table in tables))(db)
    statements(*_WITH_CHECKSUMS)(db)
    ((words,),) = db.execute("SELECT words FROM old_packing").fetchall()
    db.execute("INSERT INTO packing VALUES (?, ?)", (words, crc32(words)))
    for row in db.execute("SELECT id, started, program, rules, light, dark FROM games").fetchall():
        settings = db.execute("SELECT name, value FROM settings WHERE game = ?", row[:1])
        first = game_checksum(row, settings)
        batches = db.execute(
            "SELECT game, seq, facts, lines FROM old_batches WHERE game = ? ORDER BY seq", row[:1]
        )
        db.executemany(
            "INSERT INTO batches VALUES (?, ?, ?, ?, ?)", _with_checksums(first, batches, words)
        )
    ends = db.execute(
        "SELECT game, at, (SELECT max(seq) FROM batches WHERE batches.game = old_finished.game)"
        " FROM old_finished"
    )
    db.executemany(
        "INSERT INTO finished VALUES (?, ?, ?)",
        ((game, at, end_checksum(game, at, seq)) for game, at, seq in ends),
    )
    preferences = db.execute("SELECT * FROM old_preferences")
    db.executemany(
        "INSERT INTO preferences VALUES (?, ?, ?, ?, ?)",
        ((*row, preference_checksum(*row)) for row in preferences),
    )
    statements(*(f"DROP TABLE old_{table}" for table in tables))(db)
    statements(*append_only("packing", "batches", "finished"))(db)


def _with_checksums(
    before: int, batches: Iterable[tuple[int, int, int, bytes]], words: bytes
) -> Iterator[tuple[int, int, int, bytes, int]]:
    for game, seq, facts, packed in batches:
        try:
            lines = unpack(packed, words)
        except ValueError as error:
            message = f"the lines of game {game} up to entry {seq} cannot be unpacked"
            raise CorruptError(message) from error
        before = batch_checksum(before, seq, facts, lines)
        yield game, seq, facts, packed, before


MIGRATIONS: Final[Sequence[Migration]] = (_FIRST, _pack_entries, _PREFERENCES, _add_checksums)
"""The migration to version n is at index n - 1."""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit everything executed inside, or none of it. Inside another one, that one commits."""
    nested = db.in_transaction
    if nested:
        yield
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def migrate(db: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Upgrade a file to the newest version; each migration is one transaction.

    Args:
        db: A connection that commits by itself (``isolation_level`` None).
        migrations: All migrations, the first one to version 1.

    Raises:
        UrpiError: If the file belongs to another program or to a newer version.
        sqlite3.Error: If a migration fails; the file is as it was before that one.
    """
    if _value(db, "application_id") != APPLICATION_ID and _value(db, "schema_version"):
        message = "it is an SQLite file of another program; choose another path"
        raise UrpiError(message)
    version = _version(db)
    if version > len(migrations):
        message = (
            f"it is of version {version}, this program knows versions up to {len(migrations)}; "
            "install a newer urpi"
        )
        raise UrpiError(message)
    if 0 < version < len(migrations):
        _check_old(db)
    for number in range(version + 1, len(migrations) + 1):
        with transaction(db):
            # Another process may have migrated it while this one waited for the lock.
            if _version(db) < number:
                migrations[number - 1](db)
                db.execute(f"PRAGMA user_version = {number}")


def check_header(db: sqlite3.Connection) -> None:
    """Check that a file with the current tables has the header of a current journal.

    Without this, a file whose header has been damaged would pass for another program's, and be
    rejected instead of repaired.

    Raises:
        CorruptError: If it has not.
    """
    valid = _value(db, "application_id") == APPLICATION_ID and _version(db) >= len(MIGRATIONS)
    if not valid and _objects(db) >= _current_objects():
        message = "it has the tables of a journal, but not the header"
        raise CorruptError(message)


def check_schema(db: sqlite3.Connection) -> None:
    """Check that a file has the current tables and triggers, with the very same definitions.

    It may have others.

    Raises:
        CorruptError: If it has not.
    """
    if missing := _current_objects() - _objects(db):
        names = ", ".join(sorted(name for _, name, _ in missing))
        message = f"{names} is not defined as it was"
        raise CorruptError(message)


def restore_tables(db: sqlite3.Connection) -> None:
    """Replace the tables' definitions by the current ones, where they can still be identified.

    To be called for a copy of a damaged file, for reading only: triggers and other objects are
    removed. A file of another version is left as it is.
    """
    if _version(db) != len(MIGRATIONS):
        return
    # With a definition that cannot be parsed, SQLite rejects every statement; in this mode only
    # the first one, and then it gives access to the table of definitions.
    db.execute("PRAGMA writable_schema = ON")
    with suppress(sqlite3.Error):
        db.execute("SELECT 1 FROM sqlite_schema")
    tables = [(name, sql) for kind, name, sql in _current_objects() if kind == "table"]
    db.executemany(
        "UPDATE sqlite_schema SET type = 'table', name = ?1, tbl_name = ?1, sql = ?2"
        " WHERE type != 'trigger' AND rootpage > 0 AND (name = ?1 OR tbl_name = ?1)",
        tables,
    )
    names = ", ".join(f"'{name}'" for name, _ in tables)
    # A damaged column may be NULL, and then the comparison is too.
    is_table = f"coalesce(type = 'table' AND name IN ({names}), 0)"
    db.execute(f"DELETE FROM sqlite_schema WHERE NOT {is_table}")  # noqa: S608
    db.execute("PRAGMA writable_schema = RESET")


@cache
def _current_objects() -> frozenset[tuple[str, str, str]]:
    """Return type, name and definition of every table and trigger of an empty journal."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate(db)
        return _objects(db)


def _objects(db: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    rows = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return frozenset(rows.fetchall())


def _check_old(db: sqlite3.Connection) -> None:
    """Check every page of a file before its migration: damaged rows must not get a checksum."""
    ((found,),) = db.execute("PRAGMA integrity_check(1)")
    if found != "ok":
        message = str(found).splitlines()[-1]
        raise CorruptError(message)


def _version(db: sqlite3.Connection) -> int:
    return _value(db, "user_version")


def _value(db: sqlite3.Connection, pragma: str) -> int:
    (value,) = db.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
