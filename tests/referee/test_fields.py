"""Hall sensors: what their readings decide of which switches show nothing, and that alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.test_warnings import act
from urpi.referee.facts import Field, Game, Occupancy
from urpi.referee.fields import SHARES
from urpi.rules import Side, parse_position, parse_square
from wiring.cylinder import exact_field_mt
from wiring.pages.hall import MIXED

PILES = "ravensburger B1:L,B2:DL',B3:D L8D8 L0D0 L"
READINGS = {"B1": 800, "B2": -1100, "B3": -700}
"""What sensors show of these piles; a turned piece of light has dark's pole up."""


def sense(desk: Desk, **strengths: int) -> None:
    for square, strength in strengths.items():
        pole = None if abs(strength) < 190 else Side.LIGHT if strength > 0 else Side.DARK
        desk.do(Field(desk.t, parse_square(square), strength, 5, pole))


def playing(position: str, faces: str, **strengths: int) -> Desk:
    """Return a game at a position of which the sensors showed these strengths, after a throw."""
    parsed = parse_position(position)
    desk = Desk(Game(0, parsed.rules.id, position=position))
    sense(desk, **strengths)
    desk.do(Occupancy(0, parsed.occupancy))
    desk.wait(300).throw(faces).wait(300)
    desk.pop_decisions()
    return desk


def test_an_adjusted_piece_hides_no_move_if_the_piles_are_what_they_were() -> None:
    desk = playing(PILES, "1", **READINGS)
    act(desk, "lift B3; wait 900; put B3; wait 60")
    sense(desk, B3=-560)
    desk.wait(30_000)
    assert desk.pop_decisions() == []


@pytest.mark.parametrize(
    ("target", "strength", "move"), [("B1", 710, "B2-B1"), ("B3", -790, "B2xB3")]
)
def test_a_move_from_pile_to_pile_is_known_without_a_question(
    target: str, strength: int, move: str
) -> None:
    desk = playing(PILES, "1", **READINGS)
    sense(desk, B2=-1010)
    desk.wait(400)
    sense(desk, **{target: strength})
    desk.wait(20_000)
    assert desk.pop_decisions() == [f"seems {move}", f"move {move}"]


def test_a_move_from_pile_to_pile_is_asked_for_without_readings() -> None:
    desk = playing(PILES, "1").wait(70_000)
    assert desk.pop_decisions()[0].startswith("question move")


def test_after_a_move_the_next_one_is_compared_with_its_readings() -> None:
    desk = playing(PILES, "1", **READINGS)
    sense(desk, B2=-1010, B1=710)
    desk.wait(20_000).throw("6").wait(300).throw("1", roll_ms=400).wait(300)
    desk.pop_decisions()
    sense(desk, B2=-1012, B1=712)
    act(desk, "lift B3; wait 400; put B3; wait 60")
    sense(desk, B3=-700)
    desk.wait(30_000)
    assert not any(each.startswith("question") for each in desk.pop_decisions())


def test_the_pole_of_a_landed_group_tells_what_was_carried() -> None:
    position = "ravensburger B4:DLD L9D8 L0D0 D"
    for strength, move in ((930, "B4-B6*"), (-900, "B4-B6")):
        desk = playing(position, "2", B4=-960)
        sense(desk, B4=-1040 if move == "B4-B6*" else -930)
        act(desk, "wait 400; put B6; wait 60")
        sense(desk, B6=strength)
        desk.wait(2_000)
        assert f"move {move}" in desk.pop_decisions()


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["B1", "B2", "B3"]),
    st.integers(-2000, 2000),
    st.sampled_from(["lift B1; wait 300; put B1", "lift B3; wait 900; put B3", "wait 100"]),
)
def test_readings_that_contradict_everything_decide_nothing_but_a_warning(
    square: str, strength: int, acts: str
) -> None:
    desk = playing(PILES, "1")
    act(desk, acts)
    # Poles that nothing on these squares can have.
    wrong = (("B1", Side.DARK), ("B2", Side.LIGHT), ("B3", Side.LIGHT))
    for each, side in (*wrong, (square, None), *wrong):
        desk.do(Field(desk.t, parse_square(each), strength * (side is None), 5, side))
    desk.wait(90_000)
    assert desk.pop_decisions() == ["warning wrong-piece"]
    # Players who throw twice all the same have moved, and are asked as without sensors.
    desk.throw("1").wait(3000).throw("1").wait(1000)
    asked = [each for each in desk.pop_decisions() if each.startswith("question move")]
    assert {"B2-B1", "B2xB3"} <= set(asked[-1].split())


def test_the_shares_of_a_pile_are_those_of_the_recommended_magnets() -> None:
    disc, gap = MIXED
    depth = gap + disc.height_mm / 2
    fields = [exact_field_mt(disc, depth + place * 5.6)[0] for place in range(len(SHARES))]
    shares = [1000 * each / fields[0] for each in fields]
    assert list(SHARES) == pytest.approx(shares, rel=0.05, abs=1)
