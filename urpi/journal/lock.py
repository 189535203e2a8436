"""One program keeps a journal: two that take up the same game would spoil it for both.

Reading it, a backup, an import are for any program at any time, and need nothing of this.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from urpi.errors import UrpiError
from urpi.journal.backup import processes_with

if sys.platform != "win32":
    import fcntl


@contextmanager
def kept_alone(path: Path) -> Iterator[None]:
    """Inside, no other program that asks the same keeps games in the journal of that file.

    A lock on a file beside it, ``journal.db.lock``, which stays there, empty. However the program
    ends, the lock ends with it. Where the disk gives none, there is none: play goes on. Symbolic
    links are resolved first: all paths to a file share one lock.

    Raises:
        UrpiError: when another program has it.
    """
    kept = Path(os.path.realpath(path))
    beside = kept.with_name(f"{kept.name}.lock")
    handle = _opened(beside)
    try:
        if handle is not None:
            _lock(handle, path, beside)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _opened(beside: Path) -> int | None:
    with suppress(OSError):
        beside.parent.mkdir(parents=True, exist_ok=True)
        # To read is enough for a lock, also where it was another user who made the file.
        return os.open(beside, os.O_RDONLY | os.O_CREAT, 0o644)
    return None


def _lock(handle: int, path: Path, beside: Path) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        others = ", ".join(map(str, processes_with(beside)))
        which = f" (process {others})" if others else ""
        message = (
            f"The journal {path} is already kept by another urpi{which}; "
            "end that one first, or name another journal."
        )
        raise UrpiError(message) from error
    except OSError:
        # A file system without locks.
        return
