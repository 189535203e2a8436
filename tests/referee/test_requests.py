"""What players enter: by a button while a question is open, and in place of a sensor."""

import pytest

from tests.referee.playing import Desk
from tests.referee.test_warnings import act, after
from urpi.referee import snapshot
from urpi.rules import Side

ONE_MOVE = "finkel A1:L L6D7 L0D0 L"


def asked() -> Desk:
    """Return a game that asks light whether its only lifted piece was moved."""
    desk = act(after(ONE_MOVE, "gs--"), "lift A1; wait 5000").throw("gs--")
    assert desk.pop_decisions() == ["question move A1-B2"]
    return desk


def test_the_question_for_a_move_is_not_for_the_other_side() -> None:
    desk = asked().press(Side.DARK, "long")
    assert desk.pop_decisions() == []
    desk.press(Side.LIGHT, "long")
    assert "move A1-B2" in desk.pop_decisions()


@pytest.mark.parametrize("engine", [False, True])
def test_a_move_that_is_entered_must_be_legal(engine: bool) -> None:
    desk = Desk.at(ONE_MOVE, engine=engine).wait(300).throw("gs--").wait(300)
    desk.pop_decisions()
    desk.answer(move="B1-B5")
    assert desk.pop_decisions() == ["refused not-legal"]


def test_the_question_for_dead_dice_stays_open_while_the_board_is_touched() -> None:
    desk = after(ONE_MOVE, "")
    for die in (1, 2, 3, 4):
        desk.die(die, "lost")
    desk.wait(60_000)
    question = snapshot(desk.state).question
    assert question is not None
    assert question.ask == "faces"
    act(desk, "lift A1; wait 300; put A1; wait 3000")
    assert snapshot(desk.state).question == question
