"""Switches that stick in the middle of a move: what players are asked, and how the game goes on."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.positions import reached
from urpi.referee.inference import Candidate, candidates_of
from urpi.rules import HAND, OFF, SQUARE_NAMES, Side, names_of

HALF_A_MOVE = "freecompany A2:D,B1:D,B2:L,B4:L,B5:L,C1:D,C3:D,C4:D L4D2 L0D0 L"
"""Light throws two marks: B2 takes B1, and B4 goes to B3. B2's switch sticks from then on."""


def captured_with_a_piece_whose_switch_sticks() -> Desk:
    desk = Desk.at(HALF_A_MOVE).wait(300).throw("gs").wait(1450)
    desk.lift("B1").wait(980).put("B1").wait(690).lift("B4").wait(690).put("B3").wait(900)
    assert desk.pop_decisions()[-2:] == ["seems +xB1", "seems B4-B3"]
    return desk


@pytest.mark.parametrize("throws", [True, False])
def test_a_capture_whose_piece_never_seemed_to_leave_is_asked_for(throws: bool) -> None:
    """With a working switch it would be B4-B3 alone, after the piece on B1 was only lifted."""
    desk = captured_with_a_piece_whose_switch_sticks()
    desk = desk.throw("g-") if throws else desk.wait(12_200)
    assert desk.pop_decisions() == ["question move B2xB1,B4-B3 B4-B3"]
    desk.wait(1500).press(desk.state.position.turn, "long")
    counted = ["roll 1"] if throws else []
    assert desk.pop_decisions() == ["fault stuck-on B2", "move B2xB1,B4-B3", *counted]


def test_half_of_the_move_is_recorded_if_the_player_says_so() -> None:
    desk = captured_with_a_piece_whose_switch_sticks().throw("g-").wait(1500)
    side = desk.state.position.turn
    desk.press(side).wait(400).press(side, "long")
    assert desk.pop_decisions()[1:] == ["move B4-B3", "roll 1"]
    assert not desk.state.faults


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_capture_of_a_move_of_two_pieces_is_asked_for_if_its_origin_stays_closed(
    seed: int,
) -> None:
    rng = Random(seed)
    choices = list[tuple[Candidate, Candidate]]()
    while not choices:
        position = reached("freecompany", rng, rng.randrange(20, 90))
        throw = position.rules.dice.roll(rng.random())
        candidates = candidates_of(position, throw)
        choices = [pair for each in candidates for pair in halves_without_capture(each, candidates)]
    whole, half = rng.choice(choices)
    desk = Desk.at(str(position)).wait(300).throw(throw.faces).wait(1000)
    [capture] = [part for part in whole.move.parts if part not in half.move.parts]
    [plain] = half.move.parts
    target = SQUARE_NAMES[capture.target]
    desk.lift(target).wait(rng.randrange(200, 1000)).put(target).wait(rng.randrange(300, 900))
    desk.lift(SQUARE_NAMES[plain.origin]).wait(500).put(SQUARE_NAMES[plain.target]).wait(1200)
    desk.pop_decisions()
    desk.throw("g-")
    asked = desk.pop_decisions()[0].split()
    assert asked[:2] == ["question", "move"]
    assert {whole.text, half.text} <= set(asked[2:])


def halves_without_capture(
    whole: Candidate, candidates: tuple[Candidate, ...]
) -> list[tuple[Candidate, Candidate]]:
    """Return a move of two pieces with the half of it that captures nothing, if it may be seen."""
    found = []
    for half in candidates:
        rest = [part for part in whole.move.parts if part not in half.move.parts]
        alike = [each for each in candidates if each.occupancy == half.occupancy]
        if len(whole.move.parts) == 2 and len(rest) == len(half.move.parts) == len(alike) == 1:
            [plain], [capture] = half.move.parts, rest
            seen = HAND != plain.origin != capture.target and plain.target != OFF
            seen = seen and not (half.lifts & half.lands or plain.target == capture.origin)
            sticks = capture.origin != HAND and capture.target != OFF
            sticks = sticks and whole.lifts & whole.lands == 1 << capture.target
            found += [(whole, half)] * bool(seen and sticks)
    return found


TAPPED = "murray A2:L,A3:L,A4:L,B1:D,B3:L,B6:D,C3:D L3D4 L0D0 D"
"""Dark throws one mark: B1, whose switch sticks, goes to B2 and taps on C4, where one may enter."""


def tapped_on_the_way(tap_ms: int) -> Desk:
    desk = Desk.at(TAPPED).wait(300).throw("s--").wait(3000)
    desk.put("C4").wait(tap_ms).lift("C4").wait(270).put("B2").wait(500)
    assert desk.pop_decisions()[-1] == "move +C4"
    return desk


