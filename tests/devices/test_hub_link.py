from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.devices.die_faces import DieFaces
from urpi.devices.hub_link import HubLink, HubSettings
from urpi.devices.protocol import AckLine, AskLine, DieLine, HubLine, LedLine
from urpi.referee.facts import Die

SETTINGS = HubSettings(silence_ms=3000)
SETTLED = DieLine(18, 2, "settled", 41, 4, 1, 2, 6, 180, 3870, t_ms=500)
OPENED_AT = 10_000


def beat(t_ms=0, **changes):
    return replace(HubLine(1, "1.0.0", "5F3A", 4, t_ms), **changes)


def report(state, seq, die=2, t_ms=0):
    return DieLine(seq, die, state, t_ms=t_ms)


def settled(seq, die=2, **changes):
    return replace(SETTLED, seq=seq, die=die, **changes)


@pytest.fixture
def link():
    link = HubLink(DieFaces(), SETTINGS)
    link.on_open("/dev/urpi-hub", OPENED_AT)
    link.on_line(beat(0), OPENED_AT)
    return link


def facts(link, *lines, now=OPENED_AT + 1000):
    return [fact for line in lines for fact in link.on_line(line, now).facts]


def states(found):
    return [(fact.die, fact.state) for fact in found]


def test_an_opened_port_is_asked_for_everything():
    link = HubLink(DieFaces(), SETTINGS)
    assert link.on_open("/dev/urpi-hub", 0).replies == (AskLine(),)
    assert link.health.connected
    assert not link.health.alive


def test_the_first_greeting_is_asked_again_and_later_ones_are_not():
    link = HubLink(DieFaces(), SETTINGS)
    link.on_open("/dev/urpi-hub", 0)
    assert link.on_line(beat(0), 10).replies == (AskLine(),)
    assert link.on_line(beat(1000), 1010).replies == ()


def test_a_report_is_handed_on_and_acknowledged(link):
    outcome = link.on_line(SETTLED, OPENED_AT + 600)
    story = {"angle": 2, "tumbles": 6, "fall_ms": 180}
    assert outcome.facts == (Die(OPENED_AT + 500, 2, "settled", "g", tumbled=True, **story),)
    assert outcome.replies == (AckLine(18),)


@pytest.mark.parametrize("state", ["rolling", "cocked", "handled"])
def test_a_die_that_does_not_lie_has_no_face(link, state):
    assert facts(link, report(state, 1)) == [Die(OPENED_AT, 2, state)]


@pytest.mark.parametrize(("face", "shown"), [(1, "g"), (2, "s"), (3, "-"), (4, "-")])
def test_a_tetrahedron_shows_its_tip(link, face, shown):
    assert facts(link, settled(1, face=face))[0].face == shown


def test_a_cube_shows_its_number(link):
    assert facts(link, settled(1, kind=6, face=5))[0].face == "5"


@pytest.mark.parametrize(
    ("tumbles", "fall_ms", "thrown"),
    [(2, 0, True), (1, 79, False), (0, 80, True), (0, 0, False), (None, None, False)],
)
def test_thrown_is_two_faces_or_eighty_milliseconds(link, tumbles, fall_ms, thrown):
    found = facts(link, settled(1, tumbles=tumbles, fall_ms=fall_ms))
    assert [fact.tumbled for fact in found] == [thrown]


def test_a_repeated_report_is_acknowledged_and_no_second_fact(link):
    link.on_line(SETTLED, OPENED_AT + 600)
    again = link.on_line(SETTLED, OPENED_AT + 750)
    assert (again.facts, again.replies) == ((), (AckLine(18),))
    assert link.health.repeats == 1


def test_a_late_report_does_not_overtake_a_newer_one_of_its_die(link):
    facts(link, settled(18))
    late = link.on_line(report("rolling", 17), OPENED_AT + 800)
    assert (late.facts, late.replies) == ((), (AckLine(17),))


def test_reports_of_several_dice_may_come_in_any_order(link):
    assert states(facts(link, settled(18, die=2), settled(17, die=1))) == [
        (2, "settled"),
        (1, "settled"),
    ]


def test_report_numbers_wrap(link):
    found = facts(link, report("rolling", 65_535), settled(0), report("rolling", 65_535))
    assert states(found) == [(2, "rolling"), (2, "settled")]


def test_a_new_host_takes_the_present_state_from_the_answer():
    link = HubLink(DieFaces(), SETTINGS)
    link.on_open("/dev/urpi-hub", OPENED_AT)
    assert states(facts(link, beat(1000), settled(18), report("lost", 9, die=3))) == [
        (2, "settled"),
        (3, "lost"),
    ]


def test_an_answer_that_repeats_what_is_known_is_no_news(link):
    facts(link, settled(18), settled(19, die=1))
    assert facts(link, settled(18), settled(19, die=1)) == []


def test_the_dice_of_an_unplugged_hub_are_lost_once_and_found_again(link):
    facts(link, settled(18), settled(19, die=1))
    assert states(link.on_close("gone", 12_000).facts) == [(1, "lost"), (2, "lost")]
    assert link.on_close("still gone", 13_000).facts == ()
    link.on_open("/dev/urpi-hub", 14_000)
    assert facts(link, beat(4000), settled(18), now=14_010) == [Die(14_000, 2, "found")]
    assert link.health.dice == (2,)


