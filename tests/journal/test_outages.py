"""With random failures of the disk, every line is stored once and in order."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.journal.vfs import sqlite_library

RUNS = 100


@pytest.mark.skipif(
    sqlite_library() is None,
    reason="Python has SQLite built in: its file access cannot be made to fail",
)
@pytest.mark.slow
def test_random_failures_lose_and_duplicate_nothing(tmp_path: Path) -> None:
    """In a process of its own, all of whose connections use the faulty file layer."""
    command = [sys.executable, "-m", "tests.journal.outages", str(tmp_path), "--runs", str(RUNS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{RUNS} runs, 0 of them wrong" in done.stdout
    assert "sync reported as failed" in done.stdout
