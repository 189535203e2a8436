"""The program may be killed at any moment: a few kills here, many in `make bench`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow import slow_except

DEADLINE_S = 240.0


@pytest.mark.parametrize("kills", slow_except([1, 10]))
def test_a_program_killed_at_random_moments_loses_nothing_and_resumes(
    tmp_path: Path, kills: int
) -> None:
    """In a process of its own: a process that forks must have no threads."""
    command = [sys.executable, "-m", "tests.resume.kills", "--kills", str(kills)]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path), "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sum(map(int, re.findall(r"(\d+) kills, ", done.stdout))) >= kills
    assert "all replay exactly" in done.stdout
