from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import HubLink, HubSettings
from urpi.hardware.protocol import AckLine, AskLine, DieLine, HubLine, LedLine
from urpi.referee.facts import Die

SETTINGS = HubSettings(silence_ms=3000)
SETTLED = DieLine(18, 2, "settled", 41, 4, 1, 2, 6, 180, 3870, t_ms=500)
OPENED_AT = 10_000


def heartbeat(t_ms=0, **changes):
    return replace(HubLine(1, "1.0.0", "5F3A", 4, t_ms), **changes)


def report(state, seq, die=2, t_ms=0):
    return DieLine(seq, die, state, t_ms=t_ms)


def settled(seq, die=2, **changes):
    return replace(SETTLED, seq=seq, die=die, **changes)


@pytest.fixture
def link():
    link = HubLink(DieFaces(), SETTINGS)
    link.on_open("/dev/urpi-hub", OPENED_AT)
    link.on_line(heartbeat(0), OPENED_AT)
    return link


def facts(link, *lines, now=OPENED_AT + 1000):
    return [fact for line in lines for fact in link.on_line(line, now).facts]


def states(result):
    return [(fact.die, fact.state) for fact in result]


def test_open_sends_a_request():
    link = HubLink(DieFaces(), SETTINGS)
    assert link.on_open("/dev/urpi-hub", 0).replies == (AskLine(),)
    assert link.health.connected
    assert not link.health.alive


def test_request_is_repeated_after_the_first_greeting_only():
    link = HubLink(DieFaces(), SETTINGS)
    link.on_open("/dev/urpi-hub", 0)
    assert link.on_line(heartbeat(0), 10).replies == (AskLine(),)
    assert link.on_line(heartbeat(1000), 1010).replies == ()


def test_report_becomes_a_fact_and_is_acknowledged(link):
    outcome = link.on_line(SETTLED, OPENED_AT + 600)
    story = {"angle": 2, "tumbles": 6, "fall_ms": 180}
    assert outcome.facts == (Die(OPENED_AT + 500, 2, "settled", "g", tumbled=True, **story),)
    assert outcome.replies == (AckLine(18),)


@pytest.mark.parametrize("state", ["rolling", "cocked", "handled"])
def test_moving_die_has_no_face(link, state):
    assert facts(link, report(state, 1)) == [Die(OPENED_AT, 2, state)]


@pytest.mark.parametrize(("face", "shown"), [(1, "g"), (2, "s"), (3, "-"), (4, "-")])
def test_tetrahedron_shows_its_tip(link, face, shown):
    assert facts(link, settled(1, face=face))[0].face == shown


def test_cube_shows_its_number(link):
    assert facts(link, settled(1, kind=6, face=5))[0].face == "5"


@pytest.mark.parametrize(
    ("tumbles", "fall_ms", "thrown"),
    [(2, 0, True), (1, 79, False), (0, 80, True), (0, 0, False), (None, None, False)],
)
def test_thrown_is_two_faces_or_80_ms_of_fall(link, tumbles, fall_ms, thrown):
    result = facts(link, settled(1, tumbles=tumbles, fall_ms=fall_ms))
    assert [fact.tumbled for fact in result] == [thrown]


@pytest.mark.parametrize("thrown", [0, 1])
def test_the_verdict_of_the_die_counts_more_than_its_tumbles_and_fall(link, thrown):
    result = facts(link, settled(1, tumbles=9 * (1 - thrown), fall_ms=0, thrown=thrown))
    assert [fact.tumbled for fact in result] == [thrown == 1]


@pytest.mark.parametrize(("strictness", "thrown"), [("home", True), ("club", False)])
def test_the_table_decides_by_the_evidence_of_the_die(strictness, thrown):
    """The die was held, flew for 110 ms, and ended turned by 60 degrees over an edge."""
    link = HubLink(DieFaces(), HubSettings(strictness=strictness))
    link.on_open("/dev/urpi-hub", OPENED_AT)
    line = settled(1, angle_deg=16 + 2, tumbles=4 * 20 + 1, fall_ms=110, thrown=1)
    [fact] = facts(link, line)
    assert (fact.tumbled, fact.angle, fact.tumbles, fact.fall_ms) == (thrown, 2, 1, 110)


def test_repeated_report_is_acknowledged_without_a_fact(link):
    link.on_line(SETTLED, OPENED_AT + 600)
    again = link.on_line(SETTLED, OPENED_AT + 750)
    assert (again.facts, again.replies) == ((), (AckLine(18),))
    assert link.health.repeats == 1


