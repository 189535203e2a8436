"""Cases of `masters`, see docs/design/RULES.md, section 9."""

import pytest

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.rules import SQUARE_NAMES, Side, rule_set

SAFE = "masters[safe_rosettes=yes]"
LEGAL = named(
    ("no mark counts 4", "masters - L7D7 L0D0 L", "---", "+A1"),
    ("three marks count 3", "masters - L7D7 L0D0 D", "gsg", "+C2"),
    ("enter or move", "masters A4:L L6D7 L0D0 L", "gs-", "+A3 A4-A2"),
    ("the rosette on the opponent's side comes first", "masters B7:L L0D7 L6D0 L", "g--", "B7-C7"),
    ("round the small block", "masters C8:L L0D7 L6D0 L", "gs-", "C8-A8"),
    ("exact exit from the last rosette", "masters A7:L L0D7 L6D0 L", "g--", "A7-off"),
    ("4 bears off from C8", "masters C8:L L0D7 L6D0 L", "---", "C8-off"),
    ("no exit with more than is needed", "masters A7:L L0D7 L6D0 L", "gs-", ""),
    ("capture on the middle rosette", "masters B3:L,B4:D L0D6 L6D0 L", "g--", "B3xB4"),
    ("capture on A7", "masters A7:D,A8:L L0D6 L6D0 L", "g--", "A8xA7"),
    ("capture on C7", "masters B7:L,C7:D L0D6 L6D0 L", "g--", "B7xC7"),
    ("capture on C8", "masters B7:L,C8:D L0D6 L6D0 L", "gg-", "B7xC8"),
    ("no own piece is captured", "masters B3:L,B4:L L0D7 L5D0 L", "g--", "B4-B5"),
    ("safe rosettes as a house rule", f"{SAFE} B3:L,B4:D L0D6 L6D0 L", "g--", ""),
    ("which are only the rosettes", f"{SAFE} B4:L,B5:D L0D6 L6D0 L", "g--", "B4xB5"),
)
AFTER = named(
    ("a rosette throws again", "masters A4:L L6D7 L0D0 L", "ggg", "A4-A1", "A1:L L6D7 L0D0 L"),
    (
        "a capture on a rosette throws again",
        "masters B3:L,B4:D L6D6 L0D0 L",
        "g--",
        "B3xB4",
        "B4:L L6D7 L0D0 L",
    ),
    ("a 4 does not", "masters A4:L L6D7 L0D0 L", "---", "A4-B1", "B1:L L6D7 L0D0 D"),
    (
        "nor does a capture elsewhere",
        "masters B1:L,B2:D L6D5 L0D1 L",
        "g--",
        "B1xB2",
        "B2:L L6D6 L0D1 D",
    ),
    ("nor bearing off", "masters A7:L L1D7 L5D0 L", "g--", "A7-off", "- L1D7 L6D0 D"),
    (
        "nothing can move: the turn passes",
        "masters A7:L L0D7 L6D0 L",
        "gs-",
        "pass",
        "A7:L L0D7 L6D0 D",
    ),
    ("first seven off", "masters C7:D L7D0 L0D6 D", "g--", "C7-off", "- L7D0 L0D7 ="),
)
REFUSED = named(
    ("a pass with a piece in play", "masters A4:L L6D7 L0D0 L", "g--", "pass", "must-move"),
    ("an own piece", "masters B3:L,B4:L L5D7 L0D0 L", "g--", "B3-B4", "own-piece-there"),
    ("a safe rosette", f"{SAFE} B3:L,B4:D L6D6 L0D0 L", "g--", "B3-B4", "safe-square"),
    ("the short way round", "masters B7:L L6D7 L0D0 L", "g--", "B7-B8", "wrong-distance"),
    ("the way back", "masters A7:L L6D7 L0D0 L", "g--", "A7-B7", "backwards"),
    ("too many points to go off", "masters A7:L L6D7 L0D0 L", "gs-", "A7-off", "inexact-exit"),
    ("the enemy's first four", "masters B1:L L6D7 L0D0 L", "g--", "B1-C1", "off-path"),
)
IMPOSSIBLE = named(
    ("light on dark's first four", "masters C2:L L6D7 L0D0 L", "C2"),
    ("a pile", "masters B2:LD L6D6 L0D0 L", "B2"),
    ("a turned piece", "masters B7:L' L6D7 L0D0 L", "B7"),
    ("five pieces where seven play", "masters - L5D5 L0D0 L", "7 pieces"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


@pytest.mark.parametrize("pieces", ["7", "5", "3"])
def test_pieces_for_a_shorter_game(pieces):
    assert rule_set("masters", {"pieces": pieces}).pieces == int(pieces)


def test_the_path_is_that_of_bell():
    for side in Side:
        assert rule_set("masters").path(side) == rule_set("bell").path(side)
    names = [SQUARE_NAMES[square] for square in rule_set("masters").path(Side.DARK)]
    assert names[10:] == ["B7", "A7", "A8", "B8", "C8", "C7"]
