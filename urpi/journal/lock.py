"""A lock that lets one program at a time keep games in a journal.

Two programs that continued the same game would corrupt it for both. Reading, backups and imports
do not take the lock: they may run beside the program that has it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from urpi.core.errors import UrpiError
from urpi.journal.backup import processes_with

if sys.platform != "win32":
    import fcntl


@contextmanager
def lock_journal(path: Path) -> Iterator[None]:
    """Hold the lock of a journal file.

    The lock is on an empty file beside it, ``journal.db.lock``, which is never removed. The
    system releases it however the program ends. On a file system without locks nothing is
    locked, and play continues. Symbolic links are resolved first, so all paths to a file share
    one lock.

    Raises:
        UrpiError: If another program holds the lock, or the path is that of a folder.
    """
    if os.path.isdir(path):
        message = f"The journal {path} is a folder; choose a file."
        raise UrpiError(message)
    real_path = Path(os.path.realpath(path))
    lock_file = real_path.with_name(f"{real_path.name}.lock")
    handle = _open(lock_file)
    try:
        if handle is not None:
            _lock(handle, path, lock_file)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _open(lock_file: Path) -> int | None:
    with suppress(OSError):
        lock_file.parent.mkdir(parents=True, exist_ok=True)
        # Reading permission is enough for a lock, also if another user created the file.
        return os.open(lock_file, os.O_RDONLY | os.O_CREAT, 0o644)
    return None


def _lock(handle: int, path: Path, lock_file: Path) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        # The lock itself does not name its owner, but the system knows who has the file open.
        others = ", ".join(map(str, processes_with(lock_file)))
        which = f" (process {others})" if others else ""
        message = (
            f"The journal {path} is already in use by another urpi{which}; "
            "end that one first, or choose another journal."
        )
        raise UrpiError(message) from error
    except OSError:
        # The file system has no locks.
        return
