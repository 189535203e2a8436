"""Disks that fail, truly: a limit on the size of files, and small file systems of one's own."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

SHARED = 32 * 1024
"""The size of SQLite's file of shared memory."""


@contextmanager
def no_room(path: Path) -> Iterator[None]:
    """Inside, the kernel lets no file of this process grow beyond what a journal's log is now.

    Without a log, beyond what the file itself is. The memory that a log's readers share fits in.
    """
    log = path.with_name(f"{path.name}-wal")
    with no_room_at(max(log.stat().st_size, SHARED) if log.exists() else path.stat().st_size):
        yield


@contextmanager
def no_room_at(size: int) -> Iterator[None]:
    """Inside, the kernel lets this process write nothing beyond that size of a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


OWN_MOUNTS = ("unshare", "--map-root-user", "--mount")
"""A process with mounts of its own, in which it is root; most systems let anybody have one."""


@cache
def may_mount() -> bool:
    """Whether this process may make a small file system of its own."""
    try:
        command = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def on_small_disk(module: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a module with a file system of 256 KB on that folder, which nobody else sees."""
    script = 'mount -t tmpfs -o size=256k tmpfs "$1" && exec "$2" -m "$3" "$1"'
    command = [*OWN_MOUNTS, "sh", "-c", script, "sh", str(folder), sys.executable, module]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
