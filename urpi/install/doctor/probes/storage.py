"""The folder of the journal: whether it is writable, its free space, and its write latency."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

from urpi.install.doctor.facts import Storage

_WRITES: Final = 5


def storage(path: Path, clock_s: Callable[[], float]) -> Storage:
    """Try the folder that holds, or would hold, the journal; no file remains in it.

    Args:
        path: path of the journal, which need not exist.
        clock_s: monotonic time in seconds.
    """
    folder = next(place for place in (path.parent, *path.parent.parents) if place.exists())
    try:
        if path.exists():
            path.open("r+b").close()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
        with tempfile.TemporaryFile(dir=folder) as file:
            times = [_timed_write(file.fileno(), clock_s) for _ in range(_WRITES)]
    except OSError as error:
        return Storage(str(path), error=error.strerror or str(error))
    return Storage(str(path), free_mb=free_mb, fsync_ms=round(median(times) * 1000, 1))


def _timed_write(file: int, clock_s: Callable[[], float]) -> float:
    """Return the seconds until half a kilobyte is on the disk."""
    began = clock_s()
    os.write(file, b"urpi" * 128)
    os.fsync(file)
    return clock_s() - began
