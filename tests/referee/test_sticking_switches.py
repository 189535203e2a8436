"""Switches that stick in the middle of a move: what players are asked, and how the game goes on."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.positions import reached
from urpi.referee.inference import Candidate
from urpi.referee.stages import Moving
from urpi.rules import HAND, OFF, SQUARE_NAMES

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
    position = reached("freecompany", rng, rng.randrange(20, 90))
    desk = Desk.at(str(position)).wait(300)
    desk.throw(position.rules.dice.roll(rng.random()).faces).wait(1000)
    stage = desk.state.stage
    candidates = stage.candidates if isinstance(stage, Moving) else ()
    choices = [pair for each in candidates for pair in halves_without_capture(each, candidates)]
    assume(choices)
    whole, half = rng.choice(choices)
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
