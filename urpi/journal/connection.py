"""A connection to a journal file: opening it, its transactions, and its write-ahead log.

Knows SQLite and the file, and nothing of games.

Every commit is synced to the disk, so a transaction that was committed outlives a power cut, and
one that was not leaves nothing behind.

A file at rest is one file. While a keeper uses it, commits go to a write-ahead log beside it,
which costs one sync instead of five. No connection copies the log into the file by itself: a
checkpoint is made by the keeper, and only while no other connection can write. SQLite before
3.51.3 can lose pages if another connection commits during a second checkpoint
(https://www.sqlite.org/wal.html#walresetbug).
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from urpi.core.errors import UrpiError
from urpi.journal.failures import journal_errors
from urpi.journal.schema import check_header, check_schema, check_types, migrate, transaction

BUSY_TIMEOUT_S: Final = 5.0
"""Default time to wait for another process that has locked the file."""

MAX_LOG_WRITES: Final = 250
"""Number of commits, one for each decision, after which the write-ahead log is copied into the
file."""

LAST_ID: Final = 2**63 - 1
"""SQLite's greatest integer."""

MIN_SQLITE: Final = (3, 37, 0)
"""The first version with strict database tables."""

_WAL: Final = "wal"
"""SQLite's name for the mode with a write-ahead log."""


