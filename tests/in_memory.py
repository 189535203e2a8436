"""Temporary folders in memory, for tests whose programs would mostly wait for the disk."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

MEMORY: Final = Path("/dev/shm")
"""The folder of Linux whose files are in memory."""
NEEDED: Final = 1 << 30
"""Bytes that must be free; a container's folder can be too small."""


def use_memory() -> None:
    """Put the temporary folders of this process and of those that it starts into memory."""
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > NEEDED:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
        os.environ.setdefault("TMPDIR", str(MEMORY))
        # It may have been found already.
        tempfile.tempdir = None
