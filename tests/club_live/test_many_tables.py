"""Many tables at once, also with programs that are killed (`tests.bench_club`)."""

import subprocess
import sys

import pytest

from tests.club_live.running import ROOT


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--seconds", "5"], id="undisturbed", marks=pytest.mark.slow),
        pytest.param(["--workers", "2", "--kill", "worker", "--kills", "2"], id="worker"),
        pytest.param(["--kill", "broker", "--kills", "1"], id="broker", marks=pytest.mark.slow),
        pytest.param(["--kill", "database", "--kills", "1"], id="database", marks=pytest.mark.slow),
    ],
)
def test_every_line_of_many_tables_is_stored_once(options: list[str]) -> None:
    command = [sys.executable, "-m", "tests.bench_club", "--tables", "30", "--interval", "2"]
    # Many more messages than in a game: a throw every two seconds at each of the tables.
    ran = subprocess.run(
        [*command, "--settle", "2", *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " 0 differ" in ran.stdout
