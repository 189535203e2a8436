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


def verdicts(throws, body, action):
    """Return how many of `COUNT` motions were reported as throws."""
    output = subprocess.check_output([throws, body, action, str(COUNT), str(SEED)], text=True)
    assert output.count("\n") == COUNT
    return sum("event=settled" in line and "thrown=1" in line for line in output.splitlines())


@pytest.mark.parametrize("body", slow_except(LIMITS, "tetrahedron-57"))
@pytest.mark.parametrize("action", ["throw", "gentle", "spun"])
def test_throws_are_accepted(throws, body, action):
    assert verdicts(throws, body, action) >= COUNT - LIMITS[body]


@pytest.mark.parametrize("body", slow_except(LIMITS, "tetrahedron-57"))
@pytest.mark.parametrize("action", ["set", "drop", "place", "tip"])
def test_tricks_are_rejected(throws, body, action):
    assert verdicts(throws, body, action) <= LIMITS[body]


@pytest.mark.parametrize("body", slow_except(LIMITS, "cube-42"))
def test_a_die_in_a_calm_hand_is_not_thrown(throws, body):
    assert verdicts(throws, body, "hold") == 0
