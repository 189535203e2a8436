"""Snapshots: what the views read about a game besides its position."""

from tests.referee.playing import Desk
from tests.referee.test_warnings import act, after
from urpi.referee import Phase, Settings, begin, snapshot
from urpi.rules import Side
from urpi.show.words import words_for

TWO_MOVES = "finkel A3:L,B3:D,B8:L L5D6 L0D0 L"


def test_nothing_is_to_be_corrected_without_a_game() -> None:
    state = begin(Settings(words_for("en").sentence))
    shot = snapshot(state)
    assert state.phase is shot.phase is Phase.NO_GAME
    assert (shot.fill, shot.clear, shot.thinking, shot.side) == (0, 0, False, None)


def test_the_dice_of_the_running_throw_are_rolling_waiting_or_settled() -> None:
    desk = Desk.at("finkel A1:L L6D7 L0D0 L").wait(300)
    shot = snapshot(desk.state)
    assert (shot.rolling, shot.waiting, shot.settled) == ((), (1, 2, 3, 4), ())
    desk.die(1, "rolling").die(2, "rolling").wait(300).die(1, "settled", "g", tumbled=True)
    shot = snapshot(desk.state)
    assert (shot.rolling, shot.waiting, shot.settled) == ((2,), (2, 3, 4), ((1, "g"),))
    desk = after("finkel A1:L L6D7 L0D0 L", "gs--")
    shot = snapshot(desk.state)
    assert (shot.rolling, shot.waiting, shot.settled) == ((), (), ())


def test_the_move_that_can_be_taken_back_is_the_newest_of_the_turn() -> None:
    desk = act(after(TWO_MOVES, "gs--"), "lift A3; wait 400; put A1; wait 1000")
    assert snapshot(desk.state).takeback == (Side.LIGHT, "A3-A1")
    act(desk.throw("g---").wait(300), "lift B8; wait 400; put A8; wait 600")
    assert snapshot(desk.state).takeback == (Side.LIGHT, "B8-A8")
