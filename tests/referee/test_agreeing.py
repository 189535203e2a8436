"""What players ask of each other: a take-back, a draw, who begins; and what is remembered."""

import pytest

from tests.referee.playing import Desk
from urpi.referee import Phase, snapshot
from urpi.referee.decisions import Moved, Roll
from urpi.referee.facts import Abandon, Draw, Occupancy
from urpi.rules import Side

TWO_PIECES = "finkel A3:L,A4:L L5D7 L0D0 L"
MODERN = "freecompany - L7D7 L0D0 L"


def moved() -> Desk:
    """Light threw 2 and has just played A4-A2."""
    desk = Desk.at(TWO_PIECES).wait(300).throw("gs--").wait(300).lift("A4").put("A2").wait(300)
    desk.news()
    return desk


class TestTakeBack:
    def test_the_move_that_may_be_asked_back_is_known_with_whose_it_is(self) -> None:
        assert snapshot(moved().state).takeback == (Side.LIGHT, "A4-A2")

    def test_after_the_next_throw_there_is_none(self) -> None:
        assert snapshot(moved().throw("gggg").state).takeback is None

    @pytest.mark.parametrize("thought_ms", [0, 5_000])
    def test_what_was_asked_back_does_not_count_again_by_itself(self, thought_ms: int) -> None:
        desk = moved().wait(thought_ms).answer(takeback=True, agreed=True).wait(60_000)
        assert desk.news() == ["takeback A4-A2"]
        assert str(desk.state.now) == TWO_PIECES

    def test_the_piece_is_put_back_and_another_moved(self) -> None:
        desk = moved().answer(takeback=True, agreed=True).wait(4_000)
        desk.lift("A2").wait(1_000).put("A4").wait(1_000).lift("A3").put("A1").wait(300)
        assert desk.news() == ["takeback A4-A2", "move A3-A1"]

    def test_the_same_move_may_be_made_again(self) -> None:
        desk = moved().answer(takeback=True, agreed=True).wait(4_000)
        desk.lift("A2").wait(1_000).put("A4").wait(1_000).lift("A4").put("A2").wait(300)
        assert desk.news() == ["takeback A4-A2", "move A4-A2"]

    def test_who_throws_on_leaves_the_move_as_it_was(self) -> None:
        desk = moved().answer(takeback=True, agreed=True).wait(4_000).throw("gggg")
        assert desk.news() == ["takeback A4-A2", "move A4-A2", "roll 4"]


class TestDraw:
    def test_is_agreed_on_where_the_rules_know_draws(self) -> None:
        desk = Desk.at(MODERN).wait(300)
        desk.do(Draw(desk.t, Side.LIGHT, agreed=True))
        assert desk.news()[-1] == "drawn agreed"

    def test_is_refused_where_they_know_none_whoever_agrees(self) -> None:
        desk = Desk.at(TWO_PIECES).wait(300)
        desk.do(Draw(desk.t, Side.LIGHT, agreed=True))
        assert desk.news()[-1] == "refused no-draw"

    def test_one_that_is_claimed_is_judged_by_the_rules_alone(self) -> None:
        desk = Desk.at(MODERN).wait(300)
        desk.do(Draw(desk.t, Side.LIGHT))
        assert desk.news()[-1] == "refused no-draw"


def test_that_breaking_off_was_agreed_is_kept_and_decides_nothing() -> None:
    for agreed in (True, False):
        desk = Desk.at(TWO_PIECES).wait(300)
        desk.do(Abandon(desk.t, Side.LIGHT, agreed=agreed))
        assert desk.news()[-1] == "abandoned abandoned"


class TestWhoBegins:
    def asked(self, chooser: Side | None) -> Desk:
        desk = Desk.new("freecompany", chooser=chooser)
        desk.do(Occupancy(0, 0))
        assert desk.news() == ["ready", "question first"]
        return desk

    def test_is_said_by_the_one_who_chooses(self) -> None:
        desk = self.asked(Side.DARK).press(Side.LIGHT, "long")
        assert desk.news() == []
        desk.press(Side.DARK).press(Side.DARK, "long")
        assert desk.news() == ["starts"]
        assert desk.state.side is Side.DARK

    def test_is_said_by_either_where_nobody_in_particular_does(self) -> None:
        desk = self.asked(None).press(Side.DARK, "long")
        assert desk.news() == ["starts"]

    def test_is_not_said_by_both_buttons_at_once(self) -> None:
        desk = self.asked(None).press(Side.LIGHT, "both")
        assert desk.news() == []
        assert desk.state.phase is Phase.CHOOSE_FIRST


def test_the_last_throw_and_the_last_move_are_remembered() -> None:
    told = snapshot(moved().state)
    assert isinstance(told.rolled, Roll)
    assert (told.rolled.faces, told.rolled.value) == ("gs--", 2)
    assert isinstance(told.acted, Moved)
    assert told.acted.move == "A4-A2"
