"""Dice that are thrown, lean, are turned by hand, fall silent."""

from random import Random

import pytest

from urpi.errors import UrpiError
from urpi.simulation.schedule import Schedule
from urpi.simulation.virtual_dice import FACES_OF_D6, TIPS, VirtualDice


class Tray:
    """Dice with a log of what they said."""

    def __init__(self, count=4, shows=TIPS, seed=3):
        self.schedule = Schedule()
        self.said = []
        self.dice = VirtualDice(self.schedule, Random(seed), self._hear, count=count, shows=shows)

    def _hear(self, report):
        self.said.append((self.schedule.now, report))

    def do(self, script):
        self.schedule.start(script)
        self.schedule.advance(self.schedule.now + 10_000)
        return [report for _, report in self.said]


def test_every_die_rolls_and_then_they_settle_one_after_another():
    tray = Tray()
    said = tray.do(tray.dice.throw([1, 2, 3, 4]))

    assert [report.state for report in said] == ["rolling"] * 4 + ["settled"] * 4
    assert sorted(report.die for report in said[4:]) == [1, 2, 3, 4]


def test_a_die_rolls_for_300_to_1500_milliseconds():
    tray = Tray()
    tray.do(tray.dice.throw([1]))

    (begin, _), (end, _) = tray.said
    assert 300 <= end - begin <= 1540


@pytest.mark.parametrize(("shows", "kind"), [(TIPS, 4), (FACES_OF_D6, 6)])
def test_a_settled_die_names_the_face_that_lies_up(shows, kind):
    tray = Tray(count=1, shows=shows)
    settled = tray.do(tray.dice.throw([1]))[-1]

    assert settled.kind == kind
    assert shows[settled.face - 1] == tray.dice.face(1)


def test_a_thrown_die_tumbles_or_falls():
    tray = Tray()
    settled = tray.do(tray.dice.throw([1, 2, 3, 4]))[4:]

    assert all(report.tumbles >= 2 and report.fall_ms >= 80 for report in settled)


def test_a_die_turned_by_hand_shows_another_face_and_did_not_tumble():
    tray = Tray()
    before = tray.do(tray.dice.throw([1]))[-1].face
    handled, settled = tray.do(tray.dice.turn_by_hand(1))[-2:]

    assert handled.state == "handled"
    assert settled.face != before
    assert settled.tumbles < 2
    assert settled.fall_ms < 80


def test_a_nudged_die_stays_on_its_face():
    tray = Tray()
    before = tray.do(tray.dice.throw([1]))[-1].face

    assert tray.do(tray.dice.nudge(1))[-1].face == before


def test_a_cocked_die_says_how_far_it_leans_and_no_face():
    tray = Tray()
    said = tray.do(tray.dice.throw([1, 2], cocked=[2]))
    (cocked,) = [report for report in said if report.state == "cocked"]

    assert (cocked.die, cocked.face) == (2, None)
    assert cocked.angle_deg >= 12


def test_a_lost_die_says_nothing_until_it_is_found():
    tray = Tray()
    tray.dice.disconnect(1)
    tray.do(tray.dice.throw([1]))
    tray.dice.reconnect(1)

    assert [report.state for _, report in tray.said] == ["lost", "found"]


def test_a_die_that_learns_a_face_keeps_every_face_once():
    tray = Tray()
    up = tray.do(tray.dice.throw([1]))[-1].face
    other = up % 4 + 1
    tray.dice.calibrate(1, other)

    assert tray.do(tray.dice.nudge(1))[-1].face == other
    faces = {tray.do(tray.dice.throw([1]))[-1].face for _ in range(60)}
    assert faces == {1, 2, 3, 4}


def test_a_die_that_has_learnt_says_the_new_name_of_what_lies_up():
    tray = Tray()
    up = tray.do(tray.dice.throw([1]))[-1].face
    tray.dice.calibrate(1, up % 4 + 1)

    _, answer = tray.said[-1]
    assert (answer.state, answer.face) == ("settled", up % 4 + 1)
    assert (answer.tumbles, answer.fall_ms) == (0, 0)


def test_a_die_laid_down_by_hand_shows_that_corner_and_was_not_thrown():
    tray = Tray()
    handled, settled = tray.do(tray.dice.lay(1, 3))

    assert handled.state == "handled"
    assert (settled.state, settled.face, settled.tumbles, settled.fall_ms) == ("settled", 3, 1, 0)


@pytest.mark.parametrize("corner", [0, 5])
def test_a_corner_that_is_none_is_named(corner):
    with pytest.raises(UrpiError, match=f"no corner {corner}; it has 1 to 4"):
        next(Tray().dice.lay(1, corner))


def test_a_die_that_is_none_is_named():
    tray = Tray()
    with pytest.raises(UrpiError, match=r"no die 9.*1 to 4"):
        tray.do(tray.dice.throw([9]))