class Connection:
    """An open journal file. Belongs to the thread that opened it."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        """Use an SQLite connection as it is; see `open` and `read_only`."""
        self.path = path
        self.db = db
        self.failed_writes = 0
        """Number of writes that failed. What was read within one of them may be invalid."""
        # To notice later that the path leads to another file (`is_at_its_path`).
        self._opened_file = path.stat()
        self._uses_log = False
        self._log_writes = 0
        """Number of commits since the last checkpoint."""

    @classmethod
    def open(cls, path: Path, *, create: bool = True, busy_s: float = BUSY_TIMEOUT_S) -> Self:
        """Open a file for reading and writing, and migrate it to the newest version.

        Args:
            path: The file.
            create: Whether to create the file and its folder if they do not exist. By default they
                are, so that the first game needs no preparation.
            busy_s: Time to wait if another process has locked the file, in seconds. Defaults to
                `BUSY_TIMEOUT_S`.

        Raises:
            DiskError: If the disk is full, read-only or fails.
            DamagedError: If the file is damaged.
            UrpiError: If it cannot be opened for another reason, or is not a journal.
        """
        with journal_errors(path):
            _check_sqlite()
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            elif not path.exists():
                message = (
                    "there is no such file; choose another with --journal, or play a game first"
                )
                raise UrpiError(message)
            # Without isolation level the module begins no transactions of its own.
            return cls._prepared(path, sqlite3.connect(path, timeout=busy_s, isolation_level=None))

    @classmethod
    def read_only(cls, path: Path, *, busy_s: float = BUSY_TIMEOUT_S) -> Self:
        """Open an existing file of the newest version, for reading only.

        Raises:
            DiskError: If the disk fails, or another process has locked the file for too long.
            DamagedError: If the file is damaged.
            UrpiError: If it cannot be opened for another reason, or is not a journal.
        """
        with journal_errors(path):
            _check_sqlite()
            # `as_uri` escapes characters such as ? and #, which would end the path in a URI.
            address = f"{path.absolute().as_uri()}?mode=ro"
            db = sqlite3.connect(address, timeout=busy_s, isolation_level=None, uri=True)
            return cls._prepared(path, db)

    @classmethod
    def _prepared(cls, path: Path, db: sqlite3.Connection) -> Self:
        try:
            _prepare(db)
            return cls(path, db)
        except BaseException:
            db.close()
            raise

    def rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        """The rows of a query.

        A column of the result that has the name of a stored one must be of its type: SQLite checks
        types when it writes, and not when it reads what has changed on the disk.

        Raises:
            DamagedError: If a value is not of the type of its column.
            UrpiError: If the file cannot be read.
        """
        with journal_errors(self.path):
            cursor = self.db.execute(query, values)
            rows = cursor.fetchall()
            check_types([name for name, *_ in cursor.description or ()], rows)
            return rows

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Commit everything executed inside, or none of it. May be nested: the outermost commits.

        Raises:
            UrpiError: If the disk fails.
        """
        outermost = not self.db.in_transaction
        try:
            with journal_errors(self.path), transaction(self.db):
                yield
            # A nested transaction is part of the outermost one's commit.
            self._log_writes += outermost
        except BaseException:
            # Also after an interrupt: what was read inside is no longer true once it is rolled
            # back.
            self.failed_writes += 1
            raise

    def use_log(self) -> None:
        """Commit to a write-ahead log until `close`, if the file system allows it now.

        Otherwise the rollback journal stays in use, which is equally safe but slower. To be
        called by the keeper only, which must then call `checkpoint` regularly.
        """
        with suppress(sqlite3.OperationalError):
            ((mode,),) = self.db.execute("PRAGMA journal_mode = WAL").fetchall()
            # SQLite reports the mode that it could set, such as on a network file system the old
            # one.
            self._uses_log = mode == _WAL
            # Allocates the log's shared memory now: a disk that fills up later has no room for
            # it, and without it nothing can be read.
            self.db.execute("SELECT 1 FROM games LIMIT 1").fetchall()

    def checkpoint(self, *, max_writes: int = MAX_LOG_WRITES) -> None:
        """Copy the write-ahead log into the file if it is long, so that it can be overwritten.

        Args:
            max_writes: Number of commits since the last checkpoint that may stay in the log.
                Defaults to `MAX_LOG_WRITES`; 0 copies it now.

        Raises:
            DiskError: If the disk is full or fails. Nothing is lost: the log stays in use.
        """
        if not self._uses_log or self._log_writes <= max_writes:
            return
        # Reset first: after a failure, the next attempt is as far away as after a success.
        self._log_writes = 0
        # The transaction keeps every other connection from writing (see the walresetbug above).
        # A connection cannot make a checkpoint inside its own transaction, so a second one does.
        with (
            journal_errors(self.path),
            transaction(self.db),
            closing(sqlite3.connect(self.path)) as copier,
        ):
            # A setting of the connection, not of the file: the copier has its own.
            copier.execute("PRAGMA synchronous = FULL")
            copier.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    @property
    def is_at_its_path(self) -> bool:
        """Whether the path still leads to the file that was opened, not to another card's."""
        with suppress(OSError):
            return os.path.samestat(self._opened_file, self.path.stat())
        return False

    def close(self, *, keep_log: bool = False) -> None:
        """Close the file. A log that was used is merged into it if no other process has it open.

        Args:
            keep_log: Leave the log as it is, for another connection of this process. By default it
                is merged, so that a copy of the file alone is complete.
        """
        if self._uses_log and not keep_log:
            # Another process may have the file open; the log then stays, and is complete.
            with suppress(sqlite3.Error, UnicodeDecodeError):
                self.db.execute("PRAGMA journal_mode = DELETE")
        self.db.close()


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        needed = ".".join(map(str, MIN_SQLITE))
        message = f"SQLite {needed} is required, but this Python has {sqlite3.sqlite_version}"
        raise UrpiError(message)


def _prepare(db: sqlite3.Connection) -> None:
    # SQLite has it off by default, for each connection.
    db.execute("PRAGMA foreign_keys = ON")
    check_header(db)
    migrate(db)
    check_schema(db)
    # Only now: setting the mode writes to the file, which could be another program's until it
    # has been checked. A file in WAL mode is left so, because a keeper may have it open.
    ((mode,),) = db.execute("PRAGMA journal_mode").fetchall()
    if mode != _WAL:
        db.execute("PRAGMA journal_mode = TRUNCATE")
    # Checkpoints are made by the keeper alone, see above.
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("PRAGMA synchronous = FULL")
    # A full disk must not make reading fail.
    db.execute("PRAGMA temp_store = MEMORY")
