"""Every limit of the referee is one of its timing, which is stored with the game."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from urpi.referee import Timing, next_due, snapshot, step
from urpi.referee.decisions import Moved
from urpi.referee.facts import Edge, Occupancy, Time
from urpi.referee.settings import FixedTiming
from urpi.rules import Side, parse_square

CAPTURE = "finkel A1:L,B2:D,B4:D L6D5 L0D0 L"


def thrown(position: str, faces: str, timing: Timing) -> Desk:
    """Return a game in which that was just thrown."""
    desk = Desk.at(position, timing).wait(300).throw(faces).wait(300)
    desk.pop_decisions()
    return desk


def bump(timing: Timing) -> Desk:
    """Bump the board while a piece that can capture is in the hand."""
    desk = thrown(CAPTURE, "gs--", timing).lift("A1").wait(500).lift("B2", "B4").wait(30)
    return desk.put("B2", "B4").wait(300)


def enter_before_the_throw(timing: Timing) -> Desk:
    """Enter a piece while the last dice still roll."""
    desk = Desk.at(CAPTURE, timing).wait(300).put("A3")
    return desk.throw("gs--", roll_ms=400).wait(2_000)


def shaken(wait_ms: int, edges: int) -> Callable[[Timing], Desk]:
    """Let a switch change every `wait_ms`."""

    def shake(timing: Timing) -> Desk:
        desk = thrown(CAPTURE, "gs--", timing)
        for number in range(edges):
            desk.edge("B4", number % 2 == 1).wait(wait_ms)
        return desk

    return shake


def calmed(timing: Timing) -> Desk:
    """Let a switch flicker, and then show its piece for five seconds."""
    desk = shaken(20, 100)(timing).wait(5_000)
    desk.do(Occupancy(desk.t, desk.state.position.occupancy | 1 << parse_square("B5")))
    desk.wait(300).lift("B5").wait(300).lift("B4").wait(300)
    return desk


def pressed_late(timing: Timing) -> Desk:
    """Press for a question while the move that replaces it is announced."""
    desk = thrown("ravensburger B1:L,B2:DL',B3:D L8D8 L0D0 L", "1", timing)
    desk.lift("B3").wait(900).put("B3").wait(4000)
    desk.lift("B2").wait(300).put("B2").wait(300).lift("B1")
    for _ in range(100):
        desk.wait(100).press(Side.LIGHT)
    return desk


def unseen(timing: Timing) -> Desk:
    """Leave the board alone while a move that no switch shows is legal, and others are."""
    return thrown("ravensburger A4:L,B8:L,C2:D L8D9 L0D0 L", "1", timing).wait(30_000)


@pytest.mark.parametrize(
    ("limit", "other", "play"),
    [
        ("knock_ms", 10, bump),
        ("foresight_ms", 100, enter_before_the_throw),
        ("rest_ms", 1, shaken(2, 900)),
        ("flicker_ms", 100, shaken(20, 40)),
        ("flicker_edges", 1000, shaken(2, 900)),
        ("restless_ms", 20_000, shaken(600, 16)),
        ("restless_changes", 5, shaken(600, 9)),
        ("calm_ms", 1_000, calmed),
        ("unread_ms", 0, pressed_late),
        ("unseen_factor", 1, unseen),
    ],
)
def test_a_fixed_limit_is_the_one_of_the_game(
    limit: str, other: int, play: Callable[[Timing], Desk]
) -> None:
    assert limit in FixedTiming.__dataclass_fields__
    usual, changed = play(Timing()), play(Timing(**{limit: other}))

    assert [*usual.decided, usual.state.mask] != [*changed.decided, changed.state.mask]


def test_without_a_wait_an_early_throw_commits_the_move_once() -> None:
    desk = thrown(CAPTURE, "gs--", Timing(seems_ms=0)).lift("A1").wait(500).throw("s---")

    assert desk.pop_decisions() == ["seems A1xB2", "move A1xB2", "roll 1"]


@pytest.mark.parametrize("start", [0, 1])
def test_a_fact_at_the_time_of_a_timer_is_handled_before_it(start: int) -> None:
    desk = thrown(CAPTURE, "gs--", Timing()).wait(start).put("A3")
    due = next_due(desk.state)
    assert due is not None
    while not (moved := step(desk.state, Time(due))[1]):
        due += 1
    assert "+A3" in str(moved)
    _, decisions = step(desk.state, Edge(due, parse_square("A3"), on=False))
    assert decisions == ()


RETREATS = "freecompany A3:L,B5:L,B7:D,C3:D L5D5 L0D0 L"
"""A3 may be moved on from A2, with a throw of two."""


@settings(max_examples=40, deadline=None)
@given(held_ms=st.integers(160, 990), over=st.sampled_from(["A2", "B4"]))
def test_a_piece_tapped_on_a_legal_square_for_less_than_a_second_is_not_announced(
    held_ms: int, over: str
) -> None:
    origin = "A3" if over == "A2" else "B5"
    desk = thrown(RETREATS, "gs", Timing()).lift(origin).wait(400).put(over).wait(held_ms)
    assert desk.pop_decisions() == [f"seems {origin}-{over}"]
    desk.lift(over).wait(400).put("A1" if over == "A2" else "B3").wait(2_000)
    assert [one.split()[0] for one in desk.pop_decisions()] == ["seems", "move"]


@settings(max_examples=30, deadline=None)
@given(
    seems_ms=st.integers(500, 20_000),
    final_ms=st.integers(200, 5_000),
    bears_off=st.booleans(),
)
def test_the_snapshot_states_when_a_move_that_seems_made_is_final(
    seems_ms: int, final_ms: int, bears_off: bool
) -> None:
    timing = Timing(seems_ms=seems_ms, final_ms=final_ms)
    if bears_off:
        desk = thrown("finkel A3:L,A7:L,C1:D L4D6 L1D0 L", "g---", timing).lift("A7").wait(1_010)
    else:
        desk = thrown(RETREATS, "gs", timing).lift("A3").wait(400).put("A1").wait(160)
    assert [one.split()[0] for one in desk.pop_decisions()] == ["seems"]
    due = snapshot(desk.state).seems_due
    assert due is not None
    assert step(desk.state, Time(due - 1))[1] == ()
    moved, decisions = step(desk.state, Time(due))
    assert [type(one) for one in decisions] == [Moved]
    assert snapshot(moved).seems_due is None


@pytest.mark.parametrize("end", ["time", "die", "button"])
def test_a_landing_that_seems_made_is_recorded_as_sensed(end: str) -> None:
    desk = thrown(RETREATS, "gs", Timing()).lift("A3").wait(400).put("A1").wait(200)
    assert desk.pop_decisions() == ["seems A3-A1"]
    match end:
        case "time":
            desk.wait(1_000)
        case "die":
            # Not before anyone can have seen it on the display, which shows it after 150 ms.
            desk.die(1, "rolling").wait(210).die(1, "settled", "g").die(2, "rolling")
        case _:
            desk.press(Side.LIGHT)
    moved = desk.decided[-1]
    assert isinstance(moved, Moved)
    assert (moved.move, moved.confidence) == ("A3-A1", "sensed")


def test_a_game_without_the_wait_decides_as_before() -> None:
    desk = thrown(RETREATS, "gs", Timing(final_ms=0)).lift("A3").wait(400).put("A1")
    assert desk.wait(399).pop_decisions() == []
    assert desk.wait(1).pop_decisions() == ["move A3-A1"]
