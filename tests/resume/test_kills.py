"""The program may be killed at any moment: a few kills each day; `make bench` has the many."""

import re
import subprocess
import sys
from pathlib import Path

KILLS = 10
DEADLINE_S = 240.0


def test_a_program_killed_at_random_moments_keeps_and_resumes_everything(tmp_path: Path) -> None:
    """In a process of its own: what forks must have no threads, as a test's process may."""
    command = [sys.executable, "-m", "tests.resume.kills", "--kills", str(KILLS)]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path), "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sum(map(int, re.findall(r"(\d+) kills, ", done.stdout))) >= KILLS
    assert "all replay exactly" in done.stdout
