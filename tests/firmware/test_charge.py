import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "firmware/charge.py"


def test_calculated_consumption_meets_the_requirements():
    done = subprocess.run(
        [sys.executable, str(PROGRAM)], capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout
    assert "at rest 16.1 uA (required: under 25)" in done.stdout
    assert "with the board switched off 17.7 uA" in done.stdout
