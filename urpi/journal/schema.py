"""The journal's tables and how an older file becomes today's: numbered migrations.

A file's number is SQLite's ``user_version``. Migrations are only ever added.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from urpi.errors import UrpiError

APPLICATION_ID: Final = int.from_bytes(b"urpi", "big")
"""What tells a journal from any other SQLite file."""

IS_MILESTONE: Final = "kind = 'decision' AND type IN ('roll', 'won', 'drawn', 'abandoned')"
"""What a query must say word for word to be answered from the index of milestones."""

_APPEND_ONLY: Final = """
CREATE TRIGGER {table}_not_{event} BEFORE {event} ON {table}
BEGIN SELECT RAISE(ABORT, 'the journal is appended to, never changed'); END
"""

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
    # Few entries are throws or ends; a list of games reads this index alone.
    f"CREATE INDEX milestones ON entries (game, type, seq, side, kind) WHERE {IS_MILESTONE}",
    """
    CREATE TABLE finished (
        game INTEGER PRIMARY KEY REFERENCES games (id),
        at TEXT NOT NULL        -- as games.started
    ) STRICT
    """,
    *(
        _APPEND_ONLY.format(table=table, event=event)
        for table in ("games", "settings", "entries", "finished")
        for event in ("UPDATE", "DELETE")
    ),
)

MIGRATIONS: Final[Sequence[Sequence[str]]] = (_FIRST,)
"""The statements that make version n of version n - 1, at place n - 1."""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is executed inside is stored, or nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def migrate(db: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
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
                _apply(db, migrations[number - 1], number)


def _apply(db: sqlite3.Connection, statements: Sequence[str], number: int) -> None:
    for statement in statements:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {number}")


def _version(db: sqlite3.Connection) -> int:
    return _value(db, "user_version")


def _value(db: sqlite3.Connection, pragma: str) -> int:
    (value,) = db.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
