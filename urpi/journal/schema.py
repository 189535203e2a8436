"""Upgrading a journal's file, and checking that its database tables are the newest ones.

A file's version is SQLite's ``user_version``; `urpi.journal.migrations` defines the tables.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from types import NoneType
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal.failures import CorruptError
from urpi.journal.migrations import (
    APPLICATION_ID,
    FIRST_VERSION,
    MIGRATIONS,
    Migration,
    newest_version,
)

_TYPES: Final[dict[str, type]] = {"INTEGER": int, "TEXT": str, "BLOB": bytes}


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit everything executed inside, or none of it. Inside another one, that one commits."""
    nested = db.in_transaction
    if nested:
        yield
        return
    # IMMEDIATE takes the write lock now; a deferred transaction could fail at its first write.
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
        migrations: All migrations, the first one to `FIRST_VERSION`. Defaults to the program's own.

    Raises:
        UrpiError: If the file belongs to another program or to a newer version.
        sqlite3.Error: If a migration fails; the file is as it was before that one.
    """
    # A new file has neither; one with a schema and without our id was made by another program.
    if _value(db, "application_id") != APPLICATION_ID and _value(db, "schema_version"):
        message = "it is an SQLite file of another program; choose another path"
        raise UrpiError(message)
    version = _version(db)
    newest = newest_version(migrations)
    if version > newest:
        message = (
            f"its version is {version}, and this program supports versions up to {newest}; "
            "install a newer urpi"
        )
        raise UrpiError(message)
    if 0 < version < FIRST_VERSION:
        message = f"its version is {version}, which no release of urpi had; choose another path"
        raise UrpiError(message)
    if 0 < version < newest:
        _check_old(db)
    for number, migration in enumerate(migrations, FIRST_VERSION):
        if number <= version:
            continue
        with transaction(db):
            # Another process may have migrated it while this one waited for the lock.
            if _version(db) < number:
                migration(db)
                db.execute(f"PRAGMA user_version = {number}")


def check_header(db: sqlite3.Connection) -> None:
    """Check that a file with the current database tables has the header of a current journal.

    Without this, a file whose header has been damaged would pass for another program's, and be
    rejected instead of repaired.

    Raises:
        CorruptError: If it has not.
    """
    valid = _value(db, "application_id") == APPLICATION_ID and _version(db) >= newest_version()
    if not valid and _objects(db) >= _current_objects():
        message = "it has the database tables of a journal, but not the header"
        raise CorruptError(message)


def check_schema(db: sqlite3.Connection) -> None:
    """Check that a file has the current database tables and triggers, with the same definitions.

    It may have others.

    Raises:
        CorruptError: If it has not.
    """
    if missing := _current_objects() - _objects(db):
        names = ", ".join(sorted(name for _, name, _ in missing))
        message = f"the definition of {names} is damaged"
        raise CorruptError(message)


def check_types(names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Check that values are of the types of the stored columns with those names, if there are any.

    Raises:
        CorruptError: If one is not.
    """
    types = _column_types()
    columns = [(place, name, types[name]) for place, name in enumerate(names) if name in types]
    for row in rows:
        for place, name, allowed in columns:
            if not isinstance(row[place], allowed):
                message = f"a value of {name} is of the type {type(row[place]).__name__}"
                raise CorruptError(message)


@cache
def _column_types() -> dict[str, tuple[type, ...]]:
    """Types that SQLite may return for each column; a name has one in all database tables."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate(db)
        rows = db.execute(
            'SELECT column.name, column.type, column."notnull" OR column.pk FROM sqlite_schema'
            " AS one, pragma_table_info(one.name) AS column WHERE one.type = 'table'"
        )
        return {
            name: (_TYPES[kind],) if is_required else (_TYPES[kind], NoneType)
            for name, kind, is_required in rows
        }


def restore_tables(db: sqlite3.Connection) -> None:
    """Replace the database tables' definitions by the current ones, where they can be identified.

    To be called for a copy of a damaged file, for reading only: triggers and other objects are
    removed. A file of another version is left as it is.
    """
    if _version(db) != newest_version():
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
