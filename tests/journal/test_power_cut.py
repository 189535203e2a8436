"""Power cuts: every committed transaction is on the disk."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.journal.vfs import sqlite_library


def cut_power(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the simulation in a process of its own, whose SQLite writes through a watched VFS."""
    command = [sys.executable, "-m", "tests.journal.power_cut", str(folder), "--transactions", "8"]
    return subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=240, check=False
    )


pytestmark = pytest.mark.skipif(
    sqlite_library() is None, reason="Python has SQLite built in: its file access cannot be watched"
)


@pytest.mark.slow
def test_a_power_cut_leaves_every_committed_transaction(tmp_path: Path) -> None:
    done = cut_power(tmp_path, "--ways", "1")
    assert done.returncode == 0, done.stderr
    assert "every committed one of 8 transactions is stored" in done.stdout


@pytest.mark.slow
def test_a_journal_without_syncs_is_detected(tmp_path: Path) -> None:
    done = cut_power(tmp_path, "--ways", "2", "--synchronous", "OFF")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr or "DamagedError" in done.stderr
