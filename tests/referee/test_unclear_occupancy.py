"""Occupancies that fit several moves, or a move and something else besides."""

import pytest

from tests.referee.playing import Desk
from tests.referee.test_warnings import act, after
from urpi.referee.facts import Game, Occupancy
from urpi.rules import names_of, parse_position, parse_square


def test_a_piece_beside_one_that_was_only_adjusted_is_no_captured_piece() -> None:
    # The piece on B2 could follow the one on B1, but it has not left its square.
    desk = act(after("freecompany B1:D,B2:D L7D5 L0D0 D", "ss"), "lift B1; wait 300; put B1")
    act(desk, "wait 500; put C1; wait 2600")
    assert desk.warning.code == "barred"
    assert names_of(desk.warning.fix.clear) == ["C1"]


@pytest.mark.parametrize("pause", [0, 300, 900])
def test_a_piece_that_was_missing_before_a_move_is_warned_of(pause: int) -> None:
    desk = after("finkel A3:L,B6:D,C4:D L6D5 L0D0 L", "gs--")
    act(desk, f"lift C4; wait {pause}; lift A3; wait 300; put A1; wait 2600")
    assert desk.warning.code == "piece-missing"
    assert names_of(desk.warning.fix.fill) == ["C4"]


def test_an_adjusted_piece_may_hide_a_move_from_pile_to_pile() -> None:
    desk = after("ravensburger B1:L,B2:DL',B3:D L8D8 L0D0 L", "1")
    act(desk, "lift B3; wait 900; put B3; wait 4000")
    assert desk.pop_decisions() == ["question move B2-B1 B2xB3"]


def test_an_adjusted_pile_may_hide_a_move_to_a_square_with_a_broken_switch() -> None:
    position = parse_position("ravensburger B2:L,B3:L' L8D10 L0D0 L")
    desk = Desk(Game(0, "ravensburger", position=str(position)))
    desk.do(Occupancy(0, position.occupancy | 1 << parse_square("B4")))
    desk.wait(30_000).throw("1").wait(400)
    assert "fault stuck-on B4" in desk.pop_decisions()
    act(desk, "lift B3; wait 300; lift B2; wait 300; put B2; wait 4000")
    assert desk.pop_decisions() == ["question move B3-B2 B3-B4"]


def test_an_entered_move_onto_a_pile_is_replaced_by_the_one_on_the_board() -> None:
    desk = after("ravensburger B1:L,B2:L,B3:L L7D10 L0D0 L", "1").answer(move="B1-B2")
    act(desk, "lift B2; wait 4000")
    assert desk.pop_decisions() == ["move B1-B2", "takeback B1-B2", "seems B2-B3"]
