"""A byte that changes in a journal's file is reported, or changes nothing that is stored."""

import subprocess
import sys

import pytest

FLIPS = 12


@pytest.mark.slow
def test_every_changed_byte_is_reported_or_harmless() -> None:
    """A few bytes; `make bench` changes many."""
    command = [sys.executable, "-m", "tests.journal.flips", "--flips", str(FLIPS), "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of them silent or wrong" in done.stdout
    assert " reported" in done.stdout
