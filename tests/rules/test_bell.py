"""Cases of `bell`, see docs/design/RULES.md, section 4."""

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.rules import SQUARE_NAMES, Side, Starter, rule_set

LEGAL = named(
    ("no mark counts 4", "bell - L7D7 L0D0 L", "---", "+A1"),
    ("one mark counts 1", "bell - L7D7 L0D0 L", "--s", "+A4"),
    ("enter or move", "bell A4:L L6D7 L0D0 L", "gs-", "+A3 A4-A2"),
    ("the rosette on the opponent's side comes first", "bell B7:L L0D7 L6D0 L", "g--", "B7-C7"),
    ("round the small block", "bell C8:L L0D7 L6D0 L", "gs-", "C8-A8"),
    ("exact exit from the last rosette", "bell A7:L L0D7 L6D0 L", "g--", "A7-off"),
    ("4 bears off from C8", "bell C8:L L0D7 L6D0 L", "---", "C8-off"),
    ("no capture on the middle rosette", "bell B3:L,B4:D L0D6 L6D0 L", "g--", ""),
    ("no capture on A7 or C7", "bell B7:L,C7:D L0D6 L6D0 L", "g--", ""),
    ("capture on C8", "bell B7:L,C8:D L0D6 L6D0 L", "gg-", "B7xC8"),
    ("capture on B8", "bell B8:D,C8:L L0D6 L6D0 L", "g--", "C8xB8"),
    ("capture on A8", "bell A8:D,B8:L L0D6 L6D0 L", "g--", "B8xA8"),
)
AFTER = named(
    ("a rosette gives no throw", "bell A4:L L6D7 L0D0 L", "ggg", "A4-A1", "A1:L L6D7 L0D0 D"),
    ("a 4 throws again", "bell - L7D7 L0D0 L", "---", "+A1", "A1:L L6D7 L0D0 L"),
    ("and again", "bell A1:L L6D7 L0D0 L", "---", "A1-B4", "B4:L L6D7 L0D0 L"),
    (
        "a 4 that cannot be played is lost",
        "bell A7:L L0D7 L6D0 L",
        "---",
        "pass",
        "A7:L L0D7 L6D0 D",
    ),
    ("the turn goes on", "bell C8:L L0D7 L6D0 L", "g--", "C8-B8", "B8:L L0D7 L6D0 D"),
    (
        "a 4 that bears off the last piece wins",
        "bell C8:L L0D7 L6D0 L",
        "---",
        "C8-off",
        "- L0D7 L7D0 =",
    ),
)
REFUSED = named(
    (
        "with nothing in play a piece must be placed",
        "bell - L7D7 L0D0 L",
        "g--",
        "pass",
        "must-enter",
    ),
    ("a pass with a piece in play", "bell A4:L L6D7 L0D0 L", "g--", "pass", "must-move"),
    ("a capture on a rosette", "bell B3:L,B4:D L6D6 L0D0 L", "g--", "B3-B4", "safe-square"),
    ("the short way round", "bell B7:L L6D7 L0D0 L", "g--", "B7-B8", "wrong-distance"),
    ("the way back", "bell A7:L L6D7 L0D0 L", "g--", "A7-B7", "backwards"),
)
IMPOSSIBLE = named(
    ("light on dark's first four", "bell C2:L L6D7 L0D0 L", "C2"),
    ("a turned piece", "bell B7:L' L6D7 L0D0 L", "B7"),
    ("five pieces where seven play", "bell - L5D5 L0D0 L", "7 pieces"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


def test_who_starts_is_drawn():
    assert rule_set("bell").starter is Starter.DRAWN


def test_dark_goes_round_the_other_way():
    names = [SQUARE_NAMES[square] for square in rule_set("bell").path(Side.DARK)]
    assert names[10:] == ["B7", "A7", "A8", "B8", "C8", "C7"]
