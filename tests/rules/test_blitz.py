"""Cases of `blitz`, see docs/design/RULES.md, section 10."""

import pytest

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.core.errors import UrpiError
from urpi.rules import rule_set

SAFE = "blitz[safe_rosettes=yes]"
LEGAL = named(
    ("no mark moves nothing", "blitz A4:L L4D5 L0D0 L", "----", ""),
    ("four marks count 4", "blitz - L5D5 L0D0 L", "gsgs", "+A1"),
    ("the rosette on the opponent's side comes first", "blitz B7:L L0D5 L4D0 L", "g---", "B7-C7"),
    ("exact exit from the last rosette", "blitz A7:L L0D5 L4D0 L", "g---", "A7-off"),
    ("capture on the middle rosette", "blitz B3:L,B4:D L0D4 L4D0 L", "g---", "B3xB4"),
    ("safe rosettes as a house rule", f"{SAFE} B3:L,B4:D L0D4 L4D0 L", "g---", ""),
)
AFTER = named(
    ("a rosette throws again", "blitz A4:L L4D5 L0D0 L", "ggg-", "A4-A1", "A1:L L4D5 L0D0 L"),
    (
        "a capture throws again",
        "blitz B1:L,B2:D L4D3 L0D1 L",
        "g---",
        "B1xB2",
        "B2:L L4D4 L0D1 L",
    ),
    (
        "dark's capture throws again",
        "blitz B5:D,B6:L L4D4 L0D0 D",
        "g---",
        "B5xB6",
        "B6:D L5D4 L0D0 D",
    ),
    (
        "a capture on a rosette throws again",
        "blitz B3:L,B4:D L4D4 L0D0 L",
        "g---",
        "B3xB4",
        "B4:L L4D5 L0D0 L",
    ),
    (
        "once: the next plain move ends the turn",
        "blitz B4:L L4D5 L0D0 L",
        "g---",
        "B4-B5",
        "B5:L L4D5 L0D0 D",
    ),
    ("a 4 does not throw again", "blitz A4:L L4D5 L0D0 L", "gggg", "A4-B1", "B1:L L4D5 L0D0 D"),
    ("nor does bearing off", "blitz A7:L L1D5 L3D0 L", "g---", "A7-off", "- L1D5 L4D0 D"),
    ("no mark passes the turn", "blitz A4:L L4D5 L0D0 L", "----", "pass", "A4:L L4D5 L0D0 D"),
    ("first five off", "blitz C7:D L5D0 L0D4 D", "g---", "C7-off", "- L5D0 L0D5 ="),
)
REFUSED = named(
    ("a pass with a piece in play", "blitz A4:L L4D5 L0D0 L", "g---", "pass", "must-move"),
    ("nothing with no mark", "blitz A4:L L4D5 L0D0 L", "----", "A4-A3", "wrong-distance"),
    ("a safe rosette", f"{SAFE} B3:L,B4:D L4D4 L0D0 L", "g---", "B3-B4", "safe-square"),
    ("the short way round", "blitz B7:L L4D5 L0D0 L", "g---", "B7-B8", "wrong-distance"),
)
IMPOSSIBLE = named(
    ("seven pieces where five play", "blitz - L7D7 L0D0 L", "5 pieces"),
    ("light on dark's first four", "blitz C1:L L4D5 L0D0 L", "C1"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


def test_five_or_three_pieces():
    assert rule_set("blitz").pieces == 5
    assert rule_set("blitz", {"pieces": "3"}).pieces == 3
    with pytest.raises(UrpiError, match="5 or 3"):
        rule_set("blitz", {"pieces": "7"})
