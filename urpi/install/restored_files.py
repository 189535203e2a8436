"""Folders of files that are put back as they were if something fails later."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from urpi.core.atomic_file import draft_of


class FileNow(NamedTuple):
    """A file as it is: content, or the target of a link; mode and owners."""

    data: bytes
    mode: int
    user: int
    group: int


def write(path: Path, data: bytes, mode: int) -> None:
    """Write a file as a whole, with these permissions."""
    with draft_of(path, mode=mode) as draft:
        draft.write_bytes(data)


def contents(folder: Path) -> dict[str, FileNow]:
    """Return the files of a folder by their names; a folder in it is left out."""
    found = {}
    for path in sorted(folder.iterdir()) if folder.exists() else ():
        about = path.lstat()
        if path.is_symlink() or path.is_file():
            data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
            found[path.name] = FileNow(data, about.st_mode, about.st_uid, about.st_gid)
    return found


def restored(undo: ExitStack, folder: Path) -> dict[str, FileNow]:
    """Return the files of a folder, which is put back as it is now when `undo` is closed.

    Files may be written, changed and removed until then, and links added.
    """
    before, existed = contents(folder), folder.exists()

    def restore() -> None:
        for name, now in contents(folder).items():
            if now != before.get(name):
                (folder / name).unlink()
        for name, (data, mode, user, group) in before.items():
            if not os.path.lexists(folder / name):
                write(folder / name, data, mode & 0o777)
                os.chown(folder / name, user, group)
        if not existed and folder.exists():
            folder.rmdir()

    undo.callback(restore)
    return before
