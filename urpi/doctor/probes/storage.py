"""The journal's place: whether it can be written, how much room it has, how fast it is."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

from urpi.doctor.facts import Storage

_WRITES: Final = 5


def storage(path: Path, clock_s: Callable[[], float]) -> Storage:
    """The folder that a journal at `path` is, or would be, in; nothing is left behind there."""
    folder = next(place for place in (path.parent, *path.parent.parents) if place.exists())
    try:
        if path.exists():
            path.open("r+b").close()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
        with tempfile.TemporaryFile(dir=folder) as file:
            times = [_written(file.fileno(), clock_s) for _ in range(_WRITES)]
    except OSError as error:
        return Storage(str(path), error=error.strerror or str(error))
    return Storage(str(path), free_mb=free_mb, fsync_ms=round(median(times) * 1000, 1))


def _written(file: int, clock_s: Callable[[], float]) -> float:
    began = clock_s()
    os.write(file, b"urpi" * 128)
    os.fsync(file)
    return clock_s() - began
