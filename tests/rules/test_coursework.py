"""Cases of `coursework`, see docs/design/RULES.md, section 5."""

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases

ZERO = "coursework[zero=0]"
LEGAL = named(
    ("no mark counts 4", "coursework - L7D7 L0D0 L", "---", "+A1"),
    ("no mark may count 0", f"{ZERO} A4:L L6D7 L0D0 L", "---", ""),
    ("the sides enter from opposite sides", "coursework - L7D7 L0D0 D", "g--", "+C4"),
    ("enter or move while pieces are in hand", "coursework A4:L L6D7 L0D0 L", "g--", "A4-A3"),
    ("an enemy in the middle row is expelled", "coursework A1:L,B2:D L0D6 L6D0 L", "gs-", "A1xB2"),
    ("but not from a rosette", "coursework B3:L,B4:D L0D6 L6D0 L", "g--", ""),
    ("1 from the last square goes off", "coursework A7:L L0D7 L6D0 L", "g--", "A7-off"),
    ("2 from the last square does not", "coursework A7:L L0D7 L6D0 L", "gs-", ""),
)
AFTER = named(
    ("a rosette plays again", "coursework B3:L L6D7 L0D0 L", "g--", "B3-B4", "B4:L L6D7 L0D0 L"),
    ("a 4 does not", "coursework A3:L L6D7 L0D0 L", "---", "A3-B2", "B2:L L6D7 L0D0 D"),
    (
        "the expelled starts from off the board",
        "coursework B1:L,B2:D L6D5 L0D1 L",
        "g--",
        "B1xB2",
        "B2:L L6D6 L0D1 D",
    ),
    (
        "nothing can move: the turn passes",
        "coursework A7:L L0D7 L6D0 L",
        "gs-",
        "pass",
        "A7:L L0D7 L6D0 D",
    ),
    ("first seven off", "coursework C7:D L7D0 L0D6 D", "g--", "C7-off", "- L7D0 L0D7 ="),
)
REFUSED = named(
    ("entering is obligatory", "coursework - L7D7 L0D0 L", "g--", "pass", "must-enter"),
    ("no passing", "coursework A4:L L6D7 L0D0 L", "gs-", "pass", "must-move"),
    ("a piece on a rosette", "coursework B3:L,B4:D L6D6 L0D0 L", "g--", "B3-B4", "safe-square"),
    ("too many points to go off", "coursework A7:L L6D7 L0D0 L", "gs-", "A7-off", "inexact-exit"),
    ("the other side's row", "coursework B8:L L6D7 L0D0 L", "g--", "B8-C8", "off-path"),
)
IMPOSSIBLE = named(
    ("a pile", "coursework B2:LD L6D6 L0D0 L", "B2"),
    ("a piece on the other side's row", "coursework C8:L L6D7 L0D0 L", "C8"),
    ("a finished game with a turn", "coursework - L0D7 L7D0 D", "turn"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)
