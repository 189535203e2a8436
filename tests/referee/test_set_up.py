"""The set-up: a stuck switch does not prevent a game."""

import pytest

from tests.referee.playing import Desk
from urpi.referee import Phase
from urpi.referee.decisions import Fault, ThrowForStart
from urpi.referee.facts import Abandon, Occupancy, Resign
from urpi.rules import Side, parse_square, squares_of


def set_up(*on: str, wait_ms: int = 3000) -> Desk:
    """Return a Finkel game whose first reading shows pieces on these squares."""
    desk = Desk.new("finkel")
    desk.do(Occupancy(0, squares_of(map(parse_square, on))))
    return desk.wait(wait_ms)


@pytest.mark.parametrize("stuck", [("A3",), ("A3", "B8")])
def test_a_throw_on_a_wrong_board_leaves_out_the_stuck_switches(
    stuck: tuple[str, ...],
) -> None:
    desk = set_up(*stuck).throw("gg--").wait(100)

    faults = [one for one in desk.decided if isinstance(one, Fault)]
    assert [(one.device, one.code) for one in faults] == [(name, "stuck-on") for name in stuck]
    assert isinstance(desk.decided[-1], ThrowForStart)
    assert desk.state.start_throws[0].faces == "gg--"


def test_a_throw_right_after_the_first_reading_counts() -> None:
    desk = Desk.new("skiryuk", first=Side.LIGHT)
    desk.do(Occupancy(40, squares_of([parse_square("A7")])))
    assert desk.wait(1_700).throw("-ss").pop_decisions() == [
        "ready",
        "fault stuck-on A7",
        "ready",
        "starts",
        "roll 2",
    ]


def set_up_by_hand(*, waits_ms: int) -> Desk:
    """Return a game in which a piece was just removed, and the switch of A3 is still closed."""
    desk = Desk.new("finkel", first=Side.LIGHT)
    desk.do(Occupancy(0, squares_of(map(parse_square, ("A3", "B5")))))
    desk.wait(1000).lift("B5").wait(waits_ms)
    desk.pop_decisions()
    return desk


@pytest.mark.parametrize("waits_ms", [300, 1_900, 2_400])
def test_a_throw_during_the_set_up_counts_once_no_hand_is_at_work(waits_ms: int) -> None:
    desk = set_up_by_hand(waits_ms=waits_ms).throw("gs--", roll_ms=400).wait(3000)

    assert desk.pop_decisions() == ["fault stuck-on A3", "ready", "starts", "roll 2"]


def test_a_throw_during_the_set_up_counts_once_the_board_is_correct() -> None:
    desk = set_up_by_hand(waits_ms=300).throw("gs--", roll_ms=400).lift("A3").wait(200)

    assert desk.pop_decisions() == ["ready", "starts", "roll 2"]


def test_a_second_throw_during_the_set_up_is_refused() -> None:
    desk = set_up_by_hand(waits_ms=300).throw("gs--", roll_ms=400).throw("gggg", roll_ms=400)
    assert desk.decided[-1].dice == (1, 2, 3, 4)
    assert desk.pop_decisions() == ["roll-refused not-begun"]

    assert desk.wait(3000).pop_decisions()[-1] == "roll 2"


def test_a_throw_is_refused_if_more_than_two_squares_are_wrong() -> None:
    desk = set_up("A3", "B3", "C3").throw("gg--", roll_ms=400).wait(100)

    assert desk.decided[-1].dice == (1, 2, 3, 4)
    assert desk.pop_decisions() == ["ready", "roll-refused not-begun"]


def test_a_pending_throw_is_refused_if_more_squares_become_wrong() -> None:
    desk = set_up_by_hand(waits_ms=300).throw("gs--", roll_ms=400).put("B5", "B6").wait(200)

    assert desk.pop_decisions() == ["ready", "roll-refused not-begun"]


def test_a_throw_before_the_players_choose_who_begins_is_refused() -> None:
    desk = Desk.new("freecompany")
    desk.do(Occupancy(0, 0))

    assert desk.throw("gs").pop_decisions() == ["ready", "question first", "roll-refused not-begun"]


def test_the_first_reports_of_the_dice_do_not_begin_the_game() -> None:
    desk = Desk.new("finkel", first=Side.LIGHT)
    desk.do(Occupancy(0, squares_of([parse_square("A3")])))
    for die in (1, 2, 3, 4):
        desk.die(die, "settled", "g", tumbled=True)

    assert desk.wait(5000).pop_decisions() == ["ready"]


class TestOwnDice:
    def test_are_refused_from_the_side_that_does_not_begin(self) -> None:
        desk = Desk.new("finkel", first=Side.LIGHT, dice=((1, 2, 3, 4), (5, 6, 7, 8)))
        desk.do(Occupancy(0, squares_of([parse_square("A3")])))
        desk.throw("gggg", dice=(5, 6, 7, 8))
        assert desk.pop_decisions()[-1] == "roll-refused not-your-turn"
        assert desk.throw("gs--").pop_decisions() == ["roll 2"]


@pytest.mark.parametrize(
    ("fact", "decision"),
    [
        (Resign(4000, Side.DARK), "won resigned"),
        (Abandon(4000, Side.DARK), "abandoned abandoned"),
    ],
)
def test_a_game_can_end_before_its_board_is_correct(fact: Resign | Abandon, decision: str) -> None:
    desk = set_up("A3")
    desk.pop_decisions()

    desk.do(fact)

    assert desk.pop_decisions() == [decision]


def test_a_die_put_down_by_hand_does_not_begin_the_game() -> None:
    desk = set_up("A3")
    desk.die(1, "handled").die(1, "settled", "g").wait(100)

    assert desk.state.phase is Phase.SET_UP


def test_a_switch_is_trusted_again_once_the_forgotten_piece_is_removed() -> None:
    desk = set_up("A3").throw("gg--").wait(1000)
    desk.lift("A3").wait(1000)

    assert (desk.state.mask, desk.state.faults) == (0, ())


def test_a_lifted_piece_may_have_landed_where_no_switch_has_ever_closed() -> None:
    desk = Desk.at("freecompany A1:L,B1:D,B2:D,B3:D,C3:L L5D4 L0D0 L")
    desk.throw("ss").wait(300)
    desk.lift("A1").wait(1000).throw("gs")

    assert desk.state.question is not None
    assert {"A1xB1", "A1-A3"} <= set(desk.state.choices)


def test_a_single_dropped_die_does_not_commit_a_move_hidden_by_a_broken_switch() -> None:
    desk = Desk.new("finkel", first=Side.LIGHT)
    desk.do(Occupancy(0, squares_of([parse_square("A4")])))
    desk.wait(3000).throw("g---").wait(300)
    assert desk.pop_decisions()[-1] == "roll 1"

    desk.die(4, "rolling").wait(300).die(4, "settled", "s", tumbled=True).wait(300)
    assert not [one for one in desk.pop_decisions() if "A4" in one]

    assert desk.throw("gs--").pop_decisions() == ["seems +A4", "move +A4", "roll 2"]
