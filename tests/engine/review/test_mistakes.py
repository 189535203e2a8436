"""Kinds of mistakes, and the probability that a piece is captured."""

import pytest

from urpi.engine.review.marks import exposure, mistake_of
from urpi.rules import Side, parse_move, parse_position


@pytest.mark.parametrize(
    ("position", "faces", "played", "best", "kind"),
    [
        ("finkel B5:L,B6:D L6D6 L0D0 L", "g---", "+A4", "B5xB6", "no-capture"),
        ("finkel A7:L,B1:L L0D6 L5D1 L", "g---", "B1-B2", "A7-off", "not-home"),
        ("finkel A3:L,B1:L L5D7 L0D0 L", "gs--", "B1-B3", "A3-A1", "no-extra-throw"),
        ("finkel A3:L,B1:L,C1:D L5D6 L0D0 L", "g---", "B1-B2", "A3-A2", "open"),
        ("finkel A3:L,B1:L,C1:D L5D6 L0D0 L", "g---", "A3-A2", "B1-B2", "other"),
        ("finkel A3:L,A8:L,B8:D L5D6 L0D0 L", "g---", "A3-A2", "+A4", "not-entered"),
    ],
)
def test_a_mistake_is_named_by_what_the_best_move_does(
    position: str, faces: str, played: str, best: str, kind: str
) -> None:
    before = parse_position(position)
    throw = before.rules.dice.throw(faces)
    legal = {move.text for move in before.rules.legal_moves(before, throw)}
    assert {played, best} <= legal
    assert mistake_of(before, throw, parse_move(played), parse_move(best)) == kind


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        # Dark captures on B1 from C1 with a 1, and has no other piece that reaches it.
        ("finkel B1:L,C1:D L6D6 L0D0 L", 4 / 16),
        ("finkel B1:L,C1:D L6D6 L0D0 D", 4 / 16),
        # The rosette is safe, and nothing reaches row A.
        ("finkel A3:L,B3:D,B4:L L5D6 L0D0 D", 0),
        ("finkel - L0D7 L7D0 =", 0),
    ],
)
def test_a_piece_is_open_to_the_throws_that_capture_it(position: str, expected: float) -> None:
    assert exposure(parse_position(position), Side.LIGHT) == expected
