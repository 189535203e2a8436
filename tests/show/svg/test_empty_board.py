"""The picture of the empty board."""

import xml.etree.ElementTree as ET

import pytest

from urpi.rules import ALL_SQUARES, SQUARE_NAMES
from urpi.show.svg import board_svg, plan

SVG = "{http://www.w3.org/2000/svg}"


def groups(picture: str, key: str) -> dict[str, ET.Element]:
    return {
        node.attrib[key]: node
        for node in ET.fromstring(picture).iter(f"{SVG}g")
        if key in node.attrib
    }


def test_the_board_has_twenty_named_squares() -> None:
    assert sorted(groups(board_svg(), "data-square")) == sorted(SQUARE_NAMES)


@pytest.mark.parametrize("square", ALL_SQUARES)
def test_a_square_has_the_coordinates_of_the_plan(square: int) -> None:
    drawn = groups(board_svg(), "data-square")[SQUARE_NAMES[square]]
    left, top = plan.corner(square)
    assert drawn.attrib["transform"] == f"translate({left + 1} {top + 1})"


def test_each_row_and_column_is_named_at_the_middle_of_its_squares() -> None:
    places = {
        node.text: (float(node.attrib["x"]), float(node.attrib["y"]))
        for node in ET.fromstring(board_svg()).iter(f"{SVG}text")
    }
    for square in ALL_SQUARES:
        row, column = SQUARE_NAMES[square]
        x, y = plan.centre(square)
        assert places[column][0] == x
        # Letters stand on their baseline.
        assert y < places[row][1] < y + 6


def test_trays_are_optional() -> None:
    assert sorted(groups(board_svg(), "data-place")) == [
        "hand:dark",
        "hand:light",
        "home:dark",
        "home:light",
    ]
    without = board_svg(trays=False)
    assert groups(without, "data-place") == {}
    # The picture then ends at the edge of the wood.
    assert ET.fromstring(without).get("viewBox") == f"0 0 {plan.WIDTH:g} {plan.HEIGHT:g}"


def test_every_motif_that_is_used_is_defined() -> None:
    tree = ET.fromstring(board_svg())
    used = {node.attrib["href"] for node in tree.iter(f"{SVG}use")}
    assert used == {f"#{node.attrib['id']}" for node in tree.iter(f"{SVG}symbol")}


def test_the_picture_has_no_inline_styles() -> None:
    tree = ET.fromstring(board_svg())
    assert list(tree.iter(f"{SVG}style")) == []
    assert [node for node in tree.iter() if "style" in node.attrib] == []


def test_the_picture_is_small_enough_for_the_first_page_view() -> None:
    assert len(board_svg().encode()) < 24_000
