"""The journal's database tables, as the numbered migrations that create and upgrade them.

A released migration is never changed. A definition of the newest version keeps even its comments:
SQLite stores its text in the file, and `urpi.journal.schema.check_schema` compares it.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias
from zlib import crc32

from urpi.journal.checksums import (
    batch_checksum,
    end_checksum,
    game_checksum,
    preference_checksum,
)
from urpi.journal.failures import CorruptError
from urpi.journal.packing import DICTIONARY, unpack

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
    """Statements after which no row of those database tables can be changed or deleted."""
    return tuple(
        _APPEND_ONLY.format(table=table, event=event) for table in tables for event in _EVENTS
    )


@contextmanager
def changeable(db: sqlite3.Connection, *tables: str) -> Iterator[None]:
    """Allow changes of append-only database tables, in a transaction, which hides them."""
    for table in tables:
        for event in _EVENTS:
            db.execute(f"DROP TRIGGER {table}_not_{event}")
    yield
    for text in append_only(*tables):
        db.execute(text)


def statements(*texts: str) -> Migration:
    """A migration that executes those statements."""

    def apply(db: sqlite3.Connection) -> None:
        for text in texts:
            db.execute(text)

    return apply


_FIRST: Final = (
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
    # Without a rowid, a game's batches are stored next to each other and need no index.
    """
    CREATE TABLE packing (
        words BLOB NOT NULL     -- the preset dictionary of batches.lines
    ) STRICT
    """,
    """
    CREATE TABLE batches (
        game INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,   -- of its last line; lines count through all games from 1
        facts INTEGER NOT NULL, -- number of lines that are facts; decisions follow them
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
    """
    CREATE TABLE finished (
        game INTEGER PRIMARY KEY REFERENCES games (id),
        at TEXT NOT NULL        -- as games.started
    ) STRICT
    """,
    # Not append-only: players change their preferences.
    """
    CREATE TABLE preferences (
        "table" TEXT NOT NULL,      -- as the setting of that name of games
        name TEXT NOT NULL,
        value TEXT NOT NULL,        -- what the players chose
        "instead" TEXT NOT NULL,    -- the configured value at that time
        PRIMARY KEY ("table", name)
    ) STRICT, WITHOUT ROWID
    """,
    *append_only("games", "settings", "packing", "batches", "milestones", "finished"),
)


def _create(db: sqlite3.Connection) -> None:
    statements(*_FIRST)(db)
    db.execute("INSERT INTO packing VALUES (?)", (DICTIONARY,))


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


_CORRECTIONS: Final = """
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY,     -- in the order in which they were made
    game INTEGER NOT NULL,      -- a deleted game is in no other table
    at TEXT NOT NULL,           -- as games.started
    kind TEXT NOT NULL,         -- light, dark, note, void, valid or deleted
    value TEXT NOT NULL,        -- the new name, or the note
    reason TEXT NOT NULL,
    seq INTEGER NOT NULL,       -- the newest of all games then
    checksum INTEGER NOT NULL   -- CRC-32 of the others
) STRICT
"""


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


_ANSWERS: Final = """
    CREATE TABLE answers (
        number INTEGER PRIMARY KEY, -- in the order in which they were given
        game INTEGER NOT NULL REFERENCES games (id),
        throw INTEGER NOT NULL,     -- of the game's review, from 1
        at TEXT NOT NULL,           -- as games.started
        move TEXT NOT NULL,         -- what was answered
        good INTEGER NOT NULL,      -- 1 if it gave away too little for a mark, else 0
        checksum INTEGER NOT NULL   -- CRC-32 of the others
    ) STRICT
    """
"""Without an index, which a damaged schema could not be restored with."""


FIRST_VERSION: Final = 3
"""The version of urpi 0.1.0, the first release, which the first migration creates."""
MIGRATIONS: Final[Sequence[Migration]] = (
    _create,
    _add_checksums,
    statements(_ANSWERS, *append_only("answers")),
    statements(_CORRECTIONS, *append_only("corrections")),
)
"""The migration to version n is at index n - `FIRST_VERSION`."""


def newest_version(migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """The version of a file after all of some migrations."""
    return FIRST_VERSION + len(migrations) - 1
