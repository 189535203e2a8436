"""The status of each die, from the hub's lines."""

from dataclasses import replace

from urpi.cli.dice.roster import DieView, Roster
from urpi.hardware import DieLine

ROLLING = DieLine(17, 2, "rolling", 41, t_ms=500)
SETTLED = DieLine(18, 2, "settled", 41, 4, 3, 2, 6, 180, 3870, t_ms=900)
LOST = DieLine(19, 2, "lost", t_ms=2000)


def after(*lines: DieLine) -> DieView:
    roster = Roster()
    for now, line in enumerate(lines):
        roster.on_line(line, 1000 * now)
    return roster[2]


def test_a_die_that_never_reported_is_lost():
    assert Roster()[2] == DieView(2)
    assert Roster()[2].state == "lost"


def test_the_state_is_that_of_the_last_report():
    view = after(ROLLING, SETTLED)
    assert (view.state, view.line, view.received_ms) == ("settled", SETTLED, 1000)


def test_a_value_missing_in_a_line_is_kept():
    view = after(SETTLED, replace(ROLLING, seq=19, throws=None, t_ms=1500))
    assert (view.throws, view.battery_mv) == (41, 3870)


def test_a_repeated_report_is_counted_and_changes_nothing_else():
    view = after(ROLLING, SETTLED, ROLLING, SETTLED)
    assert (view.state, view.repeats, view.received_ms) == ("settled", 2, 3000)


def test_the_loss_of_a_die_does_not_change_the_time_of_its_last_line():
    view = after(SETTLED, LOST)
    assert (view.state, view.received_ms) == ("lost", 0)


def test_dice_of_a_silent_hub_are_in_range_when_their_reports_are_repeated():
    roster = Roster()
    roster.on_line(SETTLED, 0)
    assert roster.on_lost(2).state == "lost"
    assert roster.on_line(SETTLED, 9000).state == "settled"


def test_a_repeated_loss_does_not_bring_a_die_into_range():
    roster = Roster()
    roster.on_line(SETTLED, 0)
    roster.on_line(LOST, 0)
    roster.on_lost(2)
    assert roster.on_line(LOST, 9000).state == "lost"


def test_throws_without_a_report_are_counted_as_missed():
    later = replace(ROLLING, seq=30, throws=44, t_ms=9000)
    assert after(ROLLING, SETTLED, later).missed == 2


def test_the_count_of_throws_overflows_to_0():
    last = replace(SETTLED, throws=65535)
    assert after(last, replace(ROLLING, throws=0, t_ms=9000)).missed == 0
    assert after(last, replace(ROLLING, throws=1, t_ms=9000)).missed == 1


def test_a_die_with_a_new_battery_starts_at_0_and_missed_none():
    assert after(SETTLED, replace(ROLLING, seq=30, throws=1, t_ms=9000)).missed == 0


def test_dice_are_listed_by_number():
    roster = Roster()
    for die in (3, 1, 2):
        roster.on_line(replace(ROLLING, die=die), 0)
    assert [view.die for view in roster.views] == [1, 2, 3]
