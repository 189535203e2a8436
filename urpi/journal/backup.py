"""Backup and restore: copies of a whole journal, which may be in use.

A copy gets its name only when it is complete, has been checked, and is on the disk.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from urpi.core.atomic_file import own_draft
from urpi.core.errors import UrpiError
from urpi.journal.failures import FULL, DiskError, JournalError, journal_errors
from urpi.journal.files import create_like, remove, set_aside, sync_folder
from urpi.journal.integrity import check_contents, check_pages
from urpi.journal.journal import Journal
from urpi.journal.migrations import APPLICATION_ID

PAGES: Final = 1024
"""Default number of pages that are copied before a writer gets its turn: 4 MB."""
PAUSE_S: Final = 0.02
"""Length of that turn."""
BUSY_S: Final = 60.0
"""Time to wait for a writer that has locked the file."""
MAX_RESTARTS: Final = 5
"""SQLite starts over when another process has written. After this number of restarts, everything
is copied at once, which lets no writer in."""


def back_up(path: Path, into: Path, *, replace: bool = False, pages: int = PAGES) -> int:
    """Copy a journal, which may be in use; return the copy's size in bytes.

    Args:
        path: The journal.
        into: The copy.
        replace: Whether the copy may replace a file. By default it may not: it could be the only
            good backup.
        pages: Number of pages that are copied before a writer gets its turn.

    Raises:
        UrpiError: If the copy would replace a file and may not, the journal cannot be read or is
            damaged, or the copy cannot be written. No partial file is left.
    """
    if os.path.exists(into) and not replace:
        message = f"The file {into} already exists; choose another, or add --replace."
        raise UrpiError(message)
    if _is_same(path, into):
        message = f"The file {into} is the journal itself; choose another."
        raise UrpiError(message)
    with _whole_copy(path, into, path, pages) as copy:
        copy.replace(into)
        sync_folder(into.parent)
    return into.stat().st_size


def restore_backup(
    backup: Path, path: Path, now: datetime, *, replace: bool = False
) -> Path | None:
    """Replace the journal by a copy of a backup.

    Args:
        backup: The backup, which stays where it is.
        path: The journal's path.
        now: The local time, which becomes part of the old journal's new name.
        replace: Whether a journal may be replaced; not by default, so that a mistyped path does not
            set aside the games of today.

    Returns:
        The new path of the old journal, None if there was none.

    Raises:
        UrpiError: If there is a journal and it may not be replaced, or a program has it open; if
            the backup is not a journal, of a newer version or damaged; or if the copy cannot be
            written. The journal is unchanged then.
    """
    with journal_errors(path):
        replaced, is_same = path.exists(), _is_same(backup, path)
    if replaced and not replace:
        message = f"The journal {path} already exists; add --replace to set it aside."
        raise UrpiError(message)
    if is_same:
        message = f"The backup {backup} is the journal itself; choose another."
        raise UrpiError(message)
    # The process would go on writing to the file that was set aside.
    for process in processes_with(path):
        message = f"The journal {path} is open in process {process}; stop urpi there first."
        raise UrpiError(message)
    with (
        _folder_of(path),
        _whole_copy(backup, path, path if replaced else backup) as copy,
    ):
        # Only now: until the copy has been checked, the old journal keeps its name.
        aside = _set_aside(path, now) if replaced else None
        with journal_errors(path):
            copy.replace(path)
            sync_folder(path.parent)
    return aside


@contextmanager
def _whole_copy(source: Path, beside: Path, model: Path, pages: int = PAGES) -> Iterator[Path]:
    """Yield a checked copy under a temporary name in the folder of `beside`.

    It has the permissions of `model`.
    """
    copy = own_draft(beside)
    try:
        with journal_errors(source):
            _check_files(source, beside)
            with _copy_errors(beside):
                create_like(copy, model)
                _copy(source, copy, pages)
        try:
            _check_copy(copy)
        except UrpiError as error:
            # The user does not know the copy. What is invalid in it is invalid in its source.
            raise type(error)(*_with_source(error, copy, source)) from error
        yield copy
    finally:
        remove(copy)


def _check_files(source: Path, beside: Path) -> None:
    if not source.is_file():
        message = "there is no such file; choose another"
        raise UrpiError(message)
    if not beside.parent.is_dir():
        message = f"there is no folder {beside.parent} to copy it to; make it, or choose another"
        raise UrpiError(message)


@contextmanager
def _copy_errors(file: Path) -> Iterator[None]:
    """Convert an error of writing the copy. A full disk is one: reading needs no room."""
    try:
        yield
    except OSError as error:
        message = f"The file {file} cannot be written: {error.strerror}; choose another."
        raise JournalError(message) from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
            raise
        message = (
            f"The file {file} cannot be written: the disk is full; make room, or choose another."
        )
        raise DiskError(message, FULL) from error


def _check_copy(copy: Path) -> None:
    """Check that a copy is a journal and whole, migrate it to this version, and sync it."""
    with journal_errors(copy), closing(sqlite3.connect(copy)) as db:
        ((found,),) = db.execute("PRAGMA application_id").fetchall()
        if found != APPLICATION_ID:
            message = "it is not a journal of urpi"
            raise UrpiError(message)
        # The header of a journal in use states that it has a log, which the copy has not.
        db.execute("PRAGMA journal_mode = TRUNCATE")
    with Journal.open(copy, create=False) as journal:
        check_pages(journal)
        check_contents(journal)
    with journal_errors(copy), copy.open("rb") as written:
        os.fsync(written.fileno())


def _with_source(error: UrpiError, copy: Path, source: Path) -> tuple[str, ...]:
    """The arguments of an error about a copy, for an error about its source."""
    message = str(error).replace(str(copy), str(source))
    return (message, error.code) if isinstance(error, DiskError) else (message,)


def _copy(source: Path, copy: Path, pages: int) -> None:
    restarts, before = 0, -1

    def progress(_status: int, remaining: int, _total: int) -> None:
        nonlocal restarts, before
        # SQLite reports no restart; the number of pages that are left does not decrease at one.
        restarts += before >= 0 and remaining >= before
        before = remaining
        if restarts > MAX_RESTARTS:
            raise _TooBusyError

    # Not created if it does not exist, but opened for writing, so that SQLite can roll back a
    # transaction that was interrupted by a power cut.
    address = f"{source.absolute().as_uri()}?mode=rw"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as db,
        closing(sqlite3.connect(copy)) as into,
    ):
        try:
            db.backup(into, pages=pages, progress=progress, sleep=PAUSE_S)
        except _TooBusyError:
            db.backup(into)


class _TooBusyError(Exception):
    """The journal is written to more often than it can be copied step by step."""


def processes_with(path: Path) -> Iterator[int]:
    """Yield the ids of other processes that have a file open, if this one may know (Linux)."""
    with suppress(OSError):
        file = path.stat()
        for folder in Path("/proc").glob("[0-9]*/fd"):
            process = int(folder.parent.name)
            if process != os.getpid() and _has_open(folder, file):
                yield process


def _has_open(folder: Path, file: os.stat_result) -> bool:
    # A process that has ended meanwhile, or belongs to another user, cannot be examined.
    with suppress(OSError):
        for handle in folder.iterdir():
            with suppress(OSError):
                if os.path.samestat(handle.stat(), file):
                    return True
    return False


def _set_aside(path: Path, now: datetime) -> Path:
    """Set the old journal aside under a name with the time; return it."""
    with suppress(UrpiError):
        # Rolls back a transaction that was interrupted by a power cut. A damaged file stays so.
        Journal.open(path, create=False).close()
    return set_aside(path, f"{path.stem}.before-{now:%Y-%m-%dT%H%M%S}")


@contextmanager
def _folder_of(path: Path) -> Iterator[None]:
    """Create the folder of a file, and remove it again after an error."""
    created = [folder for folder in path.parents if not folder.exists()]
    with journal_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for folder in created:
            # Another program may have put something into it.
            with suppress(OSError):
                folder.rmdir()
        raise


def _is_same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    return False
