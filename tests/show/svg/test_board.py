"""The picture of a position as a document, and its labels."""

import xml.etree.ElementTree as ET

import pytest

from urpi.rules import parse_move, parse_position
from urpi.rules.board import parse_square
from urpi.show.svg import BoardScene, Labels, board_document
from urpi.show.svg.plan import corner
from urpi.show.svg.themes import ONLY_ROSETTES, PLAIN, THEMES

SVG = "{http://www.w3.org/2000/svg}"


def drawn(position: str, labels: Labels, move: str | None = None) -> ET.Element:
    parsed = parse_position(position)
    moved = parse_move(move) if move else None
    return ET.fromstring(board_document(BoardScene(parsed, parsed.occupancy, moved), labels))


def texts(root: ET.Element, name: str) -> list[str | None]:
    return [one.text for one in root.iter(f"{SVG}text") if one.get("class") == name]


def test_a_document_contains_all_that_it_refers_to() -> None:
    root = drawn("finkel A3:L L6D7 L0D0 D", Labels("Ann & <Bob>", "hand", "home"), "A2-A3")
    known = {f"#{one.get('id')}" for one in root.iter() if one.get("id")}
    referred = {one.get("href") for one in root.iter(f"{SVG}use")} | {"#ur-arrow"}
    assert referred <= known
    assert root.findtext(f"{SVG}title") == "Ann & <Bob>"
    assert [one.get("r") for one in root.iter(f"{SVG}circle")].count("12") == 1


@pytest.mark.parametrize(
    ("off", "shown"),
    [("home", ["hand 6", "home 1", "hand 7", "home 0"]), ("", ["hand 6", "hand 7"])],
)
def test_pieces_off_the_board_are_counted_unless_no_piece_leaves_it(
    off: str, shown: list[str]
) -> None:
    root = drawn("finkel - L6D7 L1D0 D", Labels("", "hand", off))
    assert texts(root, "ur-beside") == shown


def test_a_moved_piece_is_marked_where_it_ends() -> None:
    root = drawn("freecompany B4:L L6D7 L0D0 D", Labels("", "hand", "home"), "B2xB3-B4")
    (mark,) = (one for one in root.iter(f"{SVG}rect") if one.get("class") == "ur-moved")
    left, top = corner(parse_square("B4"))
    assert (mark.get("x"), mark.get("y")) == (f"{left + 2:g}", f"{top + 2:g}")


@pytest.mark.parametrize(
    ("move", "arrows"), [("A3-A2", 1), ("+A4", 0), ("A1-off", 1), ("B2xB3-B4", 1)]
)
def test_a_move_has_an_arrow_unless_it_enters(move: str, arrows: int) -> None:
    root = drawn("finkel A2:L L6D7 L0D0 D", Labels("", "hand", "home"), move)
    found = [one for one in root.iter(f"{SVG}path") if one.get("class") == "ur-arrow"]
    assert len(found) == arrows


@pytest.mark.parametrize("theme", THEMES)
def test_only_the_plain_theme_hides_the_other_motifs(theme: str) -> None:
    position = parse_position("finkel - L7D7 L0D0 L")
    scene = BoardScene(position, position.occupancy)
    document = board_document(scene, Labels("", "hand", "home"), theme)
    assert (ONLY_ROSETTES in document) is (theme == PLAIN)


def test_the_discs_beside_the_board_are_on_tiles() -> None:
    """On the page's ground, a light disc would be a ring and a dark one a hole."""
    position = parse_position("finkel - L7D7 L0D0 L")
    scene = BoardScene(position, position.occupancy)
    root = ET.fromstring(board_document(scene, Labels("", "hand", "home")))
    drawn = [one for one in root if one.get("fill")]
    assert [one.tag.rpartition("}")[2] for one in drawn] == ["rect", "circle"] * 2
    tiles = {one.get("fill") for one in drawn[::2]}
    discs = {one.get("fill") for one in drawn[1::2]}
    assert len(tiles) == 1
    assert len(discs | tiles) == 3
