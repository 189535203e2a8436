"""The comparison of the simulator's bodies with MuJoCo's, which need not be installed."""

import importlib.util
import math
import shutil
import subprocess
import sys

import pytest

from tests.firmware.conftest import FIRMWARE, make
from tools.body_comparison.falls import (
    GRAVITY,
    Tick,
    measure,
    multiplied,
    own_bodies,
    starts,
    turned,
    upright,
)

TIPS = tuple(
    tuple(part / math.sqrt(3) for part in tip)
    for tip in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
)
LYING = [Tick(True, 0.0, 0.0, upright(TIPS[0]))] * 3


def flying(ticks, spin=2.0):
    return [Tick(False, 1.0, spin, upright(TIPS[0]))] * ticks


def test_drops_have_the_tilt_and_the_height_of_hands():
    begun = list(starts("drop", TIPS[1], 300, 1))
    heights = [turned(start.attitude, TIPS[1])[2] for start in begun]
    tilts = [math.degrees(math.acos(min(1.0, height))) for height in heights]
    assert 0 <= min(tilts) < 2
    assert 43 < max(tilts) <= 45.001
    assert all(0.01 <= start.clearance <= 0.06 for start in begun)
    assert all(start.spin[:2] == (0, 0) for start in begun)


def test_upright_brings_each_direction_upwards():
    for tip in (*TIPS, (0.0, 0.0, -1.0)):
        assert turned(upright(tip), tip) == pytest.approx((0, 0, 1), abs=1e-9)


def test_a_fall_is_measured_from_its_ticks():
    other = [Tick(True, 0.3, 1.0, upright(TIPS[2]))]
    ticks = [*flying(50), *other, *flying(20, 1.0), *other, *flying(2), *other, *LYING]
    fall = measure(ticks, TIPS)
    assert (fall.flight_ms, fall.impacts, fall.spin_kept) == (50, 2, 0.5)
    assert fall.edges == 5
    assert fall.settle_ms == len(ticks) - len(LYING) - 1 - 50


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs Debian's gcc and libc6-dev")
def test_own_bodies_fall_as_long_as_gravity_says_and_come_to_rest():
    make(FIRMWARE / "sim", "../build/sim/falls")
    begun = list(starts("drop", TIPS[0], 20, 3))
    for start, ticks in zip(begun, own_bodies("tetrahedron-57", begun), strict=True):
        fall = measure(ticks, TIPS)
        alone = 1000 * math.sqrt(2 * start.clearance / GRAVITY)
        # A corner that turns down while the die falls touches earlier.
        assert 0.5 * alone - 2 <= fall.flight_ms <= alone + 2
        up = [turned(ticks[-1].attitude, tip)[2] for tip in TIPS]
        assert max(up) > 0.99


def test_turns_follow_each_other():
    first, second = upright(TIPS[1]), upright(TIPS[3])
    both = multiplied(second, first)
    assert turned(both, TIPS[0]) == pytest.approx(turned(second, turned(first, TIPS[0])))


@pytest.mark.skipif(importlib.util.find_spec("mujoco") is not None, reason="MuJoCo is installed")
def test_without_mujoco_the_command_says_how_to_install_it():
    done = subprocess.run(
        [sys.executable, "-m", "tools.body_comparison"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("MuJoCo is not installed; run `pip install -r ")


def test_both_bodies_fly_equally_long():
    pytest.importorskip("mujoco", reason="needs tools/body_comparison/requirements.txt")
    from tools.body_comparison.mujoco_bodies import (  # noqa: PLC0415 - may be missing
        mujoco_bodies,
        read_shape,
    )

    make(FIRMWARE / "sim", "../build/sim/falls")
    shape = read_shape("tetrahedron-57")
    begun = list(starts("throw", shape.ups[0], 5, 1))
    others = mujoco_bodies(shape, begun)
    for ours, theirs in zip(own_bodies("tetrahedron-57", begun), others, strict=True):
        flights = [measure(ticks, shape.ups).flight_ms for ticks in (ours, theirs)]
        assert flights[0] == pytest.approx(flights[1], abs=2)
