"""Cases of `finkel` and `finkel3`, see docs/design/RULES.md, sections 0, 1 and 2."""

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases

LEGAL = named(
    ("three dice: two marks are 2", "finkel3 A4:L,B8:D L6D6 L0D0 L", "g-s", "+A3 A4-A2"),
    ("three dice: exact exit", "finkel3 A7:L,B1:D L0D6 L6D0 L", "g--", "A7-off"),
    ("three dice: capture by landing", "finkel3 B1:L,B2:D L0D6 L6D0 L", "g--", "B1xB2"),
    ("a piece enters on index = throw", "finkel - L7D7 L0D0 L", "gs--", "+A3"),
    ("dark enters on its own row", "finkel - L7D7 L0D0 D", "gs--", "+C3"),
    ("colours do not matter", "finkel - L7D7 L0D0 L", "gg--", "+A3"),
    ("four marks enter on the rosette", "finkel - L7D7 L0D0 L", "gsgs", "+A1"),
    ("a throw of 0 moves nothing", "finkel A4:L L6D7 L0D0 L", "----", ""),
    ("own pieces are in the way", "finkel A3:L,A4:L L5D7 L0D0 L", "g---", "A3-A2"),
    ("any piece may be passed", "finkel A1:L,B1:D,B2:D,B3:L L0D0 L5D5 L", "gggs", "A1-B4 B3-B7"),
    ("landing on an enemy captures", "finkel A1:L,B2:D L0D6 L6D0 L", "gs--", "A1xB2"),
    ("an enemy on a rosette is safe", "finkel B2:L,B4:D L0D6 L6D0 L", "gs--", ""),
    ("off needs exactly 1 from the last rosette", "finkel A7:L L0D7 L6D0 L", "-s--", "A7-off"),
    ("more than the exact throw is not off", "finkel A7:L L0D7 L6D0 L", "gs--", ""),
    ("off needs exactly 3 from B8", "finkel B8:L L0D7 L6D0 L", "gss-", "B8-off"),
    ("the game is over after the last piece", "finkel - L0D7 L7D0 =", "g---", ""),
    ("three dice: one mark counts 1", "finkel3 - L7D7 L0D0 L", "-s-", "+A4"),
    ("three dice: no mark is 0 and moves nothing", "finkel3 A4:L L6D7 L0D0 L", "---", ""),
    ("three dice: rosettes are safe", "finkel3 B3:L,B4:D L0D6 L6D0 L", "g--", ""),
    (
        "three dice: rosettes may be played unsafe",
        "finkel3[safe_rosettes=no] B3:L,B4:D L0D6 L6D0 L",
        "g--",
        "B3xB4",
    ),
    ("a short game has three pieces", "finkel[pieces=3] - L3D3 L0D0 L", "g---", "+A4"),
)

AFTER = named(
    ("the turn goes on", "finkel - L7D7 L0D0 L", "gs--", "+A3", "A3:L L6D7 L0D0 D"),
    ("a rosette throws again", "finkel A4:L L6D7 L0D0 L", "ggg-", "A4-A1", "A1:L L6D7 L0D0 L"),
    ("so does entering on it", "finkel - L7D7 L0D0 D", "ssss", "+C1", "C1:D L7D6 L0D0 D"),
    (
        "a captured piece goes to the reserve",
        "finkel B2:L,C1:D L6D6 L0D0 D",
        "gs--",
        "C1xB2",
        "B2:D L7D6 L0D0 L",
    ),
    ("0 passes the turn", "finkel A4:L L6D7 L0D0 L", "----", "pass", "A4:L L6D7 L0D0 D"),
    (
        "no move passes the turn, also of an extra throw",
        "finkel A1:L,B1:L,B2:L,B3:L,B4:L,B5:L,B6:D L1D6 L0D0 L",
        "----",
        "pass",
        "A1:L,B1:L,B2:L,B3:L,B4:L,B5:L,B6:D L1D6 L0D0 D",
    ),
    ("a piece goes off", "finkel A7:L L6D7 L0D0 L", "g---", "A7-off", "- L6D7 L1D0 D"),
    (
        "the first to bear off all wins",
        "finkel A7:L L0D7 L6D0 L",
        "g---",
        "A7-off",
        "- L0D7 L7D0 =",
    ),
    ("three dice: throw again", "finkel3 B3:D L7D6 L0D0 D", "-g-", "B3-B4", "B4:D L7D6 L0D0 D"),
)
CROWD = "finkel A4:L,A7:L,B2:L,B4:D,B6:D L4D4 L0D1 L"
REFUSED = named(
    ("a move that is not as far as was thrown", CROWD, "gs--", "A4-A3", "wrong-distance"),
    ("a move back", CROWD, "gs--", "B2-A1", "backwards"),
    ("a move of the other side's piece", CROWD, "gs--", "B6-B8", "not-your-piece"),
    ("a move from an empty square", CROWD, "gs--", "A3-A2", "piece-missing"),
    ("a move to the other side's row", CROWD, "gs--", "+C4", "off-path"),
    ("a landing on an own piece", CROWD, "g---", "+A4", "own-piece-there"),
    ("a landing on a safe rosette", CROWD, "gs--", "B2-B4", "safe-square"),
    ("a bear-off by another throw", CROWD, "gs--", "A7-off", "inexact-exit"),
    ("two pieces at once", CROWD, "gs--", "A4-A2,B2-B3", "two-moves"),
    ("a second hop", CROWD, "gs--", "A4-A3-A2", "two-moves"),
    ("a pass with a legal move", CROWD, "gs--", "pass", "must-move"),
    ("a pass with an empty board", "finkel - L7D7 L0D0 L", "g---", "pass", "must-enter"),
    ("an entry with an empty hand", "finkel A1:L L0D7 L6D0 L", "g---", "+A4", "extra-piece"),
    ("a piece that only was lifted", CROWD, "----", "A4-A4", "wrong-distance"),
    ("any move with a 0", CROWD, "----", "A4-A3", "wrong-distance"),
    ("a move when the game is over", "finkel - L0D7 L7D0 =", "g---", "+A4", "not-your-turn"),
)
IMPOSSIBLE = named(
    ("too many pieces", "finkel A4:L L7D7 L0D0 L", "7 pieces"),
    ("too few pieces", "finkel - L6D7 L0D0 L", "7 pieces"),
    ("a piece off its path", "finkel C4:L L6D7 L0D0 L", "C4"),
    ("a pile", "finkel B4:LL L5D7 L0D0 L", "B4"),
    ("a turned piece", "finkel B4:L' L6D7 L0D0 L", "B4"),
    ("a turn after the end", "finkel - L0D7 L7D0 L", "turn"),
    ("no turn before the end", "finkel - L7D7 L0D0 =", "turn"),
    ("two winners", "finkel - L0D0 L7D7 =", "both"),
    ("a used extra throw", "finkel - L7D7 L0D0 L*", "extra"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)
