"""Pieces are never added or lost, whatever a hand does with them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.core.errors import UrpiError
from urpi.rules import Side, parse_position, parse_square
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.piece_layout import PieceLayout

START = "ravensburger A4:L,B1:DL,B4:LDD',C4:D L7D5 L0D1 L"
SQUARES = st.integers(0, 19)
ACTS = st.one_of(
    st.tuples(st.just("lift"), SQUARES, st.integers(1, 3)),
    st.tuples(st.just("put"), SQUARES),
    st.tuples(st.sampled_from(["beside", "home"])),
    st.tuples(st.just("take"), st.sampled_from(Side), st.booleans()),
)


def pieces_of(position):
    layout = PieceLayout()
    layout.set_piece_count(position.rules.pieces)
    layout.arrange(position)
    return LayoutAccess(layout), layout


def total(layout):
    return [sum(piece.side is side for piece in layout.pieces()) for side in Side]


def act(pieces, what, *details):
    held = "".join(pieces.held.elements())
    match what:
        case "lift":
            pieces.lift(*details)
        case "put":
            pieces.put(details[0], held)
        case "beside":
            pieces.lay_beside(held)
        case "home":
            pieces.bring_home(held)
        case "take":
            pieces.pick_up(details[0], from_home=details[1])


@given(st.lists(ACTS, max_size=40))
def test_the_pieces_are_conserved(acts):
    pieces, layout = pieces_of(parse_position(START))
    for what, *details in acts:
        with suppress(UrpiError):
            act(pieces, what, *details)
        assert total(layout) == [10, 10]


def test_a_group_is_lifted_off_a_pile_in_its_order():
    pieces, _ = pieces_of(parse_position(START))

    group = pieces.lift(parse_square("B4"), 2)

    assert (group, pieces.board[parse_square("B4")]) == ("Dd", "L")


def test_the_occupied_squares_are_those_with_a_piece():
    position = parse_position(START)

    pieces, _ = pieces_of(position)

    assert pieces.shows(position)
    assert pieces.occupancy == position.occupancy


@pytest.mark.parametrize(
    ("act", "names"),
    [
        (lambda pieces: pieces.lift(0), "A1"),
        (lambda pieces: pieces.put(0, "L"), "'L'"),
        (lambda pieces: pieces.pick_up(Side.LIGHT, from_home=True), "light"),
    ],
)
def test_missing_pieces_cannot_be_lifted(act, names):
    with pytest.raises(UrpiError, match=names):
        act(pieces_of(parse_position(START))[0])
