"""The files of a journal: what SQLite keeps beside it, setting it aside, syncing its folder."""

import itertools
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from urpi.journal.failures import journal_errors

_COMPANIONS: Final = ("-journal", "-wal", "-shm")
"""The suffixes of the files that SQLite keeps beside a database; they are part of it."""


def companion(path: Path, suffix: str) -> Path:
    """The path of the file beside a database with that suffix."""
    return path.with_name(f"{path.name}{suffix}")


def create_like(new: Path, model: Path) -> None:
    """Create an empty file with the permissions of another, and with its owner if this is root.

    So that a copy can be read by the same users as a journal, and used by the service.

    Raises:
        OSError: If it cannot be created.
    """
    found = model.stat()
    # What a killed process of the same number has left.
    new.unlink(missing_ok=True)
    # Nobody else may open it before it has its permissions.
    new.touch(0o600, exist_ok=False)
    if sys.platform != "win32" and os.geteuid() == 0:
        os.chown(new, found.st_uid, found.st_gid)
    new.chmod(stat.S_IMODE(found.st_mode))


def set_aside(path: Path, stem: str) -> Path:
    """Give a file a second name, and return it. The caller then replaces the file.

    At no moment is the first name without a file, or beside the companions of another file:
    SQLite would apply those to it. On a file system without hard links the file is renamed.

    Args:
        path: The file.
        stem: The second name without its suffix; a number is added if it is in use.

    Raises:
        UrpiError: If it cannot get a second name.
    """
    aside = _free_name(path, stem)
    with journal_errors(path):
        for suffix in _COMPANIONS:
            with suppress(FileNotFoundError):
                # First the companions: left behind, they would be applied to the new file.
                companion(path, suffix).rename(companion(aside, suffix))
        try:
            aside.hardlink_to(path)
        except OSError:
            path.rename(aside)
        sync_folder(path.parent)
    return aside


def _free_name(path: Path, stem: str) -> Path:
    names = (stem if count == 1 else f"{stem}-{count}" for count in itertools.count(1))
    return next(
        free for name in names if not (free := path.with_name(f"{name}{path.suffix}")).exists()
    )


def remove(path: Path) -> None:
    """Remove a database with its companions, as far as they exist and can be removed."""
    for each in (path, *(companion(path, suffix) for suffix in _COMPANIONS)):
        with suppress(OSError):
            each.unlink()


def sync_folder(folder: Path) -> None:
    """Sync a folder to the disk: without it, a power cut may undo a renaming or a removal.

    Raises:
        OSError: If the disk fails.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
