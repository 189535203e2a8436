"""Setting up: a switch that sticks is no reason not to play."""

import pytest

from tests.referee.playing import Desk
from urpi.referee import Phase
from urpi.referee.decisions import Fault, ThrowForStart
from urpi.referee.facts import Abandon, Occupancy, Resign
from urpi.rules import Side, parse_square, squares_of


def set_up(*on: str, wait_ms: int = 3000) -> Desk:
    """A Finkel game whose board reads so when it is switched on."""
    desk = Desk.new("finkel")
    desk.do(Occupancy(0, squares_of(map(parse_square, on))))
    return desk.wait(wait_ms)


@pytest.mark.parametrize("stuck", [("A3",), ("A3", "B8")])
def test_who_throws_in_spite_of_the_set_up_plays_without_those_switches(
    stuck: tuple[str, ...],
) -> None:
    desk = set_up(*stuck).throw("gg--").wait(100)

    faults = [one for one in desk.decided if isinstance(one, Fault)]
    assert [(one.device, one.code) for one in faults] == [(name, "stuck-on") for name in stuck]
    assert isinstance(desk.decided[-1], ThrowForStart)
    assert desk.state.start_throws[0].faces == "gg--"


def test_a_throw_right_after_the_first_reading_counts_with_every_die() -> None:
    desk = Desk.new("skiryuk", first=Side.LIGHT)
    desk.do(Occupancy(40, squares_of([parse_square("A7")])))
    assert desk.wait(1_700).throw("-ss").news() == [
        "ready",
        "fault stuck-on A7",
        "ready",
        "starts",
        "roll 2",
    ]


def set_up_by_hand(*, waits_ms: int) -> Desk:
    """A Finkel game that light begins: a piece was just taken off, and A3 is still reported."""
    desk = Desk.new("finkel", first=Side.LIGHT)
    desk.do(Occupancy(0, squares_of(map(parse_square, ("A3", "B5")))))
    desk.wait(1000).lift("B5").wait(waits_ms)
    desk.news()
    return desk


@pytest.mark.parametrize("waits_ms", [300, 1_900, 2_400])
def test_a_throw_while_a_hand_sets_up_counts_when_the_hand_is_gone(waits_ms: int) -> None:
    desk = set_up_by_hand(waits_ms=waits_ms).throw("gs--", roll_ms=400).wait(3000)

    assert desk.news() == ["fault stuck-on A3", "ready", "starts", "roll 2"]


def test_a_throw_while_a_hand_sets_up_counts_when_the_board_is_right() -> None:
    desk = set_up_by_hand(waits_ms=300).throw("gs--", roll_ms=400).lift("A3").wait(200)

    assert desk.news() == ["ready", "starts", "roll 2"]


def test_a_second_throw_while_a_hand_sets_up_is_refused() -> None:
    desk = set_up_by_hand(waits_ms=300).throw("gs--", roll_ms=400).throw("gggg", roll_ms=400)
    assert desk.decided[-1].dice == (1, 2, 3, 4)
    assert desk.news() == ["roll-refused not-begun"]

    assert desk.wait(3000).news()[-1] == "roll 2"


def test_a_throw_while_more_is_wrong_than_switches_break_is_refused() -> None:
    desk = set_up("A3", "B3", "C3").throw("gg--", roll_ms=400).wait(100)

    assert desk.decided[-1].dice == (1, 2, 3, 4)
    assert desk.news() == ["ready", "roll-refused not-begun"]


def test_a_pending_throw_is_refused_when_more_turns_out_to_be_wrong() -> None:
    desk = set_up_by_hand(waits_ms=300).throw("gs--", roll_ms=400).put("B5", "B6").wait(200)

    assert desk.news() == ["ready", "roll-refused not-begun"]


def test_a_throw_before_the_players_say_who_begins_is_refused() -> None:
    desk = Desk.new("freecompany")
    desk.do(Occupancy(0, 0))

    assert desk.throw("gs").news() == ["ready", "question first", "roll-refused not-begun"]


def test_what_the_dice_showed_before_the_program_started_begins_nothing() -> None:
    desk = Desk.new("finkel", first=Side.LIGHT)
    desk.do(Occupancy(0, squares_of([parse_square("A3")])))
    for die in (1, 2, 3, 4):
        desk.die(die, "settled", "g", tumbled=True)

    assert desk.wait(5000).news() == ["ready"]


class TestOwnDice:
    def test_of_the_side_that_does_not_begin_are_refused(self) -> None:
        desk = Desk.new("finkel", first=Side.LIGHT, dice=((1, 2, 3, 4), (5, 6, 7, 8)))
        desk.do(Occupancy(0, squares_of([parse_square("A3")])))
        desk.throw("gggg", dice=(5, 6, 7, 8))
        assert desk.news()[-1] == "roll-refused not-your-turn"
        assert desk.throw("gs--").news() == ["roll 2"]


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (Resign(4000, Side.DARK), "won resigned"),
        (Abandon(4000, Side.DARK), "abandoned abandoned"),
    ],
)
def test_a_game_can_end_before_its_board_is_right(fact: Resign | Abandon, told: str) -> None:
    desk = set_up("A3")
    desk.news()

    desk.do(fact)

    assert desk.news() == [told]


def test_a_die_that_is_put_down_by_hand_begins_nothing() -> None:
    desk = set_up("A3")
    desk.die(1, "handled").die(1, "settled", "g").wait(100)

    assert desk.state.phase is Phase.SET_UP


def test_a_switch_that_was_only_a_forgotten_piece_is_trusted_when_it_is_taken_off() -> None:
    desk = set_up("A3").throw("gg--").wait(1000)
    desk.lift("A3").wait(1000)

    assert (desk.state.mask, desk.state.faults) == (0, ())


def test_a_piece_that_leaves_may_have_come_down_where_no_switch_has_ever_closed() -> None:
    desk = Desk.at("freecompany A1:L,B1:D,B2:D,B3:D,C3:L L5D4 L0D0 L")
    desk.throw("ss").wait(300)
    desk.lift("A1").wait(1000).throw("gs")

    assert desk.state.question is not None
    assert {"A1xB1", "A1-A3"} <= set(desk.state.choices)


def test_a_die_that_falls_alone_says_nothing_of_a_move_where_the_switch_is_left_out() -> None:
    desk = Desk.new("finkel", first=Side.LIGHT)
    desk.do(Occupancy(0, squares_of([parse_square("A4")])))
    desk.wait(3000).throw("g---").wait(300)
    assert desk.news()[-1] == "roll 1"

    desk.die(4, "rolling").wait(300).die(4, "settled", "s", tumbled=True).wait(300)
    assert [one for one in desk.news() if "A4" in one] == ["question move +A4"]

    assert desk.throw("gs--").news() == ["seems +A4", "move +A4", "roll 2"]