def test_what_happened_while_the_hub_was_away_is_told_after_the_die_is_found(link):
    facts(link, settled(18))
    link.on_close("gone", 12_000)
    link.on_open("/dev/urpi-hub", 14_000)
    found = facts(link, beat(4000), settled(21, face=2, t_ms=3000), now=14_010)
    assert states(found) == [(2, "found"), (2, "settled")]
    assert [fact.t for fact in found] == [14_000, 14_000]
    assert found[1].face == "s"
    assert found[1].tumbled


def test_a_hub_that_is_plugged_in_new_counts_from_the_start(link):
    facts(link, settled(500))
    link.on_close("gone", 12_000)
    link.on_open("/dev/urpi-hub", 14_000)
    found = facts(link, beat(5), report("found", 0, t_ms=900), settled(1, t_ms=950), now=15_000)
    assert states(found) == [(2, "found"), (2, "settled")]


def test_a_hub_that_starts_anew_while_plugged_in_is_asked_and_its_dice_are_lost(link):
    facts(link, beat(1000), settled(500))
    anew = link.on_line(beat(3), 11_500)
    assert states(anew.facts) == [(2, "lost")]
    assert anew.replies == (AskLine(),)
    assert states(facts(link, settled(1), now=12_000)) == [(2, "found"), (2, "settled")]


def test_a_silent_hub_has_lost_its_dice_after_three_seconds(link):
    facts(link, settled(18))
    assert link.tick(OPENED_AT + 2999).facts == ()
    assert link.health.alive
    assert link.tick(OPENED_AT + 3000).facts == (Die(OPENED_AT + 3000, 2, "lost"),)
    assert not link.health.alive
    assert link.tick(OPENED_AT + 9000).facts == ()


def test_a_hub_that_speaks_again_is_asked_and_its_dice_are_found(link):
    facts(link, settled(18))
    link.tick(OPENED_AT + 3000)
    assert link.on_line(beat(5000), OPENED_AT + 5000).replies == (AskLine(),)
    assert states(facts(link, settled(18), now=OPENED_AT + 5010)) == [(2, "found")]


def test_the_dice_of_a_hub_whose_radio_is_dead_are_lost_until_it_hears_again(link):
    facts(link, settled(18))
    radio_failed = link.on_line(beat(1000, error="radio"), OPENED_AT + 1000)
    assert states(radio_failed.facts) == [(2, "lost")]
    assert radio_failed.replies == ()
    assert (link.health.alive, link.health.available) == (True, False)
    assert link.on_line(beat(2000, error="radio"), OPENED_AT + 2000).facts == ()
    well = link.on_line(beat(3000), OPENED_AT + 3000)
    assert well.replies == (AskLine(),), "dice at rest are silent, but the hub knows them"
    assert link.health.available
    assert states(facts(link, settled(18), now=OPENED_AT + 3010)) == [(2, "found")]


def test_a_hub_without_an_identity_hears_its_dice(link):
    facts(link, beat(1000, error="identity"), settled(18))
    assert link.health.available
    assert link.health.dice == (2,)


def test_a_die_that_the_hub_lost_is_lost_and_found_once(link):
    lines = [settled(1), report("lost", 2), report("lost", 3), report("found", 4)]
    assert states(facts(link, *lines)) == [(2, "settled"), (2, "lost"), (2, "found")]


def test_a_die_that_the_hub_lost_is_not_lost_again_by_unplugging(link):
    facts(link, settled(1), report("lost", 2))
    assert link.on_close("gone", 12_000).facts == ()


@pytest.mark.parametrize(
    ("voltages", "low"), [([3300], ()), ([3299], (2,)), ([3299, 3350], (2,)), ([3299, 3400], ())]
)
def test_a_low_battery_is_told_until_it_is_well_charged(link, voltages, low):
    facts(link, *(settled(seq, battery_mv=mv) for seq, mv in enumerate(voltages)))
    assert link.health.low == low


def test_another_protocol_is_told(link):
    assert link.health.protocol_supported
    facts(link, beat(1000, proto=2))
    assert not link.health.protocol_supported


def test_a_line_that_only_a_hub_is_sent_is_passed_over(link):
    assert link.on_line(LedLine(2, 1), OPENED_AT).replies == ()


steps = st.one_of(
    st.tuples(st.just("line"), st.integers(1, 3), st.sampled_from(["rolling", "settled", "lost"])),
    st.tuples(st.just("again"), st.integers(1, 3), st.none()),
    st.tuples(st.sampled_from(["unplug", "silence", "beat"]), st.none(), st.none()),
)


@given(st.lists(steps, max_size=40), st.integers(0, 65_535))
def test_lost_and_found_take_turns_and_time_never_goes_back(walk, seq):
    link = HubLink(DieFaces(), SETTINGS)
    now, last, found = OPENED_AT, {}, list(link.on_open("p", OPENED_AT).facts)
    for what, die, state in walk:
        now += 700
        if what == "line":
            seq = (seq + 1) % 65_536
            last[die] = settled(seq, die) if state == "settled" else report(state, seq, die)
        if what in {"line", "again"} and die in last:
            found += link.on_line(last[die], now).facts
        elif what == "beat":
            found += link.on_line(beat(now), now).facts
        elif what == "unplug":
            found += link.on_close("gone", now).facts + link.on_open("p", now).facts
        elif what == "silence":
            now += 4000
            found += link.tick(now).facts
    assert [fact.t for fact in found] == sorted(fact.t for fact in found)
    for die in (1, 2, 3):
        lost = [fact.state for fact in found if fact.die == die]
        for before, after in pairwise(lost):
            assert (before == "lost") == (after == "found")
