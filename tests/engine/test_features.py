"""The rows of positions: patterns, counts, and the pieces below the top."""

import pytest

from urpi.engine.features import Features, Layout
from urpi.rules import parse_position

TOWERS = Layout(10, ("LlDd",) * 20, ((6, 7),), piles=True)
BELOW = 25 + 3 * 121 + 1


@pytest.mark.parametrize(
    ("board", "pattern", "below"),
    [
        ("B1:L,B2:D'", 1 + 4 * 5, []),
        ("B1:DL", 1, [BELOW + 8 * 6 + 2]),
        ("B1:LDL", 1, [BELOW + 8 * 6 + 4, BELOW + 8 * 6 + 2]),
        ("B1:D'LD'DL'", 2, [BELOW + 8 * 6 + each for each in (7, 4, 3, 2)]),
        ("B1:LLL", 1, [BELOW + 8 * 6 + 4] * 2),
    ],
)
def test_pieces_below_the_top_are_held_or_not(board: str, pattern: int, below: list[int]) -> None:
    light = board.replace("'", "").count("L")
    dark = board.count("D")
    position = parse_position(f"ravensburger {board} L{10 - light}D{10 - dark} L0D0 L")
    rows = Features(TOWERS).rows(position)
    assert rows[0] == pattern
    assert rows[4:] == below


def test_dark_sees_its_own_side_of_the_board() -> None:
    layout = Layout(7, ("LD",) * 20, ((0, 6), (14,)), piles=False)
    dark = parse_position("finkel B1:L,C1:D L6D6 L0D0 D")
    light = parse_position("finkel A1:L,B1:D L6D6 L0D0 L")
    assert Features(layout).rows(dark) == Features(layout).rows(light)
    assert Features(layout).rows(light)[:2] == [1 + 2 * 3, 9]


def test_a_used_extra_throw_has_a_row() -> None:
    layout = Layout(7, ("LD",) * 20, ((6,),), piles=False)
    position = parse_position("freecompany A1:L,B1:D L6D6 L0D0 L*")
    assert Features(layout).rows(position)[-1] == layout.size - 1
