"""Players who make another move than they began: taken back, or on the same final board."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.referee.playing import Desk
from urpi.referee import snapshot
from urpi.referee.facts import Occupancy
from urpi.rules import Side, parse_square, squares_of

held = st.integers(200, 2_800)
"""Milliseconds for which a hand holds a piece over the board."""


@given(held_ms=held, tapped_ms=st.integers(0, 350))
def test_a_piece_held_over_the_board_does_not_take_back_the_move_that_entered_it(
    held_ms: int, tapped_ms: int
) -> None:
    """Light enters on the rosette A1 and throws again; the second move becomes another one."""
    desk = Desk.at("finkel B2:D,B6:L L6D6 L0D0 L").wait(300)
    desk.throw("gggg").wait(400).put("A1").wait(1_200)
    desk.throw("g---").wait(400).lift("B6").wait(400).put("B7").wait(600)
    desk.pop_decisions()
    desk.lift("B7").wait(300).put("B6").wait(300).lift("A1").wait(held_ms)
    if tapped_ms:
        desk.put("B1").wait(tapped_ms).lift("B1").wait(held_ms)
    desk.put("B1").wait(1_200)
    assert desk.pop_decisions()[-2:] == ["takeback B6-B7", "move A1-B1"]
    assert desk.state.played[0].candidate.text == "+A1"


def test_a_piece_set_aside_for_longer_takes_both_moves_back() -> None:
    desk = Desk.at("finkel B2:D,B6:L L6D6 L0D0 L").wait(300)
    desk.throw("gggg").wait(400).put("A1").wait(1_200)
    desk.throw("g---").wait(400).lift("B6").wait(400).put("B7").wait(600)
    desk.pop_decisions()
    desk.lift("B7").wait(300).put("B6").wait(300).lift("A1").wait(3_200)
    assert desk.pop_decisions() == ["takeback B6-B7", "takeback +A1"]


def disturbed(*, back_ms: int, lifted_ms: int) -> Desk:
    """Return a table at which light moved A4 in place of B1, and dark then lifted its own piece.

    Dark has put the piece back as the display asked.
    """
    desk = Desk.at("finkel A3:L,A4:L,B1:L,B4:L,C1:D,C8:D L1D4 L2D1 L")
    desk.wait(300).throw("-s-g").wait(400).lift("B1").wait(300).put("B3").wait(800)
    desk.lift("B3").wait(300).put("B1").wait(back_ms).lift("A4").wait(400).put("A2")
    desk.wait(lifted_ms).lift("C1").wait(2_600)
    assert desk.warning.code == "disturbed"
    desk.pop_decisions()
    return desk.put("C1")


BEFORE_FINAL = st.integers(100, 900)


@given(back_ms=BEFORE_FINAL, lifted_ms=BEFORE_FINAL, throws_ms=st.integers(200, 11_000))
def test_another_move_that_stands_counts_when_the_next_dice_roll(
    back_ms: int, lifted_ms: int, throws_ms: int
) -> None:
    """Also while the display still asks for the first move, because the other side moved."""
    desk = disturbed(back_ms=back_ms, lifted_ms=lifted_ms).wait(throws_ms)
    desk.throw("gg--").wait(300)
    decided = [one for one in desk.pop_decisions() if not one.startswith("cleared")]
    assert decided == ["takeback B1-B3", "move A4-A2", "roll 2"]
    assert desk.state.position.turn is Side.DARK


def test_another_move_that_stands_for_long_counts_without_dice() -> None:
    desk = disturbed(back_ms=600, lifted_ms=440).wait(13_000)
    assert desk.pop_decisions() == ["cleared", "takeback B1-B3", "move A4-A2"]


def test_the_first_move_stays_if_the_board_is_corrected_as_the_display_asks() -> None:
    desk = disturbed(back_ms=600, lifted_ms=440).wait(2_000)
    desk.lift("A2").wait(400).put("A4").wait(400).lift("B1").wait(400).put("B3").wait(1_500)
    desk.throw("gg--").wait(300)
    assert desk.pop_decisions() == ["cleared", "roll 2"]


TWO_STEPS = "freecompany A3:D,A4:D,B4:L,C1:D L6D4 L0D0 D"
"""With gg dark moves A4 to A2, or A3 to A2 and then A4 to A3: both end on the same board."""


@given(shown_ms=st.integers(160, 2_000), rests_ms=st.integers(50, 3_000), throws=st.booleans())
def test_the_move_that_was_seen_to_begin_is_the_one_that_is_made(
    shown_ms: int, rests_ms: int, throws: bool
) -> None:
    """The second piece is put down where the first one stood, and only a reading shows it."""
    desk = Desk.at(TWO_STEPS).wait(300).throw("gg").wait(400)
    assert {"A4-A2", "A3-A2,A4-A3"} <= set(snapshot(desk.state).legal)
    desk.lift("A3").wait(400).put("A2").wait(shown_ms).lift("A4").wait(400)
    desk.do(Occupancy(desk.t, squares_of(map(parse_square, ["A2", "A3", "B4", "C1"]))))
    desk.wait(rests_ms)
    if throws:
        desk.throw("g-")
    desk.wait(16_000)
    assert [one for one in desk.pop_decisions() if one.startswith("move")] == ["move A3-A2,A4-A3"]


@given(rests_ms=st.integers(50, 3_000))
def test_one_piece_that_takes_two_steps_is_one_piece(rests_ms: int) -> None:
    desk = Desk.at(TWO_STEPS).wait(300).throw("gg").wait(400)
    desk.lift("A4").wait(400).put("A2").wait(rests_ms + 400).throw("g-").wait(500)
    assert [one for one in desk.pop_decisions() if one.startswith("move")] == ["move A4-A2"]


MOVES_BACK = [
    ("finkel A4:L,B2:L,B5:L,B7:D,C1:D L4D5 L0D0 L", "gg--"),
    ("skiryuk A3:L,A4:L,B4:L,C1:D L4D6 L0D0 L", "gg--"),
    ("freecompany A3:D,A7:L,B1:D,B4:L,B6:D,C3:D L5D3 L0D0 D", "g-"),
]
hand_ms = st.integers(80, 700)


@pytest.mark.parametrize(("position", "faces"), MOVES_BACK)
@given(
    data=st.data(),
    stood_ms=st.integers(1_100, 2_500),
    back_ms=hand_ms,
    lifted_ms=st.integers(20, 700),
    throws_ms=st.integers(0, 300),
    roll_ms=st.integers(300, 1_500),
    lands_ms=st.integers(0, 900),
)
def test_no_throw_counts_that_began_while_the_last_move_was_being_taken_back(
    position: str,
    faces: str,
    data: st.DataObject,
    stood_ms: int,
    back_ms: int,
    lifted_ms: int,
    throws_ms: int,
    roll_ms: int,
    lands_ms: int,
) -> None:
    """The first piece is back and the second one in the hand when the opponent throws."""
    desk = Desk.at(position).wait(300).throw(faces).wait(400)
    plain = re.compile(r"\w\d-\w\d")
    legal = [each.split("-") for each in snapshot(desk.state).legal if plain.fullmatch(each)]
    (origin, target), (second, ends) = data.draw(
        st.sampled_from([(a, b) for a in legal for b in legal if not {*a} & {*b}])
    )
    desk.lift(origin).wait(400).put(target).wait(stood_ms)
    assert f"move {origin}-{target}" in desk.pop_decisions()
    desk.lift(target).wait(back_ms).put(origin).wait(lifted_ms).lift(second).wait(throws_ms)
    desk.throw(faces, roll_ms=roll_ms)
    desk.wait(lands_ms).put(ends).wait(1_500)
    decided = desk.pop_decisions()
    assert not [one for one in decided if one.startswith("roll ")]
    # A piece in the hand for 2.5 s is warned about; then the next throw shows that it was a move.
    desk.throw(faces).wait(300)
    decided += desk.pop_decisions()
    assert f"takeback {origin}-{target}" in decided
    kinds = [one for one in decided if one.split()[0] in {"move", "roll"}]
    assert kinds[0] == f"move {second}-{ends}"
    assert [one.split()[0] for one in kinds] == ["move", "roll"]


@given(began_ms=st.integers(20, 700), tap_ms=st.integers(20, 400), tapped_ms=st.integers(10, 140))
def test_a_tap_on_the_square_of_the_move_taken_back_lets_no_throw_count(
    began_ms: int, tap_ms: int, tapped_ms: int
) -> None:
    desk = Desk.at("murray A1:L,A3:L,A4:L,C1:D,C2:D,C4:D L4D4 L0D0 D")
    desk.wait(300).throw("g-g").wait(400).lift("C2").wait(300).put("B1").wait(1_200)
    desk.lift("B1").wait(400).put("C2").wait(300).lift("C1").wait(began_ms)
    for die in (1, 2, 3):
        desk.die(die, "rolling")
    desk.wait(tap_ms).put("B1").wait(tapped_ms).lift("B1").wait(50)
    for die in (1, 2, 3):
        desk.die(die, "settled", "s", tumbled=True)
    desk.wait(300).put("B2").wait(1_500).throw("gss").wait(300)
    decided = [
        one for one in desk.pop_decisions() if one.split()[0] in {"takeback", "move", "roll"}
    ]
    assert decided == ["roll 2", "move C2-B1", "takeback C2-B1", "move C1-B2", "roll 3"]


@given(back_ms=hand_ms, held_ms=hand_ms, throws_ms=st.integers(1_200, 2_800))
def test_the_same_piece_that_captures_unseen_in_place_of_its_move_is_not_forgotten(
    back_ms: int, held_ms: int, throws_ms: int
) -> None:
    """A1 is captured without a blink of its switch, so that the board shows only the lift."""
    desk = Desk.at("freecompany A1:L,A2:L,A3:L,A7:D,B1:D,B6:D,B7:D,C2:L,C4:L L2D3 L0D0 D")
    desk.wait(300).throw("-s").wait(400).lift("B1").wait(300).put("B2").wait(1_200)
    desk.lift("B2").wait(held_ms).put("B1").wait(back_ms).lift("B1").wait(throws_ms)
    desk.throw("g-").wait(300)
    decided = desk.pop_decisions()
    assert "B1xA1" in " ".join(decided)
    later = [one.split()[0] for one in decided[decided.index("takeback B1-B2") :]]
    assert "roll" not in later or later.index("move") < later.index("roll")


@given(
    back_ms=hand_ms,
    lifted_ms=hand_ms,
    swept=st.sets(st.sampled_from(["A3", "A7", "B3", "B5", "B8"]), min_size=1),
    lying_ms=st.integers(2_600, 9_000),
    throws_ms=st.integers(200, 11_000),
)
def test_another_move_counts_although_a_swept_board_was_set_up_again_since(
    back_ms: int, lifted_ms: int, swept: set[str], lying_ms: int, throws_ms: int
) -> None:
    """The warning has made the referee forget how the pieces of the other move changed."""
    position = "finkel A2:L,A3:L,A7:L,B1:L,B2:D,B3:D,B5:D,B8:D L3D2 L0D1 L"
    desk = Desk.at(position).wait(300).throw("gg-g").wait(400).lift("B1").wait(300).put("B4")
    desk.wait(1_100).lift("B4").wait(back_ms).put("B1").wait(back_ms)
    desk.lift("B2").wait(lifted_ms).lift("A2").wait(lifted_ms).put("B2").wait(lifted_ms)
    desk.lift(*sorted(swept)).wait(lying_ms).put(*sorted(swept)).wait(throws_ms)
    desk.throw("g---").wait(300)
    decided = [
        one for one in desk.pop_decisions() if one.split()[0] in {"takeback", "move", "roll"}
    ]
    assert decided == ["roll 3", "move B1-B4", "takeback B1-B4", "move A2xB2", "roll 1"]


@given(lifted_ms=hand_ms, held_ms=hand_ms, lying_ms=st.integers(2_600, 9_000), rests_ms=hand_ms)
def test_two_pieces_are_not_taken_for_one_after_the_board_was_swept(
    lifted_ms: int, held_ms: int, lying_ms: int, rests_ms: int
) -> None:
    """C1-C2,B1-C1 ends on the same board as B1-C2, but earns an extra throw."""
    desk = Desk.at("freecompany A2:L,A3:L,B1:L,B3:D,C1:L,C4:D,C8:D L3D4 L0D0 L")
    desk.wait(300).throw("gs").wait(400).lift("C1").wait(held_ms).put("C2").wait(lifted_ms + 150)
    desk.lift("B1").wait(held_ms).put("C1").wait(rests_ms + 150)
    desk.lift("C2", "C8", "B3", "A3", "C4").wait(lying_ms)
    assert desk.warning.code == "disturbed"
    for square in ("A3", "B3", "C2", "C4", "C8"):
        desk.put(square).wait(rests_ms)
    desk.throw("g-").wait(400)
    decided = " ".join(desk.pop_decisions())
    assert "C1-C2,B1-C1" in decided
    assert "B1-C2" not in decided


@given(lifted_ms=hand_ms, held_ms=hand_ms, warned_ms=st.integers(0, 3_000))
def test_a_capture_seen_before_a_disturbance_is_not_exchanged_for_another(
    lifted_ms: int, held_ms: int, warned_ms: int
) -> None:
    """Of a move of two pieces, the first may capture on A1 or C1; C1 is only adjusted later."""
    desk = Desk.at("freecompany A1:L,A3:L,A8:D,B1:D,B2:L,B3:D,C1:L L3D4 L0D0 D")
    desk.wait(300).throw("gg").wait(400)
    desk.lift("A1").wait(held_ms).lift("B1").wait(held_ms).put("A1").wait(lifted_ms)
    desk.lift("B3").wait(held_ms).put("B4").wait(400)
    desk.lift("C1").wait(held_ms).lift("A8").wait(held_ms).put("C1").wait(2_600)
    assert desk.warning.squares
    desk.wait(warned_ms).lift("C1").wait(held_ms).put("A8").wait(held_ms).put("C1").wait(400)
    desk.throw("g-").wait(400)
    assert "move B1xC1,B3-B4" not in desk.pop_decisions()
