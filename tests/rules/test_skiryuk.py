"""Cases of `skiryuk`, see docs/design/RULES.md, section 6."""

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.rules import SQUARE_NAMES, Side, Starter, rule_set

OWN_FIRST = "skiryuk[loop=own-first]"
LEGAL = named(
    ("no mark counts 4", "skiryuk - L7D7 L0D0 L", "---", "+A1"),
    ("off from B1 by exactly 1", "skiryuk B1:L' L0D7 L6D0 L", "g--", "B1-off"),
    ("too many points: move another", "skiryuk B1:L',B4:L' L0D7 L5D0 L", "gs-", "B4-B2"),
    ("off from B4 by exactly 4", "skiryuk B4:L' L0D7 L6D0 L", "---", "B4-off"),
    ("a blank piece on B1 is on its way out", "skiryuk B1:L L0D7 L6D0 L", "g--", "B1-B2"),
    ("the same face is captured", "skiryuk B1:L,B2:D L0D6 L6D0 L", "g--", "B1xB2"),
    ("the other face is not, nor shared with", "skiryuk B1:L,B2:D' L0D6 L6D0 L", "g--", ""),
    ("dotted captures dotted", "skiryuk B4:D',B5:L' L0D6 L6D0 L", "g--", "B5xB4"),
    (
        "the face that counts is the one it turns to",
        "skiryuk B8:D',C8:L L0D6 L6D0 L",
        "g--",
        "C8xB8",
    ),
    ("a rosette is not safe", "skiryuk B3:L,B4:D L0D6 L6D0 L", "g--", "B3xB4"),
    ("one may join one's own camp", "skiryuk A2:LLL,A3:L L0D7 L3D0 L", "g--", "A2-A1 A3-A2"),
    ("but not a full one", "skiryuk A2:LLLL,A3:L L0D7 L2D0 L", "g--", "A2-A1"),
    ("entering may join the camp A4", "skiryuk A4:LL L1D7 L4D0 L", "g--", "+A4 A4-A3"),
    ("the middle camp is its owner's", "skiryuk B6:L,B7:LL L0D7 L4D0 L", "g--", "B6-B7 B7-C7"),
    ("of any face", "skiryuk A7:L',B7:LL L0D7 L4D0 L", "g--", "A7-B7 B7-C7"),
    ("the enemy may only pass it", "skiryuk B5:L,B7:DD L0D5 L6D0 L", "gs-", ""),
    ("and does pass it", "skiryuk B5:L,B7:DD L0D5 L6D0 L", "gsg", "B5-C7"),
    ("it is neutral when it is empty", "skiryuk B5:L L0D7 L6D0 L", "gs-", "B5-B7"),
    ("a common camp takes both sides", "skiryuk B2:L,B3:DD' L0D5 L6D0 L", "g--", "B2-B3"),
    ("a common camp holds four", "skiryuk B2:L,B3:DD'DD L0D3 L6D0 L", "g--", ""),
    ("only the top piece moves", "skiryuk B3:LLD L0D6 L5D0 L", "g--", ""),
    ("with its own face", "skiryuk B3:LDL' L0D6 L5D0 L", "g--", "B3-B2"),
    (
        "a blank piece on B1 is captured by a blank one",
        "skiryuk A1:L,B1:D L0D6 L6D0 L",
        "g--",
        "A1xB1",
    ),
    ("a dotted one is not", "skiryuk B1:D',B2:L' L0D6 L6D0 L", "g--", ""),
    ("a dotted one comes to B1 when it is empty", "skiryuk B2:L' L0D7 L6D0 L", "g--", "B2-B1"),
    ("no pile on B1", "skiryuk B1:L',B2:L' L0D7 L5D0 L", "g--", "B1-off"),
    ("a ziggurat is not safe", "skiryuk C7:L,C8:D L0D6 L6D0 L", "g--", "C7xC8"),
    ("the loop may begin on one's own side", f"{OWN_FIRST} B7:L L0D7 L6D0 L", "gs-", "B7-A8"),
)
AFTER = named(
    (
        "reaching the ziggurat does not turn",
        "skiryuk C7:L L6D7 L0D0 L",
        "g--",
        "C7-C8",
        "C8:L L6D7 L0D0 D",
    ),
    ("nor does passing it", "skiryuk C7:L L6D7 L0D0 L", "gsg", "C7-A8", "A8:L L6D7 L0D0 D"),
    ("the next move turns", "skiryuk C8:L L6D7 L0D0 L", "g--", "C8-B8", "B8:L' L6D7 L0D0 D"),
    (
        "a blank piece behind it turns too",
        "skiryuk A8:L L6D7 L0D0 L",
        "gs-",
        "A8-B7",
        "B7:L' L6D7 L0D0 D",
    ),
    (
        "own-first: A8 is the first ziggurat",
        f"{OWN_FIRST} A8:L L6D7 L0D0 L",
        "g--",
        "A8-B8",
        "B8:L' L6D7 L0D0 D",
    ),
    (
        "own-first: A7 comes before it",
        f"{OWN_FIRST} A7:L L6D7 L0D0 L",
        "g--",
        "A7-A8",
        "A8:L L6D7 L0D0 D",
    ),
    (
        "a captured dotted piece goes to the hand",
        "skiryuk B4:D',B5:L' L6D6 L0D0 L",
        "g--",
        "B5xB4",
        "B4:L' L6D7 L0D0 L",
    ),
    ("and enters blank", "skiryuk B4:L' L6D7 L0D0 D", "g--", "+C4", "B4:L',C4:D L6D6 L0D0 L"),
    ("a rosette throws again", "skiryuk A2:L L6D7 L0D0 L", "g--", "A2-A1", "A1:L L6D7 L0D0 L"),
    ("a 4 does not", "skiryuk A4:L L6D7 L0D0 L", "---", "A4-B1", "B1:L L6D7 L0D0 D"),
    (
        "a piece lands on top",
        "skiryuk B2:L,B3:DD' L6D5 L0D0 L",
        "g--",
        "B2-B3",
        "B3:DD'L L6D5 L0D0 D",
    ),
    (
        "and leaves from the top",
        "skiryuk B3:LDL' L5D6 L0D0 L",
        "g--",
        "B3-B2",
        "B2:L',B3:LD L5D6 L0D0 D",
    ),
    ("the camp is neutral again", "skiryuk B7:D L7D6 L0D0 D", "gs-", "B7-A8", "A8:D L7D6 L0D0 L"),
    ("no move: pass", "skiryuk B1:L' L0D7 L6D0 L", "gs-", "pass", "B1:L' L0D7 L6D0 D"),
    ("first seven off", "skiryuk B1:L' L0D7 L6D0 L", "g--", "B1-off", "- L0D7 L7D0 ="),
)
CAMPS = "skiryuk A2:LLLL,A3:L,B2:L,B5:L,B7:D,C4:D L0D5 L0D0 L"
REFUSED = named(
    ("a full camp", CAMPS, "g--", "A3-A2", "camp-full"),
    ("a camp that the enemy holds", CAMPS, "gs-", "B5-B7", "camp-held"),
    ("a full common camp", "skiryuk B2:L,B3:DDDD L6D3 L0D0 L", "g--", "B2-B3", "camp-full"),
    ("the other face", "skiryuk B1:L,B2:D' L6D6 L0D0 L", "g--", "B1-B2", "other-face"),
    (
        "a dotted piece on B1 by a blank one",
        "skiryuk A1:L,B1:D' L6D6 L0D0 L",
        "g--",
        "A1-B1",
        "other-face",
    ),
    (
        "a dotted piece on B1 by a dotted one",
        "skiryuk B1:D',B2:L' L6D6 L0D0 L",
        "g--",
        "B2-B1",
        "safe-square",
    ),
    (
        "a blank piece on B1 by a dotted one",
        "skiryuk B1:D,B2:L' L6D6 L0D0 L",
        "g--",
        "B2-B1",
        "other-face",
    ),
    ("an own piece on B1", "skiryuk B1:L,B2:L' L5D7 L0D0 L", "g--", "B2-B1", "own-piece-there"),
    ("a piece under an enemy", "skiryuk B3:LD L6D6 L0D0 L", "g--", "B3-B4", "not-your-piece"),
    ("too many points", "skiryuk B1:L' L6D7 L0D0 L", "gs-", "B1-off", "inexact-exit"),
    ("off from the first pass of B1", "skiryuk B1:L L6D7 L0D0 L", "g--", "B1-off", "inexact-exit"),
    ("the enemy's outer row", CAMPS, "g--", "B2-C2", "off-path"),
    ("a blank piece turning back", "skiryuk B6:L L6D7 L0D0 L", "g--", "B6-B2", "wrong-distance"),
)
IMPOSSIBLE = named(
    ("five pieces in a camp", "skiryuk B3:LLLDD L4D5 L0D0 L", "B3"),
    ("two sides in the middle camp", "skiryuk B7:LD L6D6 L0D0 L", "B7"),
    ("a pile on the finish", "skiryuk B1:LL L5D7 L0D0 L", "B1"),
    ("a pile on a rosette", "skiryuk B4:LL L5D7 L0D0 L", "B4"),
    ("a dotted piece at home", "skiryuk A2:L' L6D7 L0D0 L", "A2"),
    ("a dotted piece on the first ziggurat", "skiryuk C8:L' L6D7 L0D0 L", "C8"),
    ("an enemy in an own camp", "skiryuk A2:D L7D6 L0D0 L", "A2"),
    ("eight pieces", "skiryuk A2:LLLL,A4:LLLL L0D7 L0D0 L", "7 pieces"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


def test_the_starter_is_who_alone_throws_a_one():
    assert rule_set("skiryuk").starter is Starter.ONE_MARK


def test_the_path_ends_where_the_middle_row_begins():
    names = [SQUARE_NAMES[square] for square in rule_set("skiryuk").path(Side.LIGHT)]
    assert len(names) == 23
    assert (names[4], names[12], names[22]) == ("B1", "C8", "B1")
