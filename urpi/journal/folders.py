"""Folders on disk: a file that was renamed or removed stays so only when its folder is synced."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Bring the folder's names to the disk.

    Raises:
        OSError: when the disk does not take it.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
