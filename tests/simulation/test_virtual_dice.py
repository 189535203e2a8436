"""Dice that are thrown, lean, are turned by hand, or have no signal."""

from random import Random

import pytest

from urpi.core.errors import UrpiError
from urpi.simulation.schedule import Schedule
from urpi.simulation.virtual_dice import FACES_OF_D6, TIPS, VirtualDice


class Tray:
    """Dice with a log of their reports."""

    def __init__(self, count=4, shows=TIPS, seed=3):
        self.schedule = Schedule()
        self.reports = []
        self.dice = VirtualDice(self.schedule, Random(seed), self._hear, count=count, shows=shows)

    def _hear(self, report):
        self.reports.append((self.schedule.now, report))

    def do(self, script):
        self.schedule.start(script)
        self.schedule.advance(self.schedule.now + 10_000)
        return [report for _, report in self.reports]


def test_all_dice_roll_and_settle_one_after_another():
    tray = Tray()
    reports = tray.do(tray.dice.throw([1, 2, 3, 4]))

    assert [report.state for report in reports] == ["rolling"] * 4 + ["settled"] * 4
    assert sorted(report.die for report in reports[4:]) == [1, 2, 3, 4]


def test_a_die_rolls_for_300_to_1500_milliseconds():
    tray = Tray()
    tray.do(tray.dice.throw([1]))

    (begin, _), (end, _) = tray.reports
    assert 300 <= end - begin <= 1540


@pytest.mark.parametrize(("shows", "kind"), [(TIPS, 4), (FACES_OF_D6, 6)])
def test_a_settled_die_reports_the_face_up(shows, kind):
    tray = Tray(count=1, shows=shows)
    settled = tray.do(tray.dice.throw([1]))[-1]

    assert settled.kind == kind
    assert shows[settled.face - 1] == tray.dice.face(1)


def test_a_thrown_die_tumbles_or_falls():
    tray = Tray()
    settled = tray.do(tray.dice.throw([1, 2, 3, 4]))[4:]

    assert all(report.tumbles >= 2 and report.fall_ms >= 80 for report in settled)


def test_a_die_turned_by_hand_reports_another_face_and_no_tumbling():
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


def test_a_cocked_die_reports_its_angle_and_no_face():
    tray = Tray()
    reports = tray.do(tray.dice.throw([1, 2], cocked=[2]))
    (cocked,) = [report for report in reports if report.state == "cocked"]

    assert (cocked.die, cocked.face) == (2, None)
    assert cocked.angle_deg >= 12


def test_a_disconnected_die_sends_no_reports():
    tray = Tray()
    tray.dice.disconnect(1)
    tray.do(tray.dice.throw([1]))
    tray.dice.reconnect(1)

    assert [report.state for _, report in tray.reports] == ["lost", "found"]


def test_calibrating_a_face_keeps_every_number_once():
    tray = Tray()
    up = tray.do(tray.dice.throw([1]))[-1].face
    other = up % 4 + 1
    tray.dice.calibrate(1, other)

    assert tray.do(tray.dice.nudge(1))[-1].face == other
    faces = {tray.do(tray.dice.throw([1]))[-1].face for _ in range(60)}
    assert faces == {1, 2, 3, 4}


def test_a_calibrated_die_reports_the_new_number():
    tray = Tray()
    up = tray.do(tray.dice.throw([1]))[-1].face
    tray.dice.calibrate(1, up % 4 + 1)

    _, answer = tray.reports[-1]
    assert (answer.state, answer.face) == ("settled", up % 4 + 1)
    assert (answer.tumbles, answer.fall_ms) == (0, 0)


def test_a_die_laid_down_by_hand_reports_that_corner_and_no_throw():
    tray = Tray()
    handled, settled = tray.do(tray.dice.lay(1, 3))

    assert handled.state == "handled"
    assert (settled.state, settled.face, settled.tumbles, settled.fall_ms) == ("settled", 3, 1, 0)


@pytest.mark.parametrize("corner", [0, 5])
def test_an_invalid_corner_is_an_error(corner):
    with pytest.raises(UrpiError, match=f"no corner {corner}; it has 1 to 4"):
        next(Tray().dice.lay(1, corner))


def test_an_unknown_die_is_an_error():
    tray = Tray()
    with pytest.raises(UrpiError, match=r"no die 9.*1 to 4"):
        tray.do(tray.dice.throw([9]))
