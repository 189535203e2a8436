"""Errors of a journal's file, by what can be done about them."""

import errno
import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, Self, TypeAlias

from urpi.core.errors import UrpiError

if sys.platform != "win32":
    import grp
    import pwd

DiskCode: TypeAlias = Literal["disk-full", "disk-read-only", "disk-failing"]


class JournalError(UrpiError):
    """A failure with a journal; the message names its file."""


class DiskError(JournalError):
    """The disk cannot be written or read now; a later attempt may succeed.

    `code` is the code of the notice that the players see.
    """

    def __init__(self, message: str, code: DiskCode) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[Self], tuple[str, DiskCode]]:
        # Processes that check games in parallel pickle it; by default only the message is kept.
        return type(self), (str(self), self.code)


class CorruptError(UrpiError):
    """The content of a file is not what was written; the message does not name the file."""


class DamagedError(JournalError):
    """The content of the file is not what was written; it must be set aside."""


FULL: Final = "disk-full"
READ_ONLY: Final = "disk-read-only"
FAILING: Final = "disk-failing"

_SQLITE_CODES: Final[dict[int, DiskCode]] = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: FAILING,
    sqlite3.SQLITE_CANTOPEN: FAILING,
    sqlite3.SQLITE_PERM: FAILING,
    # Another program holds the file, or memory is short: both may be over at the next attempt.
    sqlite3.SQLITE_BUSY: FAILING,
    sqlite3.SQLITE_LOCKED: FAILING,
    sqlite3.SQLITE_PROTOCOL: FAILING,
    sqlite3.SQLITE_NOMEM: FAILING,
}
_ERRNOS: Final[dict[int, DiskCode]] = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EIO: FAILING,
    errno.ENODEV: FAILING,
    errno.ENXIO: FAILING,
}
_REMEDIES: Final = {
    sqlite3.SQLITE_FULL: "make room on the disk",
    sqlite3.SQLITE_READONLY: "see that this user may write to it and its folder",
    sqlite3.SQLITE_CANTOPEN: "see that it is a file, and that this user may use it and its folder",
    sqlite3.SQLITE_BUSY: "another program holds it: try again when that is done",
    sqlite3.SQLITE_NOTADB: "choose another file",
}
"""What the user can do, by SQLite's error code; other errors have no general remedy."""
_ACCESS_CODES: Final = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}
"""SQLite's error codes for a file that this user may not use."""
_MAGIC: Final = b"SQLite format 3\0"


@contextmanager
def journal_errors(path: Path) -> Iterator[None]:
    """Convert errors inside to a `JournalError` of their kind, with the file in its message."""
    try:
        yield
    except JournalError:
        raise
    except UnicodeDecodeError as error:
        # SQLite's message quotes text of the file, which Python decodes as UTF-8.
        message = f"The journal {path} is damaged: its text is not UTF-8."
        raise DamagedError(message) from error
    except CorruptError as error:
        message = f"The journal {path} is damaged: {error}."
        raise DamagedError(message) from error
    except (sqlite3.Error, OSError, UrpiError) as error:
        raise _failure(path, error) from error


def _failure(path: Path, error: Exception) -> JournalError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    # An extended error code: its lower byte is the primary code.
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    remedy = _REMEDIES.get(primary)
    if isinstance(error, PermissionError) or primary in _ACCESS_CODES:
        remedy = _owner_remedy(path) or remedy
    remedy = f"; {remedy}" if remedy else ""
    message = f"The journal {path} cannot be used: {reason}{remedy}."
    if isinstance(error, OSError):
        code = _ERRNOS.get(error.errno or 0)
        return DiskError(message, code) if code else JournalError(message)
    if primary in _SQLITE_CODES:
        return DiskError(message, _SQLITE_CODES[primary])
    if _is_damage(primary, error) or (primary == sqlite3.SQLITE_NOTADB and _was_journal(path)):
        return DamagedError(message)
    return JournalError(message)


def _owner_remedy(path: Path) -> str | None:
    """What to do if the file, or its folder, belongs to another user, such as the service's.

    None if it does not, or if it cannot be the reason: root may use every file.
    """
    if sys.platform == "win32" or os.geteuid() == 0 or os.path.isdir(path):
        return None
    place = path if os.path.exists(path) else path.parent
    try:
        found = place.stat()
    except OSError:
        return None
    if found.st_uid == os.geteuid():
        return None
    owner = owner_of(place)
    remedy = f"{place} belongs to {owner}: run `sudo -u {owner} urpi ...`"
    # A member already, or a group that may not read either: joining it would change nothing.
    if found.st_gid in {os.getegid(), *os.getgroups()} or not found.st_mode & stat.S_IRGRP:
        return remedy
    group = _name_of_group(found.st_gid)
    return (
        f"{remedy}, or, to read games, join its group with `sudo usermod -aG {group} $USER` and "
        "log in again"
    )


def owner_of(path: Path) -> str:
    """The name of a file's user, or the number, quoted for a shell, if it has no name."""
    number = path.stat().st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        # Quoted: it would begin a comment in a shell.
        return f"'#{number}'"


def _name_of_group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _is_damage(primary: int, error: Exception) -> bool:
    """Whether SQLite reports the file as corrupt, or Python cannot decode a text in it."""
    # Python raises OperationalError for such a text, without a code of SQLite's.
    undecodable = isinstance(error, sqlite3.OperationalError) and primary == 0
    return primary == sqlite3.SQLITE_CORRUPT or undecodable


def _was_journal(path: Path) -> bool:
    """Whether a file that is not a database may have been one: its start is valid, or zeros.

    A card that lost its power leaves pages of zeros. A file of any other kind is not touched.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError:
        return False
    return head == _MAGIC or not any(head)
