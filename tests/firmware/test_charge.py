import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "firmware/charge.py"


def test_the_calculation_keeps_what_is_wanted_of_rest_and_games():
    told = subprocess.run(
        [sys.executable, str(PROGRAM)], capture_output=True, text=True, check=False, timeout=240
    )
    assert told.returncode == 0, told.stdout
    assert "at rest 16.1 uA (wanted: under 25)" in told.stdout
    assert "with the board switched off 17.7 uA" in told.stdout