def test_late_report_does_not_replace_a_newer_one(link):
    facts(link, settled(18))
    late = link.on_line(report("rolling", 17), OPENED_AT + 800)
    assert (late.facts, late.replies) == ((), (AckLine(17),))


def test_reports_of_several_dice_can_arrive_in_any_order(link):
    assert states(facts(link, settled(18, die=2), settled(17, die=1))) == [
        (2, "settled"),
        (1, "settled"),
    ]


def test_report_numbers_wrap(link):
    result = facts(link, report("rolling", 65_535), settled(0), report("rolling", 65_535))
    assert states(result) == [(2, "rolling"), (2, "settled")]


def test_new_host_gets_the_current_states():
    link = HubLink(DieFaces(), SETTINGS)
    link.on_open("/dev/urpi-hub", OPENED_AT)
    assert states(facts(link, heartbeat(1000), settled(18), report("lost", 9, die=3))) == [
        (2, "settled"),
        (3, "lost"),
    ]


def test_known_reports_in_a_reply_emit_nothing(link):
    facts(link, settled(18), settled(19, die=1))
    assert facts(link, settled(18), settled(19, die=1)) == []


def test_dice_of_an_unplugged_hub_are_lost_once_and_found_again(link):
    facts(link, settled(18), settled(19, die=1))
    assert states(link.on_close("gone", 12_000).facts) == [(1, "lost"), (2, "lost")]
    assert link.on_close("still gone", 13_000).facts == ()
    link.on_open("/dev/urpi-hub", 14_000)
    assert facts(link, heartbeat(4000), settled(18), now=14_010) == [Die(14_000, 2, "found")]
    assert link.health.dice == (2,)


def test_report_from_a_disconnection_follows_the_found_fact(link):
    facts(link, settled(18))
    link.on_close("gone", 12_000)
    link.on_open("/dev/urpi-hub", 14_000)
    result = facts(link, heartbeat(4000), settled(21, face=2, t_ms=3000), now=14_010)
    assert states(result) == [(2, "found"), (2, "settled")]
    assert [fact.t for fact in result] == [14_000, 14_000]
    assert result[1].face == "s"
    assert result[1].tumbled


def test_throw_during_a_disconnection_is_seen_although_the_face_is_the_same(link):
    facts(link, settled(18, throws=41))
    link.on_close("gone", 12_000)
    link.on_open("/dev/urpi-hub", 13_000)
    link.on_line(heartbeat(3000), 13_000)
    thrown = facts(link, settled(20, throws=42), now=13_010)
    assert states(thrown) == [(2, "found"), (2, "rolling"), (2, "settled")]


def test_throw_of_a_die_that_was_out_of_range_is_seen(link):
    facts(link, settled(18, throws=41), report("lost", 19))
    thrown = facts(link, settled(20, throws=42))
    assert states(thrown) == [(2, "found"), (2, "rolling"), (2, "settled")]


def test_restarted_hub_repeats_the_old_result_without_a_throw(link):
    facts(link, settled(18, throws=41))
    link.on_line(heartbeat(60_000), 70_000)
    link.on_line(heartbeat(10), 71_000)
    assert states(facts(link, settled(1, throws=41), now=71_010)) == [(2, "found"), (2, "settled")]


def test_throw_whose_first_report_arrived_rolls_once(link):
    rolling = replace(report("rolling", 19), throws=42)
    thrown = facts(link, settled(18, throws=41), rolling, settled(20, throws=42))
    assert states(thrown) == [(2, "settled"), (2, "rolling"), (2, "settled")]


def test_die_that_was_set_down_with_a_new_count_does_not_roll(link):
    laid = settled(20, throws=42, tumbles=0, fall_ms=0)
    assert states(facts(link, settled(18, throws=41), laid)) == [(2, "settled"), (2, "settled")]


def test_replaced_hub_numbers_from_the_start(link):
    facts(link, settled(500))
    link.on_close("gone", 12_000)
    link.on_open("/dev/urpi-hub", 14_000)
    result = facts(
        link, heartbeat(5), report("found", 0, t_ms=900), settled(1, t_ms=950), now=15_000
    )
    assert states(result) == [(2, "found"), (2, "settled")]


def test_restarted_hub_loses_its_dice_and_is_queried(link):
    facts(link, heartbeat(1000), settled(500))
    restarted = link.on_line(heartbeat(3), 11_500)
    assert states(restarted.facts) == [(2, "lost")]
    assert restarted.replies == (AskLine(),)
    assert states(facts(link, settled(1), now=12_000)) == [(2, "found"), (2, "settled")]


