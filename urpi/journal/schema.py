"""The journal's tables and how an older file becomes today's: numbered migrations.

A file's number is SQLite's ``user_version``. Migrations are only ever added.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Final, TypeAlias

from urpi.errors import UrpiError
from urpi.journal.packing import WORDS, pack

APPLICATION_ID: Final = int.from_bytes(b"urpi", "big")
"""What tells a journal from any other SQLite file."""

MILESTONES: Final = ("roll", "won", "drawn", "abandoned")
"""The types of the decisions that a list of games looks at."""

Migration: TypeAlias = Callable[[sqlite3.Connection], None]
"""Makes version n of version n - 1. It neither begins nor ends a transaction."""

_APPEND_ONLY: Final = """
CREATE TRIGGER {table}_not_{event} BEFORE {event} ON {table}
BEGIN SELECT RAISE(ABORT, 'the journal is appended to, never changed'); END
"""


def append_only(*tables: str) -> tuple[str, ...]:
    """The statements after which nothing in those tables can be changed or taken away."""
    return tuple(
        _APPEND_ONLY.format(table=table, event=event)
        for table in tables
        for event in ("UPDATE", "DELETE")
    )


def statements(*texts: str) -> Migration:
    """A migration that is no more than those statements."""

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

# Without a rowid a game's batches lie together, and need no index.
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
    """From a row a line to a row a batch: a fifth of the bytes."""
    statements(*_BATCHES)(db)
    db.execute("INSERT INTO packing VALUES (?)", (WORDS,))
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
    """The rows of `batches`: seqs without a gap, and facts before decisions."""
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
        yield game, seq, facts, pack(lines, WORDS)


# Choices may be changed: nothing here is append-only.
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

MIGRATIONS: Final[Sequence[Migration]] = (_FIRST, _pack_entries, _PREFERENCES)
"""What makes version n of version n - 1, at place n - 1."""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is executed inside is stored, or nothing of it; inside another, with that."""
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
    """Bring a file to the newest version; each migration is stored whole or not at all.

    Args:
        db: a connection that commits by itself (``isolation_level`` None).
        migrations: all there are, the first makes version 1.

    Raises:
        UrpiError: when the file is another program's, or a newer version's.
        sqlite3.Error: when a migration fails; the file is as it was before that one.
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
    for number in range(version + 1, len(migrations) + 1):
        with transaction(db):
            # Another process may have been first while this one waited for the lock.
            if _version(db) < number:
                migrations[number - 1](db)
                db.execute(f"PRAGMA user_version = {number}")


def _version(db: sqlite3.Connection) -> int:
    return _value(db, "user_version")


def _value(db: sqlite3.Connection, pragma: str) -> int:
    (value,) = db.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
