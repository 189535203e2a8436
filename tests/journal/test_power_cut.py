"""The power may go at any moment."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.journal.vfs import sqlite_library


def cut(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: its SQLite writes through a watched VFS."""
    command = [sys.executable, "-m", "tests.journal.power_cut", str(folder), "--transactions", "8"]
    return subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=240, check=False
    )


pytestmark = pytest.mark.skipif(
    sqlite_library() is None, reason="Python has SQLite built in: its files cannot be watched"
)


def test_whatever_a_power_cut_leaves_holds_all_that_was_promised(tmp_path: Path) -> None:
    done = cut(tmp_path, "--ways", "1")
    assert done.returncode == 0, done.stderr
    assert "each left all of 8 transactions that was promised, and whole" in done.stdout


def test_a_journal_that_does_not_sync_is_found_out(tmp_path: Path) -> None:
    done = cut(tmp_path, "--ways", "2", "--synchronous", "OFF")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr or "DamagedError" in done.stderr
