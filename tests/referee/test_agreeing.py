"""Agreements of the players: take-backs, draws, and who begins; and the newest decisions."""

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
    desk.pop_decisions()
    return desk


class TestTakeBack:
    def test_the_snapshot_names_the_move_and_its_side(self) -> None:
        assert snapshot(moved().state).takeback == (Side.LIGHT, "A4-A2")

    def test_is_not_possible_after_the_next_throw(self) -> None:
        assert snapshot(moved().throw("gggg").state).takeback is None

    @pytest.mark.parametrize("waited_ms", [0, 5_000])
    def test_an_unchanged_board_does_not_commit_the_move_again(self, waited_ms: int) -> None:
        desk = moved().wait(waited_ms).answer(takeback=True, agreed=True).wait(60_000)
        assert desk.pop_decisions() == ["takeback A4-A2"]
        assert str(desk.state.position) == TWO_PIECES

    def test_the_piece_is_put_back_and_another_one_moved(self) -> None:
        desk = moved().answer(takeback=True, agreed=True).wait(4_000)
        desk.lift("A2").wait(1_000).put("A4").wait(1_000).lift("A3").put("A1").wait(300)
        assert desk.pop_decisions() == ["takeback A4-A2", "move A3-A1"]

    def test_the_same_move_may_be_made_again(self) -> None:
        desk = moved().answer(takeback=True, agreed=True).wait(4_000)
        desk.lift("A2").wait(1_000).put("A4").wait(1_000).lift("A4").put("A2").wait(300)
        assert desk.pop_decisions() == ["takeback A4-A2", "move A4-A2"]

    def test_a_throw_without_putting_back_commits_the_move_again(self) -> None:
        desk = moved().answer(takeback=True, agreed=True).wait(4_000).throw("gggg")
        assert desk.pop_decisions() == ["takeback A4-A2", "move A4-A2", "roll 4"]


class TestDraw:
    def test_can_be_agreed_in_rule_sets_with_draws(self) -> None:
        desk = Desk.at(MODERN).wait(300)
        desk.do(Draw(desk.t, Side.LIGHT, agreed=True))
        assert desk.pop_decisions()[-1] == "drawn agreed"

    def test_is_refused_in_other_rule_sets_even_if_agreed(self) -> None:
        desk = Desk.at(TWO_PIECES).wait(300)
        desk.do(Draw(desk.t, Side.LIGHT, agreed=True))
        assert desk.pop_decisions()[-1] == "refused no-draw"

    def test_moves_that_were_taken_back_do_not_repeat_an_action(self) -> None:
        desk = Desk.at("freecompany A3:L,C3:D L6D6 L0D0 L").wait(300).throw("g-")
        for _ in range(5):
            desk.answer(move="A3-A4").answer(takeback=True)
        desk.answer(move="A3-A4").do(Draw(desk.t, Side.LIGHT))
        assert desk.pop_decisions()[-2:] == ["move A3-A4", "refused no-draw"]

    def test_may_be_claimed_from_the_repetition_on(self) -> None:
        desk = Desk.at("freecompany A3:L,C3:D L6D6 L0D0 L").wait(300)
        for turn in range(16):
            assert snapshot(desk.state).draw is None, turn
            row = "AC"[turn % 2]
            there, back = f"{row}3-{row}4", f"{row}4-{row}3"
            desk.throw("g-").answer(move=there if turn % 4 < 2 else back)
        assert snapshot(desk.state).draw == "repeated-position"
        desk.do(Draw(desk.t, Side.LIGHT))
        assert desk.pop_decisions()[-1] == "drawn repeated-position"
        assert snapshot(desk.state).draw is None

    def test_a_claim_is_judged_by_the_rules(self) -> None:
        desk = Desk.at(MODERN).wait(300)
        desk.do(Draw(desk.t, Side.LIGHT))
        assert desk.pop_decisions()[-1] == "refused no-draw"


def test_an_agreement_to_abandon_is_evidence_only() -> None:
    for agreed in (True, False):
        desk = Desk.at(TWO_PIECES).wait(300)
        desk.do(Abandon(desk.t, Side.LIGHT, agreed=agreed))
        assert desk.pop_decisions()[-1] == "abandoned abandoned"


class TestWhoBegins:
    def question(self, chooser: Side | None) -> Desk:
        desk = Desk.new("freecompany", chooser=chooser)
        desk.do(Occupancy(0, 0))
        assert desk.pop_decisions() == ["ready", "question first"]
        return desk

    def test_is_answered_by_the_chooser_s_button(self) -> None:
        desk = self.question(Side.DARK).press(Side.LIGHT, "long")
        assert desk.pop_decisions() == []
        desk.press(Side.DARK).press(Side.DARK, "long")
        assert desk.pop_decisions() == ["starts"]
        assert desk.state.side is Side.DARK

    def test_is_answered_by_either_button_without_a_chooser(self) -> None:
        desk = self.question(None).press(Side.DARK, "long")
        assert desk.pop_decisions() == ["starts"]

    def test_is_not_answered_by_both_buttons_at_once(self) -> None:
        desk = self.question(None).press(Side.LIGHT, "both")
        assert desk.pop_decisions() == []
        assert desk.state.phase is Phase.CHOOSE_FIRST


def test_the_snapshot_has_the_newest_throw_and_move() -> None:
    shot = snapshot(moved().state)
    assert isinstance(shot.rolled, Roll)
    assert (shot.rolled.faces, shot.rolled.value) == ("gs--", 2)
    assert isinstance(shot.acted, Moved)
    assert shot.acted.move == "A4-A2"
