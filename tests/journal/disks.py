"""Disks that really fail: a limit on the size of files, and small file systems."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

SHARED = 32 * 1024
"""Size of SQLite's file of shared memory."""


@contextmanager
def no_room(path: Path) -> Iterator[None]:
    """Prevent every file of this process from growing beyond the current size of a journal's log.

    Without a log, beyond the size of the journal itself. The log's shared memory may be allocated.
    """
    log = path.with_name(f"{path.name}-wal")
    with no_room_at(max(log.stat().st_size, SHARED) if log.exists() else path.stat().st_size):
        yield


@contextmanager
def no_room_at(size: int) -> Iterator[None]:
    """Limit the size of the files that this process writes; the kernel enforces it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The compiled code of a module that is imported now would be cut off, and never be imported.
    with patch.object(sys, "dont_write_bytecode", True):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


IN_OWN_NAMESPACE = ("unshare", "--map-root-user", "--mount")
"""Command that runs another as root of a new mount namespace; most systems allow it to any user."""


@cache
def may_mount() -> bool:
    """Whether this process may mount a file system in a namespace."""
    try:
        command = [*IN_OWN_NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def on_small_disk(module: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a module with a file system of 256 KB on the folder, which other processes do not see."""
    script = 'mount -t tmpfs -o size=256k tmpfs "$1" && exec "$2" -m "$3" "$1"'
    command = [*IN_OWN_NAMESPACE, "sh", "-c", script, "sh", str(folder), sys.executable, module]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