@pytest.mark.parametrize("tap_ms", range(160, 900, 130))
def test_a_piece_that_taps_on_its_way_does_not_enter_though_it_never_seemed_to_leave(
    tap_ms: int,
) -> None:
    desk = tapped_on_the_way(tap_ms).throw("gsg")
    assert desk.pop_decisions() == ["takeback +C4", "question move B1-B2"]
    desk.wait(1500).press(Side.DARK, "long")
    assert desk.pop_decisions() == ["fault stuck-on B1", "move B1-B2", "roll 3"]


def test_without_the_next_dice_it_is_to_go_back_where_it_seemed_to_enter() -> None:
    desk = tapped_on_the_way(300).wait(3000)
    assert (names_of(desk.warning.fix.fill), names_of(desk.warning.fix.clear)) == (["C4"], ["B2"])
    desk.pop_decisions()
    assert desk.lift("B2").wait(300).put("C4").wait(1000).pop_decisions() == ["cleared"]


def test_a_piece_that_is_put_back_after_all_has_entered() -> None:
    """The other player throws while it is lifted for a moment, over a square that it may go to."""
    desk = tapped_on_the_way(300)
    for die in (1, 2, 3):
        desk.die(die, "rolling")
    desk.wait(200).lift("B2").wait(300).put("C4").wait(1500)
    assert [one for one in desk.pop_decisions() if "move" in one][-1] == "move +C4"


def wrong_on_the_board(desk: Desk) -> list[str]:
    """Return the squares of which the switches show something else than the position."""
    return names_of(desk.state.evidence().changed)


@pytest.mark.parametrize(
    ("position", "faces", "acts", "move", "squares"),
    [
        # A4 is dead, and B6 sticks just after the piece was put on A4.
        ("coursework B1:D L7D6 L0D0 L", "s--", "put B6", "+A4", ["A4", "B6"]),
        # B7 fails under light's piece, and B5 sticks, while dark moves.
        (
            "coursework A1:L,A2:L,A4:L,B3:D,B7:L,C1:D,C4:D,C8:D L3D3 L0D0 D",
            "-s-",
            "lift B7; lift B3; put B5; put B4",
            "B3-B4",
            ["B5", "B7"],
        ),
        # B4 is dead, and A8 sticks while the piece is on its way there.
        (
            "skiryuk B2:L,C1:D,C3:D,C4:DD L6D3 L0D0 L",
            "-ss",
            "lift B2; put A8",
            "B2-B4",
            ["A8", "B4"],
        ),
    ],
)
def test_a_game_goes_on_without_two_switches_that_break_once_the_move_was_entered(
    position: str, faces: str, acts: str, move: str, squares: list[str]
) -> None:
    """Without the entry nobody can know: a hand that breaks a rule causes the same reports."""
    desk = Desk.at(position).wait(300).throw(faces).wait(1500)
    for act in acts.split("; "):
        verb, square = act.split()
        getattr(desk.wait(300), verb)(square)
    desk.wait(3000).throw(faces).wait(600).throw(faces).wait(3000)
    decided = desk.pop_decisions()
    assert [one for one in decided if one.startswith("warning")]
    assert not [one for one in decided if one.startswith(("question", "move", "fault"))]
    desk.answer(move=move).wait(3000)
    assert wrong_on_the_board(desk) == squares
    assert f"move {move}" in desk.pop_decisions()
    desk.throw(faces)
    assert [one.split()[2] for one in desk.pop_decisions() if one.startswith("fault")] == squares
    assert wrong_on_the_board(desk) == []
    assert desk.state.warning is None
    assert desk.wait(20_000).state.warning is None


def test_switches_are_trusted_again_if_the_entered_move_is_made_after_the_next_throw() -> None:
    desk = Desk.at("finkel A3:L,B5:L,C1:D L5D6 L0D0 L").wait(300).throw("gs--").wait(600)
    desk.answer(move="B5-B7").wait(3000)
    assert [desk.warning.code, *wrong_on_the_board(desk)] == ["not-your-turn", "B5", "B7"]
    desk.throw("g---").wait(600)
    assert {fault.device for fault in desk.state.faults} == {"B5", "B7"}
    desk.lift("B5").wait(400).put("B7").wait(600)
    assert desk.state.faults == ()
    desk.pop_decisions()
    assert desk.lift("C1").wait(400).put("B1").wait(600).pop_decisions() == ["move C1-B1"]


@pytest.mark.parametrize("entered", [False, True])
def test_two_wrong_squares_are_not_left_out_without_both_an_entry_and_a_warning(
    entered: bool,
) -> None:
    desk = Desk.at("finkel A3:L,B5:L,C1:D L5D6 L0D0 L").wait(300).throw("gs--").wait(600)
    if entered:
        desk.answer(move="B5-B7").wait(600)
    else:
        desk.lift("B5").wait(300).put("B7").wait(600).lift("A3").wait(300).put("A2").wait(3000)
        assert desk.warning.code
    desk.pop_decisions()
    desk.throw("g---").wait(100)
    assert not [one for one in desk.pop_decisions() if one.startswith("fault")]