def test_silent_hub_loses_its_dice_after_three_seconds(link):
    facts(link, settled(18))
    assert link.tick(OPENED_AT + 2999).facts == ()
    assert link.health.alive
    assert link.tick(OPENED_AT + 3000).facts == (Die(OPENED_AT + 3000, 2, "lost"),)
    assert not link.health.alive
    assert link.tick(OPENED_AT + 9000).facts == ()


def test_hub_is_queried_after_silence_and_its_dice_are_found(link):
    facts(link, settled(18))
    link.tick(OPENED_AT + 3000)
    assert link.on_line(heartbeat(5000), OPENED_AT + 5000).replies == (AskLine(),)
    assert states(facts(link, settled(18), now=OPENED_AT + 5010)) == [(2, "found")]


def test_radio_failure_loses_the_dice_until_it_recovers(link):
    facts(link, settled(18))
    radio_failed = link.on_line(heartbeat(1000, error="radio"), OPENED_AT + 1000)
    assert states(radio_failed.facts) == [(2, "lost")]
    assert radio_failed.replies == ()
    assert (link.health.alive, link.health.available) == (True, False)
    assert link.on_line(heartbeat(2000, error="radio"), OPENED_AT + 2000).facts == ()
    recovered = link.on_line(heartbeat(3000), OPENED_AT + 3000)
    # Dice at rest send no reports, but the hub knows their last ones.
    assert recovered.replies == (AskLine(),)
    assert link.health.available
    assert states(facts(link, settled(18), now=OPENED_AT + 3010)) == [(2, "found")]


def test_hub_without_an_identity_is_available(link):
    facts(link, heartbeat(1000, error="identity"), settled(18))
    assert link.health.available
    assert link.health.dice == (2,)


def test_die_lost_by_the_hub_is_lost_and_found_once(link):
    lines = [settled(1), report("lost", 2), report("lost", 3), report("found", 4)]
    assert states(facts(link, *lines)) == [(2, "settled"), (2, "lost"), (2, "found")]


def test_die_lost_by_the_hub_is_not_lost_again_by_unplugging(link):
    facts(link, settled(1), report("lost", 2))
    assert link.on_close("gone", 12_000).facts == ()


@pytest.mark.parametrize(
    ("voltages", "low"), [([3300], ()), ([3299], (2,)), ([3299, 3350], (2,)), ([3299, 3400], ())]
)
def test_battery_is_low_until_well_above_the_limit(link, voltages, low):
    facts(link, *(settled(seq, battery_mv=mv) for seq, mv in enumerate(voltages)))
    assert link.health.low == low


def test_other_protocol_is_not_supported(link):
    assert link.health.protocol_supported
    facts(link, heartbeat(1000, proto=2))
    assert not link.health.protocol_supported


def test_line_for_the_hub_is_ignored(link):
    assert link.on_line(LedLine(2, 1), OPENED_AT).replies == ()


steps = st.one_of(
    st.tuples(st.just("line"), st.integers(1, 3), st.sampled_from(["rolling", "settled", "lost"])),
    st.tuples(st.just("again"), st.integers(1, 3), st.none()),
    st.tuples(st.sampled_from(["unplug", "silence", "heartbeat"]), st.none(), st.none()),
)


@given(st.lists(steps, max_size=40), st.integers(0, 65_535))
def test_lost_and_found_alternate_and_times_do_not_decrease(walk, seq):
    link = HubLink(DieFaces(), SETTINGS)
    now, last, result = OPENED_AT, {}, list(link.on_open("p", OPENED_AT).facts)
    for what, die, state in walk:
        now += 700
        if what == "line":
            seq = (seq + 1) % 65_536
            last[die] = settled(seq, die) if state == "settled" else report(state, seq, die)
        if what in {"line", "again"} and die in last:
            result += link.on_line(last[die], now).facts
        elif what == "heartbeat":
            result += link.on_line(heartbeat(now), now).facts
        elif what == "unplug":
            result += link.on_close("gone", now).facts + link.on_open("p", now).facts
        elif what == "silence":
            now += 4000
            result += link.tick(now).facts
    assert [fact.t for fact in result] == sorted(fact.t for fact in result)
    for die in (1, 2, 3):
        lost = [fact.state for fact in result if fact.die == die]
        for before, after in pairwise(lost):
            assert (before == "lost") == (after == "found")
