"""Setting a journal file aside: it gets a second name, and its own is free to be taken."""

import itertools
from contextlib import suppress
from pathlib import Path
from typing import Final

from urpi.journal.failures import naming
from urpi.journal.folders import sync_folder

COMPANIONS: Final = ("-journal", "-wal", "-shm")
"""The endings of the files that SQLite keeps beside a database, and that belong to it."""


def companion(path: Path, ending: str) -> Path:
    """The file beside a database with that ending."""
    return path.with_name(f"{path.name}{ending}")


def set_aside(path: Path, stem: str) -> Path:
    """Give a file a second name; return it. The file that takes its place is to replace it.

    At no moment is there no file, or one with the companions of another: SQLite would apply
    them to it. On a file system without second names the file is renamed.

    Args:
        path: the file.
        stem: the second name without its suffix; a number is added if that is taken.

    Raises:
        UrpiError: if it cannot get a second name.
    """
    aside = _free_name(path, stem)
    with naming(path):
        for ending in COMPANIONS:
            with suppress(FileNotFoundError):
                companion(path, ending).rename(companion(aside, ending))
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
