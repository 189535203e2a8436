"""The die's verdict on simulated throws and tricks, without processor and radio.

The limits leave room for chance; `python -m tests.bench_dice --verdicts 1000` measures the shares.
"""

import subprocess

import pytest

from tests.slow import slow_except

from .conftest import FIRMWARE, make
from .simulator import BUILD

THROWS = BUILD / "sim" / "throws"
COUNT = 100
LIMITS = {"tetrahedron-57": 2, "tetrahedron-80": 4, "cube-42": 6}
"""Wrong verdicts allowed of `COUNT` motions of a body; measured are 1, 3 and 5 at most."""
SEED = 77


@pytest.fixture(scope="module")
def throws(toolchain):
    make(FIRMWARE / "sim", "../build/sim/throws")
    return THROWS


def verdicts(throws, body, action, *ranges):
    """Return how many of `COUNT` motions were reported as throws."""
    arguments = [throws, body, action, str(COUNT), str(SEED), *ranges]
    output = subprocess.check_output(arguments, text=True)
    assert output.count("\n") == COUNT
    return sum("event=settled" in line and "thrown=1" in line for line in output.splitlines())


@pytest.mark.parametrize("body", slow_except(LIMITS, "tetrahedron-57"))
@pytest.mark.parametrize("action", ["throw", "spun"])
def test_throws_are_accepted(throws, body, action):
    assert verdicts(throws, body, action) >= COUNT - LIMITS[body]


@pytest.mark.parametrize("body", slow_except(LIMITS, "tetrahedron-57"))
@pytest.mark.parametrize("action", ["set", "drop"])
def test_tricks_with_a_level_die_are_rejected(throws, body, action):
    """Tilted ones are accepted: firmware/README.md, The verdict."""
    assert verdicts(throws, body, action, "tilt=0..6", "hold=0.1..0.8") <= 2 * LIMITS[body]


@pytest.mark.parametrize("body", slow_except(LIMITS, "tetrahedron-57"))
@pytest.mark.parametrize("action", ["place", "tip"])
def test_turns_by_hand_are_rejected(throws, body, action):
    assert verdicts(throws, body, action) <= LIMITS[body]


@pytest.mark.parametrize("body", slow_except(LIMITS, "cube-42"))
def test_a_die_in_a_calm_hand_is_not_thrown(throws, body):
    assert verdicts(throws, body, "hold") == 0


def test_a_motion_with_a_misspelled_range_is_refused(throws):
    arguments = [throws, "cube-42", "drop", "1", "1", "tlt=0..15"]
    refused = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "keys: lean tilt drop hold spin" in refused.stderr
