"""The place of every piece by its name: moved by several hands, and never lost."""

import pytest

from urpi.core.errors import UrpiError
from urpi.rules import Side, parse_square
from urpi.simulation.piece_layout import MAX_HANDS, ImpossibleError, PieceLayout, Place, parse_place

B4 = Place(parse_square("B4"))
RESERVE = {side: Place(side=side) for side in Side}


def laid_out(each: int = 3) -> PieceLayout:
    layout = PieceLayout()
    layout.set_piece_count(each)
    return layout


def names(layout: PieceLayout, place: Place) -> list[str]:
    return [piece.name for piece in layout.at(place)]


@pytest.mark.parametrize("text", ["A1", "C8", "hand:light", "hand:dark", "home:light", "aside"])
def test_a_places_text_round_trips(text: str) -> None:
    assert str(parse_place(text)) == text


@pytest.mark.parametrize("text", ["", "Z9", "b4", "hand", "hand:green", "held"])
def test_an_invalid_place_is_an_error(text: str) -> None:
    with pytest.raises(UrpiError, match="There is no place"):
        parse_place(text)


def test_the_pieces_of_a_side_are_in_its_reserve() -> None:
    assert names(laid_out(), RESERVE[Side.DARK]) == ["D1", "D2", "D3"]


def test_a_piece_moves_from_hand_to_square_and_home() -> None:
    layout = laid_out()
    layout.lift("me", RESERVE[Side.LIGHT], name="L2")
    layout.put("me", B4)
    assert names(layout, B4) == ["L2"]
    layout.lift("me", B4)
    layout.put("me", parse_place("home:dark"))

    assert names(layout, parse_place("home:light")) == ["L2"]
    assert not layout.grips


def test_a_lifted_piece_leaves_its_slot_free() -> None:
    layout = laid_out()
    layout.lift("me", RESERVE[Side.LIGHT], name="L2")
    layout.put("me", B4)
    assert sorted(layout.beside[RESERVE[Side.LIGHT]]) == [0, 2]
    layout.lift("me", B4)
    layout.put("me", RESERVE[Side.LIGHT])

    assert names(layout, RESERVE[Side.LIGHT]) == ["L1", "L2", "L3"]


def test_a_piece_is_lifted_with_those_on_top_of_it() -> None:
    layout = laid_out()
    for name in ("L1", "D1", "L2"):
        layout.lift("me", RESERVE[Side.LIGHT if name[0] == "L" else Side.DARK], name=name)
        layout.put("me", B4)
    place, count = layout.find("D1")

    assert (place, count) == (B4, 2)
    assert [piece.name for piece in layout.lift("me", place, count)] == ["D1", "L2"]
    assert names(layout, B4) == ["L1"]


def test_two_hands_hold_a_piece_each() -> None:
    layout = laid_out()
    layout.lift("one", RESERVE[Side.LIGHT], name="L1")
    layout.lift("other", RESERVE[Side.DARK], name="D1")
    layout.put("one", B4)

    assert names(layout, B4) == ["L1"]
    assert list(layout.grips) == ["other"]


def test_a_piece_held_over_a_square_occupies_it() -> None:
    layout = laid_out()
    layout.lift("me", RESERVE[Side.LIGHT])
    assert layout.occupancy == 0
    layout.held("me").over = B4.square

    assert layout.occupancy == 1 << parse_square("B4")


def test_pieces_pushed_off_lie_aside() -> None:
    layout = laid_out()
    layout.lift("me", RESERVE[Side.LIGHT], name="L3")
    layout.put("me", B4)
    layout.push_off(parse_square("B4"))

    assert names(layout, parse_place("aside")) == ["L3"]


def test_a_turned_piece_is_turned_back_in_its_row() -> None:
    layout = laid_out()
    (piece,) = layout.lift("me", RESERVE[Side.LIGHT])
    piece.turned = True
    layout.put("me", RESERVE[Side.LIGHT])

    assert not piece.turned


def test_the_number_of_pieces_can_be_changed() -> None:
    layout = laid_out(7)
    layout.set_piece_count(10)
    assert len(list(layout.pieces())) == 20
    layout.set_piece_count(3)
    assert sorted(piece.name for piece in layout.pieces()) == ["D1", "D2", "D3", "L1", "L2", "L3"]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda layout: layout.lift("me", B4), "there lies none"),
        (lambda layout: layout.put("me", B4), "holds nothing"),
        (lambda layout: layout.find("L1"), "in another hand"),
    ],
)
def test_physically_impossible_acts_are_errors(act, message: str) -> None:
    layout = laid_out()
    layout.lift("other", RESERVE[Side.LIGHT], name="L1")
    with pytest.raises(ImpossibleError, match=message):
        act(layout)


def test_the_number_of_hands_is_limited() -> None:
    layout = laid_out(20)
    for number in range(MAX_HANDS):
        layout.lift(f"hand {number}", RESERVE[Side.LIGHT])
    with pytest.raises(ImpossibleError, match=f"{MAX_HANDS} hands"):
        layout.lift("one more", RESERVE[Side.LIGHT])
