"""A hand that goes on after its move, and holds the piece over a square before it decides."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk

# Light steps onto the rosette A1, throws again and goes on to B1.
TWICE = "finkel3 A2:L,B4:D L6D6 L0D0 L"


def moved_twice() -> Desk:
    desk = Desk.at(TWICE).wait(300).throw("g--").wait(300).lift("A2").wait(300).put("A1").wait(500)
    desk.throw("--s").wait(300).lift("A1").wait(300).put("B1").wait(300)
    assert desk.pop_decisions()[-3:] == ["move A2-A1", "roll 1", "move A1-B1"]
    return desk


@settings(max_examples=30, deadline=None)
@given(held_ms=st.integers(10, 980))
def test_a_piece_held_over_its_first_square_takes_nothing_back(held_ms: int) -> None:
    desk = moved_twice().lift("B1").wait(400).put("A2").wait(held_ms).lift("A2").wait(400)
    desk.put("B1").wait(500)
    assert desk.pop_decisions() == []
    assert desk.throw("gs-").pop_decisions() == ["roll 2"]


@settings(max_examples=10, deadline=None)
@given(held_ms=st.integers(1010, 5_000))
def test_a_piece_that_stays_on_its_first_square_takes_both_moves_back(held_ms: int) -> None:
    desk = moved_twice().lift("B1").wait(400).put("A2").wait(held_ms)
    assert desk.pop_decisions() == ["takeback A1-B1", "takeback A2-A1"]


def test_a_piece_lifted_while_dice_roll_does_not_take_back_two_moves() -> None:
    # The piece came from a pile, so the board without it is the one before both moves.
    desk = Desk.at("skiryuk A2:LL,B4:D L5D6 L0D0 L").wait(300).throw("--g").wait(300)
    desk.lift("A2").put("A2").wait(300).put("A1").wait(500).throw("g--").wait(300)
    desk.lift("A1").wait(300).put("B1").wait(500)
    assert desk.pop_decisions()[-3:] == ["move A2-A1", "roll 1", "move A1-B1"]

    desk.lift("B1").wait(100).throw("gs-", roll_ms=700).wait(200).put("B1").wait(1500)

    assert desk.pop_decisions() == ["roll 2"]
