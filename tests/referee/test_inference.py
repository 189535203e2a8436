"""The acts of hands, and the moves that the referee infers from them."""

import pytest

from tests.referee.playing import Desk
from urpi.rules import Side

CAPTURE = "finkel A1:L,B2:D L6D6 L0D0 L"
"""Light's A1 takes B2 with a 2."""
CHOICE = "finkel A1:L,A4:L,B2:D L5D6 L0D0 L"
LAST = "finkel A7:L,B1:L L5D7 L0D0 L"
"""Light's A7 bears off with a 1, or B1 goes to B2, or a piece enters on A4."""


def after(position: str, faces: str) -> Desk:
    """Return a game in which these faces were just thrown."""
    desk = Desk.at(position).wait(300).throw(faces).wait(300)
    desk.pop_decisions()
    return desk


class TestPlainMove:
    def test_is_committed_when_the_occupancy_has_stood_still(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").wait(400)
        desk.put("A2")
        put_at = desk.t
        assert desk.wait(149).pop_decisions() == []
        assert desk.wait(1).pop_decisions() == ["move A4-A2"]
        assert desk.state.t - put_at == 150

    def test_with_a_slide_ends_where_the_piece_stops(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4")
        for square in ("A3", "A2", "A1"):
            if square == "A1":
                break
            desk.put(square).wait(90)
            if square != "A2":
                desk.lift(square)
        assert desk.wait(300).pop_decisions() == ["move A4-A2"]

    def test_is_not_detected_when_a_piece_is_only_adjusted(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").wait(600).put("A4").wait(5000)
        assert desk.pop_decisions() == []

    def test_is_not_detected_while_a_player_thinks_with_the_piece_in_the_hand(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").wait(10_000)
        assert desk.pop_decisions() == []
        assert desk.put("A2").wait(200).pop_decisions() == ["move A4-A2"]

    def test_is_not_detected_when_the_table_is_bumped(self) -> None:
        desk = after(CHOICE, "gs--")
        for square in ("A1", "A4", "B2"):
            desk.lift(square)
        for square in ("A1", "A4", "B2"):
            desk.wait(20).put(square)
        assert desk.wait(20_000).pop_decisions() == []

    def test_may_enter_a_piece(self) -> None:
        assert after(CHOICE, "gs--").put("A3").wait(200).pop_decisions() == ["move +A3"]


class TestCapture:
    @pytest.mark.parametrize(
        "order",
        [
            "lift B2; wait 300; lift A1; wait 300; put B2",
            "lift A1; wait 300; lift B2; wait 300; put B2",
            "lift A1; lift B2; wait 500; put B2",
            "lift A1; wait 400; lift B2; wait 20; put B2",
            "lift A1; wait 400; lift B2; wait 80; put B2",
            "lift A1; put B1; wait 60; lift B1; lift B2; wait 40; put B2",
        ],
        ids=[
            "enemy off first",
            "own piece first",
            "both hands",
            "knocked away, 20 ms",
            "knocked away, 80 ms",
            "slid there and knocked away",
        ],
    )
    def test_is_committed_immediately_if_its_target_emptied_and_filled(self, order: str) -> None:
        desk = after(CHOICE, "gs--")
        for act in order.split("; "):
            verb, what = act.split()
            desk.wait(int(what)) if verb == "wait" else getattr(desk, verb)(what)
        assert desk.wait(150).pop_decisions() == ["move A1xB2"]

    def test_without_a_gap_seems_made_until_the_next_dice_roll(self) -> None:
        desk = after(CHOICE, "gs--").lift("A1")
        assert desk.wait(2_990).pop_decisions() == []
        assert desk.wait(20).pop_decisions() == ["seems A1xB2"]
        desk.wait(300).die(1, "rolling")
        assert desk.pop_decisions() == ["move A1xB2"]
        assert desk.state.position.turn is Side.DARK

    def test_without_a_gap_is_dropped_when_the_piece_returns(self) -> None:
        desk = after(CHOICE, "gs--").lift("A1").wait(5_000)
        assert desk.pop_decisions() == ["seems A1xB2"]
        desk.put("A1").wait(30_000)
        assert desk.pop_decisions() == []
        assert desk.state.seeming is None

    def test_without_a_gap_is_committed_by_the_player_s_button(self) -> None:
        desk = after(CHOICE, "gs--").lift("A1").wait(4_000).press(Side.LIGHT)
        assert desk.pop_decisions() == ["seems A1xB2", "move A1xB2"]

    def test_without_a_gap_is_committed_after_twelve_seconds_more(self) -> None:
        desk = after(CHOICE, "gs--").lift("A1").wait(3_100).wait(11_800)
        assert desk.pop_decisions() == ["seems A1xB2"]
        assert desk.wait(200).pop_decisions() == ["move A1xB2"]

    def test_is_not_shown_by_a_bump_while_the_piece_is_in_the_hand(self) -> None:
        desk = after("finkel A1:L,B2:D,B4:D L6D5 L0D0 L", "gs--").lift("A1").wait(500)
        desk.lift("B2", "B4").wait(30).put("B2", "B4").wait(300)
        assert desk.pop_decisions() == []
        assert desk.state.position.turn is Side.LIGHT

    def test_is_committed_by_an_opponent_who_throws_early(self) -> None:
        desk = after(CHOICE, "gs--").lift("A1").wait(300).throw("s---")
        assert desk.pop_decisions() == ["seems A1xB2", "move A1xB2", "roll 1"]


class TestBearOff:
    def test_seems_after_a_second_and_is_committed_by_the_next_dice(self) -> None:
        desk = after(LAST, "g---").lift("A7")
        assert desk.wait(990).pop_decisions() == []
        assert desk.wait(20).pop_decisions() == ["seems A7-off"]
        desk.throw("gs--")
        assert desk.pop_decisions() == ["move A7-off", "roll 2"]

    def test_through_the_chute_is_committed_when_still(self) -> None:
        desk = after(LAST, "g---").lift("A7").wait(400).chute(Side.LIGHT)
        assert desk.wait(100).pop_decisions() == []
        assert desk.wait(50).pop_decisions() == ["move A7-off"]

    def test_is_dropped_when_the_piece_is_put_back(self) -> None:
        desk = after(LAST, "g---").lift("A7").wait(10_000).put("A7").wait(20_000)
        assert desk.pop_decisions() == ["seems A7-off"]

    def test_is_committed_as_soon_as_it_seems_made_if_it_is_the_only_legal_move(self) -> None:
        desk = after("finkel A7:L,A8:L,B4:D L0D6 L5D0 L", "g---").lift("A7").wait(1_000)
        assert desk.pop_decisions() == ["seems A7-off", "move A7-off"]

    def test_is_committed_after_twelve_seconds_if_it_wins(self) -> None:
        desk = after("finkel A7:L,B4:D L0D6 L6D0 L", "g---").lift("A7").wait(1_000)
        assert desk.wait(11_990).pop_decisions() == ["seems A7-off"]
        assert desk.wait(20).pop_decisions() == ["move A7-off", "won off"]


class TestTakeBack:
    def test_is_detected_by_the_occupancy_before_the_move(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").put("A2").wait(2_000)
        desk.lift("A2").wait(500).put("A4").wait(999)
        assert desk.pop_decisions() == ["move A4-A2"]
        assert desk.wait(1).pop_decisions() == ["takeback A4-A2"]
        desk.lift("A1").wait(200).lift("B2").wait(200).put("B2").wait(200)
        assert desk.pop_decisions() == ["move A1xB2"]

    def test_of_a_capture_restores_the_captured_piece(self) -> None:
        desk = after(CHOICE, "gs--").lift("B2").lift("A1").wait(300).put("B2").wait(1_000)
        desk.lift("B2").wait(300).put("A1").wait(300).put("B2").wait(1_000)
        assert desk.pop_decisions() == ["move A1xB2", "takeback A1xB2"]
        assert str(desk.state.position) == CHOICE

    def test_is_followed_by_another_legal_move_of_the_same_throw(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").put("A2").wait(2_000)
        desk.lift("A2").wait(300).put("A4").wait(100).put("A3").wait(1_000)
        assert desk.pop_decisions() == ["move A4-A2", "takeback A4-A2", "move +A3"]

    def test_can_undo_both_moves_of_a_turn(self) -> None:
        start = "finkel A3:L,B3:D,B8:L L5D6 L0D0 L"
        desk = after(start, "gs--").lift("A3").put("A1").wait(300)
        desk.throw("g---").wait(300).lift("B8").put("A8").wait(300)
        assert desk.pop_decisions() == ["move A3-A1", "roll 1", "move B8-A8"]
        desk.lift("A8").put("B8").wait(100).lift("A1").put("A3").wait(1_000)
        assert desk.pop_decisions() == ["takeback B8-A8", "takeback A3-A1"]
        assert str(desk.state.position) == start

    def test_can_be_entered_by_an_answer(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").put("A2").wait(300).answer(takeback=True)
        assert desk.pop_decisions() == ["move A4-A2", "takeback A4-A2"]
        assert str(desk.state.position) == CHOICE

    def test_is_too_late_after_the_next_throw(self) -> None:
        desk = after(CHOICE, "gs--").lift("A4").put("A2").wait(300).throw("gggg").wait(300)
        desk.lift("A2").put("A4").wait(3_000)
        assert desk.pop_decisions() == ["move A4-A2", "roll 4", "warning too-late"]


class TestPassing:
    @pytest.mark.parametrize(
        ("position", "faces", "decisions"),
        [
            ("finkel - L7D7 L0D0 L", "----", ["roll 0", "pass zero"]),
            ("finkel A7:L,B4:D L0D6 L6D0 L", "gs--", ["roll 2", "pass no-move"]),
        ],
    )
    def test_is_immediate(self, position: str, faces: str, decisions: list[str]) -> None:
        desk = Desk.at(position).wait(300)
        desk.pop_decisions()
        assert desk.throw(faces).pop_decisions() == decisions
        assert desk.state.position.turn is Side.DARK
