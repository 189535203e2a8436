"""What players enter: by a button while a question is open, and in place of a sensor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


PILES = "ravensburger A7:L'L',A8:L,B1:D,B2:D',B5:D',B6:D,B7:L',B8:LD,C7:D',C8:DL'D L0D0 L4D2 D"
FIRST, SECOND, THIRD = "B1-B5", "B5-B1", "B5-C8"
"""What dark is asked for; without the first of them after `shortened`."""
UNREAD_MS, HELD_MS = 500, 1500


def asked_for_three() -> Desk:
    """Return a game that asks dark for one of three moves, during which B1 is lifted."""
    desk = Desk.at(PILES).wait(300).throw("4").wait(500)
    act(desk, "lift B5; wait 600").die(1, "rolling")
    act(desk, "wait 280; lift B1; wait 230").die(1, "settled", "1", tumbled=True)
    assert desk.pop_decisions()[-1] == f"question move {FIRST} {SECOND} {THIRD}"
    return desk


def shortened(desk: Desk) -> Desk:
    """Put the piece back on B1, so that only moves of the other one are asked for."""
    act(desk, "wait 100; put B1; wait 1000")
    assert desk.pop_decisions() == [f"question move {SECOND} {THIRD}"]
    return desk


def selected(desk: Desk) -> str:
    view = snapshot(desk.state)
    return view.choices[view.chosen]


@given(
    before=st.integers(0, 5),
    presses=st.lists(st.integers(0, UNREAD_MS // 3 - 1), max_size=3),
    late=st.integers(0, 300),
    confirmed=st.integers(1, 3000),
)
def test_presses_that_began_before_a_question_changed_select_what_was_meant(
    before: int, presses: list[int], late: int, confirmed: int
) -> None:
    desk = asked_for_three()
    for _ in range(before):
        desk.press(Side.DARK)
    shortened(desk)
    changed = desk.t
    for pause in presses:
        desk.wait(pause).press(Side.DARK)
    meant = (FIRST, SECOND, THIRD)[(before + len(presses)) % 3]
    # A hand that reads what is shown now selects among that.
    desk.wait(changed + UNREAD_MS + late - desk.t)
    shown = selected(desk)
    assert meant in {shown, FIRST}
    desk.wait(confirmed).press(Side.DARK, "long")
    answered = meant != FIRST or desk.t - changed >= HELD_MS
    assert desk.pop_decisions()[:1] == ([f"move {shown}"] if answered else [])
    if not answered:
        desk.wait(HELD_MS).press(Side.DARK)
        assert selected(desk) != shown


def test_the_other_button_is_not_for_the_earlier_question() -> None:
    desk = shortened(asked_for_three())
    act(desk, "wait 100").press(Side.LIGHT).wait(1).press(Side.LIGHT, "long")
    assert (selected(desk), desk.pop_decisions()) == (SECOND, [])
    desk.press(Side.DARK, "long").wait(1500)
    assert desk.pop_decisions() == []


@pytest.mark.parametrize("late", [0, 499, 500])
def test_a_press_for_a_question_does_not_confirm_the_move_that_replaces_it(late: int) -> None:
    desk = after("ravensburger B1:L,B2:DL',B3:D L8D8 L0D0 L", "1")
    act(desk, "lift B3; wait 900; put B3; wait 4000")
    assert desk.pop_decisions() == ["question move B2-B1 B2xB3"]
    act(desk, "lift B2; wait 300; put B2; wait 300; lift B1")
    while not desk.decided:
        desk.wait(1)
    assert desk.pop_decisions() == ["seems B1-B2"]
    desk.wait(late).press(Side.LIGHT)
    assert desk.pop_decisions() == (["move B1-B2"] if late == UNREAD_MS else [])
