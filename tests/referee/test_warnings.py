"""Warnings: the rule that a wrong occupancy breaks, and how the board is corrected."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from urpi.referee.decisions import Fault
from urpi.referee.facts import Occupancy
from urpi.rules import Side, names_of, parse_square

PLAY = "finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L"
"""B4 is a safe rosette; light has A3, B1 and B6, dark B4 and C4."""


def after(position: str, faces: str) -> Desk:
    desk = Desk.at(position).wait(300)
    if faces:
        desk.throw(faces).wait(300)
    desk.pop_decisions()
    return desk


def act(desk: Desk, acts: str) -> Desk:
    for one in acts.split("; "):
        verb, what = one.split()
        desk.wait(int(what)) if verb == "wait" else getattr(desk, verb)(what)
    return desk


@settings(max_examples=30, deadline=None)
@given(gap_ms=st.integers(1, 10_000), held_ms=st.integers(500, 11_900))
def test_a_piece_lifted_after_another_throw_may_still_be_in_the_hand(
    gap_ms: int, held_ms: int
) -> None:
    desk = after("finkel A3:L,A7:L,B3:D,B4:L,B8:L,C1:D,C2:D,C4:D L2D0 L1D3 L", "--gs")
    desk.throw("s-s-").wait(gap_ms).lift("A7").wait(held_ms)
    assert desk.pop_decisions() == ["roll-refused unplayed-throw"]
    desk.put("B2").wait(2_600)
    assert desk.pop_decisions() == ["warning backwards"]


@pytest.mark.parametrize(
    ("faces", "acts", "code", "fill", "clear", "text"),
    [
        ("gs--", "lift A3; wait 300; put B2", "wrong-distance", "A3", "B2", "threw 2"),
        ("gs--", "put A2", "wrong-distance", "", "A2", "threw 2"),
        ("gs--", "lift C4; wait 300; put C2", "not-your-piece", "C4", "C2", "not Light's"),
        ("", "lift A3; wait 300; put A1", "no-throw-yet", "A3", "A1", "Throw first"),
        ("", "lift C4; wait 300; put C3", "not-your-turn", "C4", "C3", "Light"),
        ("gs--", "lift B6; wait 300; put B5", "backwards", "B6", "B5", ""),
        ("gs--", "lift A3; wait 300; put C2", "off-path", "A3", "C2", ""),
        ("gs--", "put B5; wait 10", "extra-piece", "", "B5", ""),
        ("gs-s", "lift B1; wait 400; lift B4; wait 50; put B4", "safe-square", "B1", "", ""),
        ("gs--", "lift A3; wait 300; put A1; lift B6; put B7", "two-moves", "A3 B6", "A1 B7", ""),
        ("gs--", "lift B6; wait 9; lift A3; wait 300; put A1", "piece-missing", "B6", "", "B6"),
        ("gs--", "put C1; wait 9; lift A3; wait 300; put A1", "not-your-piece", "", "C1", "C1"),
    ],
)
def test_a_wrong_occupancy_is_explained(
    faces: str, acts: str, code: str, fill: str, clear: str, text: str
) -> None:
    desk = act(after(PLAY, faces), acts)
    desk.wait(2_400)
    assert [one for one in desk.pop_decisions() if one.startswith("warning")] == []
    desk.wait(200)
    warning = desk.warning
    assert warning.code == code
    assert " ".join(names_of(warning.fix.fill)) == fill
    assert " ".join(names_of(warning.fix.clear)) == clear
    assert text in warning.text


@pytest.mark.parametrize(
    ("position", "faces", "acts", "fill", "clear"),
    [
        pytest.param(
            "finkel3 A1:L,B7:D,B8:D,C2:D L6D4 L0D0 D",
            "sss",
            "lift B8; wait 1450; lift B7; wait 600; put B8",
            "B7",
            "B8",
            id="where the first piece stood",
        ),
        pytest.param(
            "ravensburger A4:L,B8:LDDDL,C2:D L7D6 L0D0 L",
            "1",
            "put A8; wait 2000; lift A4; wait 400; put A3",
            "A4",
            "A3",
            id="while the first move is asked for",
        ),
        pytest.param(
            "skiryuk B2:D,B3:LLD,B4:L',C1:D L4D4 L0D0 D",
            "--s",
            "lift B2; wait 1500; lift B4; wait 200; lift C1; wait 400; put B4",
            "C1",
            "",
            id="onto a piece",
        ),
    ],
)
def test_only_the_second_of_two_moves_must_be_undone(
    position: str, faces: str, acts: str, fill: str, clear: str
) -> None:
    desk = act(after(position, faces), acts).wait(2_600)
    assert desk.warning.code == "two-moves"
    assert " ".join(names_of(desk.warning.fix.fill)) == fill
    assert " ".join(names_of(desk.warning.fix.clear)) == clear


def test_a_captured_piece_left_on_the_board_must_be_removed() -> None:
    desk = after("finkel A1:L,B2:D L6D6 L0D0 L", "gs--")
    act(desk, "lift A1; wait 300; lift B2; wait 200; put B3; wait 200; put B2; wait 2600")
    assert desk.warning.code == "captured-piece-left"
    assert names_of(desk.warning.fix.clear) == ["B3"]
    desk.pop_decisions()
    assert desk.lift("B3").wait(300).pop_decisions() == ["cleared", "move A1xB2"]


def test_a_lifted_piece_is_missing_after_twelve_seconds() -> None:
    desk = after(PLAY, "gs--").lift("C4").wait(11_900)
    assert desk.pop_decisions() == []
    desk.wait(200)
    assert desk.pop_decisions() == ["warning piece-missing"]
    assert desk.put("C4").wait(200).pop_decisions() == ["cleared"]


def test_a_piece_borne_off_without_the_exact_throw_must_be_put_back() -> None:
    desk = after("finkel A7:L,B2:L L5D7 L0D0 L", "gs--").lift("A7").chute(Side.LIGHT).wait(2_600)
    assert desk.pop_decisions() == ["warning inexact-exit"]


def test_the_correct_occupancy_clears_the_warning() -> None:
    desk = act(after(PLAY, "gs--"), "lift A3; put B2; wait 3000")
    assert desk.pop_decisions() == ["warning wrong-distance"]
    assert act(desk, "lift B2; wait 500; put A3; wait 200").pop_decisions() == ["cleared"]


def test_going_straight_to_a_legal_move_clears_the_warning() -> None:
    desk = act(after(PLAY, "gs--"), "lift A3; put B2; wait 3000")
    desk.pop_decisions()
    assert act(desk, "lift B2; wait 500; put A1; wait 200").pop_decisions() == [
        "cleared",
        "move A3-A1",
    ]


def test_there_is_no_warning_while_a_hand_is_at_work() -> None:
    desk = after(PLAY, "gs--")
    for _ in range(5):
        act(desk, "lift A3; wait 900; put B2; wait 900; lift B2; wait 900; put A3")
    assert desk.pop_decisions() == []


def test_a_warning_is_reported_once() -> None:
    desk = act(after(PLAY, "gs--"), "lift A3; put B2; wait 3000; lift B6; put B6; wait 3000")
    assert desk.pop_decisions() == ["warning wrong-distance"]


def test_a_swept_board_is_restored_piece_by_piece() -> None:
    desk = after(PLAY, "gs--").lift("A3", "B1", "B4", "B6", "C4").wait(2_600)
    assert names_of(desk.warning.fix.fill) == ["A3", "B1", "B4", "B6", "C4"]
    act(desk, "put A3; wait 500; put B1; wait 500; put B4; wait 500; put B6; wait 500; put C4")
    desk.pop_decisions()
    assert desk.wait(200).pop_decisions() == ["cleared"]


class TestSetUp:
    """Before the first throw."""

    @staticmethod
    def begun(squares: int) -> Desk:
        desk = Desk.new("finkel")
        desk.do(Occupancy(0, squares))
        return desk

    def test_begins_the_game_if_it_matches(self) -> None:
        assert self.begun(0).pop_decisions() == ["ready", "throw-for-start"]

    def test_waits_until_an_extra_piece_is_removed(self) -> None:
        desk = self.begun(1 << parse_square("B4"))
        assert [names_of(one.squares) for one in desk.decided] == [["B4"]]
        desk.wait(60_000)
        assert desk.pop_decisions() == ["ready"]
        assert desk.lift("B4").wait(200).pop_decisions() == ["ready", "throw-for-start"]


class TestBrokenSensor:
    def test_stuck_on_leads_to_one_question_and_is_left_out(self) -> None:
        desk = after(PLAY, "gs--").put("A1").wait(3_000)
        assert desk.pop_decisions() == ["warning wrong-distance"]
        desk.wait(12_100)
        assert desk.pop_decisions() == ["question move A3-A1"]
        desk.press(Side.LIGHT, "long")
        assert desk.pop_decisions() == ["fault stuck-on A3", "cleared", "move A3-A1"]

    def test_stuck_off_leads_to_a_question_and_is_left_out(self) -> None:
        desk = after(PLAY, "gs--").lift("A3").wait(25_000)
        assert desk.pop_decisions() == ["warning piece-missing", "question move A3-A1"]
        desk.press(Side.LIGHT, "long")
        assert desk.pop_decisions() == ["fault stuck-off A1", "cleared", "move A3-A1"]
        desk.throw("g---").wait(300)
        assert desk.pop_decisions() == ["roll 1"]

    def test_stuck_off_leads_to_a_question_at_the_next_throw(self) -> None:
        desk = after(PLAY, "gs--").lift("A3").wait(1_000).throw("g---")
        assert desk.pop_decisions()[0] == "question move A3-A1"

    def test_is_trusted_again_when_it_works_again(self) -> None:
        desk = after(PLAY, "gs--").lift("A3").wait(25_000).press(Side.LIGHT, "long").wait(500)
        assert names_of(desk.state.mask) == ["A1"]
        desk.put("A1").wait(500)
        assert desk.state.mask == 0
        assert desk.state.faults == ()

    def test_that_flickers_is_left_out(self) -> None:
        desk = after(PLAY, "gs--")
        for number in range(60):
            desk.edge("B6", number % 2 == 1).wait(20)
        assert desk.pop_decisions() == ["fault flicker B6"]
        assert act(desk, "lift A3; wait 300; put A1; wait 200").pop_decisions() == ["move A3-A1"]

    def test_that_lost_an_edge_is_corrected_by_the_next_full_reading(self) -> None:
        desk = after(PLAY, "gs--").put("A1")
        squares = desk.state.contacts.raw & ~(1 << parse_square("A3"))
        desk.do(Occupancy(desk.t, squares))
        assert desk.wait(200).pop_decisions() == ["move A3-A1"]

    def test_under_an_entering_piece_leads_to_a_question_at_the_second_throw(self) -> None:
        desk = after("finkel - L7D7 L0D0 L", "g---").wait(2_000).throw("gg--")
        assert desk.pop_decisions() == ["roll-refused unplayed-throw"]
        desk.throw("ggg-")
        assert desk.pop_decisions() == ["question move +A4", "roll-refused before-move"]
        desk.press(Side.LIGHT, "long")
        assert desk.pop_decisions() == ["fault stuck-off A4", "move +A4"]

    def test_that_hides_the_only_legal_move_leads_to_a_question(self) -> None:
        desk = after("finkel - L7D7 L0D0 L", "")
        desk.state.mask, desk.state.faults = 1 << parse_square("A4"), (Fault(0, "A4", "stuck-off"),)
        desk.throw("g---").wait(11_900)
        assert desk.pop_decisions() == ["roll 1"]
        assert desk.wait(200).pop_decisions() == ["question move +A4"]
