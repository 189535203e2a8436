"""What is known of each die from the hub's lines."""

from dataclasses import replace

from urpi.commands.dice.roster import DieView, Roster
from urpi.devices import DieLine

ROLLING = DieLine(17, 2, "rolling", 41, t_ms=500)
SETTLED = DieLine(18, 2, "settled", 41, 4, 3, 2, 6, 180, 3870, t_ms=900)
LOST = DieLine(19, 2, "lost", t_ms=2000)


def after(*lines: DieLine) -> DieView:
    roster = Roster()
    for now, line in enumerate(lines):
        roster.heard(line, 1000 * now)
    return roster[2]


def test_a_die_that_was_never_heard_is_lost():
    assert Roster()[2] == DieView(2)
    assert Roster()[2].state == "lost"


def test_the_last_report_says_how_it_is():
    view = after(ROLLING, SETTLED)
    assert (view.state, view.line, view.heard_ms) == ("settled", SETTLED, 1000)


def test_what_a_line_leaves_out_stays_as_it_was_told():
    view = after(SETTLED, replace(ROLLING, seq=19, throws=None, t_ms=1500))
    assert (view.throws, view.battery_mv) == (41, 3870)


def test_a_report_said_again_is_a_repeat_and_changes_nothing():
    view = after(ROLLING, SETTLED, ROLLING, SETTLED)
    assert (view.state, view.repeats, view.heard_ms) == ("settled", 2, 3000)


def test_a_lost_die_was_heard_last_before_that():
    view = after(SETTLED, LOST)
    assert (view.state, view.heard_ms) == ("lost", 0)


def test_a_silent_hubs_dice_are_back_when_it_says_their_reports_again():
    roster = Roster()
    roster.heard(SETTLED, 0)
    assert roster.lost(2).state == "lost"
    assert roster.heard(SETTLED, 9000).state == "settled"


def test_a_die_that_its_hub_still_calls_lost_is_not_back():
    roster = Roster()
    roster.heard(SETTLED, 0)
    roster.heard(LOST, 0)
    roster.lost(2)
    assert roster.heard(LOST, 9000).state == "lost"


def test_throws_that_were_never_heard_of_are_missed():
    later = replace(ROLLING, seq=30, throws=44, t_ms=9000)
    assert after(ROLLING, SETTLED, later).missed == 2


def test_the_count_of_throws_goes_round():
    last = replace(SETTLED, throws=65535)
    assert after(last, replace(ROLLING, throws=0, t_ms=9000)).missed == 0
    assert after(last, replace(ROLLING, throws=1, t_ms=9000)).missed == 1


def test_a_die_with_a_new_battery_begins_at_0_and_missed_none():
    assert after(SETTLED, replace(ROLLING, seq=30, throws=1, t_ms=9000)).missed == 0


def test_dice_are_listed_by_their_numbers():
    roster = Roster()
    for die in (3, 1, 2):
        roster.heard(replace(ROLLING, die=die), 0)
    assert [view.die for view in roster.views] == [1, 2, 3]
