"""What can go wrong with a file, told apart by what is to be done about it."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from urpi.errors import UrpiError


class JournalError(UrpiError):
    """A failure with a journal; the message names its file."""


class DiskError(JournalError):
    """The disk does not take or give what it should, for now: to be tried again later.

    `code` is ``disk-full``, ``disk-read-only`` or ``disk-failing``.
    """

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        # Processes that check games in parallel pass it on; exceptions keep their message alone.
        return type(self), (str(self), self.code)


class CorruptError(UrpiError):
    """What a file holds is not what was written; the message does not name the file."""


class DamagedError(JournalError):
    """What the file holds is not what was written: to be set aside."""


FULL: Final = "disk-full"
READ_ONLY: Final = "disk-read-only"
FAILING: Final = "disk-failing"

_SQLITE_CODES: Final = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: FAILING,
    sqlite3.SQLITE_CANTOPEN: FAILING,
    sqlite3.SQLITE_PERM: FAILING,
    sqlite3.SQLITE_BUSY: FAILING,
    sqlite3.SQLITE_LOCKED: FAILING,
    sqlite3.SQLITE_PROTOCOL: FAILING,
    sqlite3.SQLITE_NOMEM: FAILING,
}
_ERRNOS: Final = {
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
    sqlite3.SQLITE_NOTADB: "name another file",
}
"""What to do, by the kind of failure; the others have no cure that is always the same."""
_MAGIC: Final = b"SQLite format 3\0"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Say which file it was when something fails inside, and which kind of failure it is."""
    try:
        yield
    except JournalError:
        raise
    except UnicodeDecodeError as error:
        # SQLite's message quotes text of the file, and Python expects it to be UTF-8.
        message = f"The journal {path} is damaged: its text is not UTF-8."
        raise DamagedError(message) from error
    except CorruptError as error:
        message = f"The journal {path} is damaged: {error}."
        raise DamagedError(message) from error
    except (sqlite3.Error, OSError, UrpiError) as error:
        raise _failure(path, error) from error


def _failure(path: Path, error: Exception) -> JournalError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    # The lower byte is the kind, the upper ones say more closely what it was.
    kind = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    remedy = f"; {_REMEDIES[kind]}" if kind in _REMEDIES else ""
    message = f"The journal {path} cannot be used: {reason}{remedy}."
    if isinstance(error, OSError):
        code = _ERRNOS.get(error.errno or 0)
        return DiskError(message, code) if code else JournalError(message)
    if kind in _SQLITE_CODES:
        return DiskError(message, _SQLITE_CODES[kind])
    if _is_damage(kind, error) or (kind == sqlite3.SQLITE_NOTADB and _was_ours(path)):
        return DamagedError(message)
    return JournalError(message)


def _is_damage(kind: int, error: Exception) -> bool:
    """Whether SQLite calls the file corrupt, or Python cannot decode a text in it."""
    # Python's own errors have no code of SQLite's.
    undecodable = isinstance(error, sqlite3.OperationalError) and kind == 0
    return kind == sqlite3.SQLITE_CORRUPT or undecodable


def _was_ours(path: Path) -> bool:
    """Whether a file that is no database may have been one: its beginning is right, or empty.

    A card that lost its power leaves pages of zeros; a letter is a letter, and left alone.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError:
        return False
    return head == _MAGIC or not any(head)
