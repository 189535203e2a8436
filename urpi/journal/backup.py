"""Backup and restore: a whole journal copied while it is being written, checked, then named.

A copy has its name only when it is complete, has been read through and is on the disk.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from urpi.errors import UrpiError
from urpi.journal.aside import COMPANIONS, companion, set_aside
from urpi.journal.failures import FULL, DiskError, JournalError, naming
from urpi.journal.folders import sync_folder
from urpi.journal.integrity import check_contents, check_pages
from urpi.journal.journal import Journal
from urpi.journal.schema import APPLICATION_ID

PAGES: Final = 1024
"""So many pages are copied before a writer gets its turn: four megabytes."""
PAUSE_S: Final = 0.02
BUSY_S: Final = 60.0
"""How long to wait for a writer that holds the file."""
MOST_RESTARTS: Final = 5
"""SQLite begins anew when another process has written; then the rest is copied in one go."""


def back_up(path: Path, into: Path, *, replace: bool = False) -> int:
    """Copy a journal, also while a game is being played; the copy's size in bytes.

    Raises:
        UrpiError: when the copy would replace a file and may not, the journal cannot be read or
            is damaged, or the copy cannot be written; nothing half-written is left.
    """
    if os.path.exists(into) and not replace:
        message = f"The file {into} is there already; name another, or add --replace."
        raise UrpiError(message)
    if _is_same(path, into):
        message = f"The file {into} is the journal itself; name another."
        raise UrpiError(message)
    with _whole_copy(path, into) as copy:
        copy.replace(into)
        sync_folder(into.parent)
    return into.stat().st_size


def restore_backup(
    backup: Path, path: Path, now: datetime, *, replace: bool = False
) -> Path | None:
    """Put a copy of a backup in the journal's place; where the old journal lies now, if any did.

    Raises:
        UrpiError: when there is a journal and it may not be replaced, or a program has it open;
            when the backup is none of ours, of a newer version or damaged; or when the copy
            cannot be written. The journal is as it was then.
    """
    if path.exists() and not replace:
        message = f"The journal {path} is there already; add --replace to set it aside."
        raise UrpiError(message)
    if _is_same(backup, path):
        message = f"The backup {backup} is the journal itself; name another."
        raise UrpiError(message)
    for process in processes_with(path):
        message = f"The journal {path} is open in process {process}; stop urpi there first."
        raise UrpiError(message)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _whole_copy(backup, path) as copy:
        aside = _kept(path, now) if path.exists() else None
        with naming(path):
            copy.replace(path)
            sync_folder(path.parent)
    return aside


@contextmanager
def _whole_copy(source: Path, beside: Path) -> Iterator[Path]:
    """A checked copy under a name of its own in the folder where it is to go."""
    copy = beside.with_name(f"{beside.name}.part-{os.getpid()}")
    try:
        with naming(source):
            _check_files(source, beside)
            with _naming_copy(beside):
                copy.touch()
                _copy(source, copy)
        try:
            _check_copy(copy)
        except UrpiError as error:
            # Nobody knows the copy; what is wrong with it is wrong with what was copied.
            raise type(error)(*_named(error, copy, source)) from error
        yield copy
    finally:
        for left in (copy, *(companion(copy, ending) for ending in COMPANIONS)):
            with suppress(OSError):
                left.unlink()


def _check_files(source: Path, beside: Path) -> None:
    if not source.is_file():
        message = "there is no such file; name another"
        raise UrpiError(message)
    if not beside.parent.is_dir():
        message = f"there is no folder {beside.parent} to copy it to; make it, or name another"
        raise UrpiError(message)


@contextmanager
def _naming_copy(file: Path) -> Iterator[None]:
    """Say that the copy cannot be written, when that is what fails: reading takes no room."""
    try:
        yield
    except OSError as error:
        message = f"The file {file} cannot be written: {error.strerror}; name another."
        raise JournalError(message) from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
            raise
        message = (
            f"The file {file} cannot be written: the disk is full; make room, or name another."
        )
        raise DiskError(message, FULL) from error


def _check_copy(copy: Path) -> None:
    """See that a copy is a journal and whole, bring it to this version, and sync it."""
    with naming(copy), closing(sqlite3.connect(copy)) as db:
        ((found,),) = db.execute("PRAGMA application_id").fetchall()
        if found != APPLICATION_ID:
            message = "it is no journal of urpi's"
            raise UrpiError(message)
        # A copy of a journal in use says that it has a log, which stays with the original.
        db.execute("PRAGMA journal_mode = TRUNCATE")
    with Journal.open(copy, create=False) as journal:
        check_pages(journal)
        check_contents(journal)
    with naming(copy), copy.open("rb") as written:
        os.fsync(written.fileno())


def _named(error: UrpiError, copy: Path, source: Path) -> tuple[str, ...]:
    message = str(error).replace(str(copy), str(source))
    return (message, error.code) if isinstance(error, DiskError) else (message,)


def _copy(source: Path, copy: Path) -> None:
    restarts, before = 0, -1

    def progress(_status: int, remaining: int, _total: int) -> None:
        nonlocal restarts, before
        restarts += before >= 0 and remaining >= before
        before = remaining
        if restarts > MOST_RESTARTS:
            raise _TooBusyError

    # Not made when there is none; but what a power cut left half-done may be rolled back.
    address = f"{source.absolute().as_uri()}?mode=rw"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as db,
        closing(sqlite3.connect(copy)) as into,
    ):
        try:
            db.backup(into, pages=PAGES, progress=progress, sleep=PAUSE_S)
        except _TooBusyError:
            db.backup(into)


class _TooBusyError(Exception):
    """The journal is written to more quickly than it can be copied piece by piece."""


def processes_with(path: Path) -> Iterator[int]:
    """The other processes that have a file open, as far as this one may see them (Linux)."""
    with suppress(OSError):
        wanted = path.stat()
        for folder in Path("/proc").glob("[0-9]*/fd"):
            process = int(folder.parent.name)
            if process != os.getpid() and _has_open(folder, wanted):
                yield process


def _has_open(folder: Path, wanted: os.stat_result) -> bool:
    # A process that ends meanwhile, or is another user's, cannot be looked at.
    with suppress(OSError):
        for handle in folder.iterdir():
            with suppress(OSError):
                if os.path.samestat(handle.stat(), wanted):
                    return True
    return False


def _kept(path: Path, now: datetime) -> Path:
    """Set the old journal aside under a name with the time."""
    with suppress(UrpiError):
        # What a power cut has left half-done is rolled back; what is damaged stays so.
        Journal.open(path, create=False).close()
    return set_aside(path, f"{path.stem}.before-{now:%Y-%m-%dT%H%M%S}")


def _is_same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    return False
