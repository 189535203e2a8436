"""The other dice's table of throws and tricks, from this die's sensor to the program's verdict.

The limits leave room for chance; `python -m tests.firmware_ble.verdicts` measures the shares.
"""

import pytest

from tests.bench_dice.verdict_cells import tricks
from tests.slow import mostly_slow, slow_except

from .verdicts import BODIES, play

COUNT = 4
SEED = 77


def played(image, motions, body, action, ranges=()):
    """Return the outcomes of `COUNT` motions."""
    seeds = range(SEED, SEED + COUNT)
    return [play(image, motions, body, action, ranges, seed) for seed in seeds]


def accepted(outcomes, strictness):
    return sum(one.is_throw(strictness) for one in outcomes)


@pytest.mark.parametrize("body", slow_except(list(BODIES), "cube-30"))
@pytest.mark.parametrize("action", ["throw", "spun"])
def test_throws_are_accepted_everywhere_with_their_face(image, motions, body, action):
    outcomes = played(image, motions, body, action)
    assert accepted(outcomes, "club") >= COUNT - 1
    settled = [one for one in outcomes if one.reports[-1] == "settled"]
    assert all(one.reported_face == one.face for one in settled)


@pytest.mark.parametrize("body", slow_except(list(BODIES), "cube-30"))
def test_gentle_throws_are_accepted_at_home(image, motions, body):
    assert accepted(played(image, motions, body, "gentle"), "home") >= COUNT - 1


@pytest.mark.parametrize("body", slow_except(list(BODIES), "cube-30"))
@pytest.mark.parametrize("cell", mostly_slow(list(tricks()), 6), ids=lambda cell: cell.name)
def test_tricks_are_refused_at_a_club(image, motions, body, cell):
    outcomes = played(image, motions, body, cell.action, cell.ranges)
    assert accepted(outcomes, "club") <= 1
    assert all(one.reports[-1] != "nothing" for one in outcomes)
    if cell.action != "tip":
        assert sum(one.is_throw("home") and one.is_wanted for one in outcomes) <= 1


@pytest.mark.parametrize("body", slow_except(list(BODIES), "cube-30"))
def test_a_die_in_a_calm_hand_is_not_thrown(image, motions, body):
    assert not accepted(played(image, motions, body, "hold"), "home")
