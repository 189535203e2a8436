"""Cases of `ravensburger`, see docs/design/RULES.md, section 7."""

import pytest

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.rules import Side, Starter, rule_set

LEGAL = named(
    ("a piece enters on index n", "ravensburger - L10D10 L0D0 L", "4", "+A1"),
    ("5 enters on B1", "ravensburger - L10D10 L0D0 L", "5", "+B1"),
    ("6 moves nothing", "ravensburger A4:L L9D10 L0D0 L", "6", ""),
    ("entering buries an enemy", "ravensburger B1:D L10D9 L0D0 L", "5", "+xB1"),
    (
        "landing on an own piece joins it",
        "ravensburger A3:L,A4:L L8D10 L0D0 L",
        "1",
        "+A4 A3-A2 A4-A3",
    ),
    ("landing on an enemy buries it", "ravensburger A1:L,B1:D L9D9 L0D0 L", "1", "+A4 A1xB1"),
    ("no rosette is safe", "ravensburger B3:L,B4:D L9D9 L0D0 L", "1", "+A4 B3xB4"),
    (
        "an own top with prisoners is no capture",
        "ravensburger B3:L,B4:DL L8D9 L0D0 L",
        "1",
        "+A4 B3-B4 B4-B5 B4-B5*",
    ),
    ("a pile is moved by who tops it", "ravensburger B4:LD L9D9 L0D0 L", "1", "+A4"),
    ("prisoners may be taken along", "ravensburger B3:DDL L9D8 L0D0 L", "2", "+A3 B3-B5 B3-B5*"),
    ("down to the next own piece", "ravensburger B3:DLDL L8D8 L0D0 L", "2", "+A3 B3-B5 B3-B5*"),
    ("a red piece may go back", "ravensburger B4:L' L9D10 L0D0 L", "2", "+A3 B4-B2 B4-B6"),
    ("a blue one may not", "ravensburger B4:L L9D10 L0D0 L", "2", "+A3 B4-B6"),
    ("red pieces go back to B1 at most", "ravensburger B2:L' L9D10 L0D0 L", "2", "+A3 B2-B4"),
    (
        "leaving prisoners behind or taking them forward",
        "ravensburger B4:DL' L9D9 L0D0 L",
        "2",
        "+A3 B4-B2 B4-B6 B4-B6*",
    ),
    ("going back may bury", "ravensburger B2:D,B4:L' L9D9 L0D0 L", "2", "+A3 B4-B6 B4xB2"),
    ("only the top one is red or not", "ravensburger B4:L'L L8D10 L0D0 L", "2", "+A3 B4-B6"),
    ("the refuge by exact throw", "ravensburger B8:L L9D10 L0D0 L", "1", "+A4 B8-A8"),
    ("the goal by exact throw", "ravensburger B8:L L9D10 L0D0 L", "2", "+A3 B8-A7"),
    ("nobody goes beyond the goal", "ravensburger B8:L L9D10 L0D0 L", "3", "+A2"),
    ("from the goal to the refuge", "ravensburger A7:L' L9D10 L0D0 L", "1", "+A4 A7-A8"),
    ("from the goal over the middle row", "ravensburger A7:L' L9D10 L0D0 L", "5", "+B1 A7-B5"),
    (
        "out of the refuge forward or back",
        "ravensburger A8:L' L9D10 L0D0 L",
        "1",
        "+A4 A8-A7 A8-B8",
    ),
    ("no prisoner is left in the refuge", "ravensburger A8:DL' L9D9 L0D0 L", "1", "+A4 A8-A7*"),
    (
        "a prisoner under the next own piece may stay",
        "ravensburger A8:DLL' L8D9 L0D0 L",
        "1",
        "+A4 A8-A7 A8-B8",
    ),
    (
        "five own pieces fill the refuge",
        "ravensburger A8:LLLLL,B8:L L4D10 L0D0 L",
        "1",
        "+A4 A8-A7",
    ),
    (
        "prisoners there do not count",
        "ravensburger A8:DLLLL,B8:DL L5D8 L0D0 L",
        "1",
        "+A4 A8-A7 B8-A8 B8-A8*",
    ),
    (
        "five own pieces fill the goal",
        "ravensburger A7:L'L'L'L'L',A8:L L4D10 L0D0 L",
        "1",
        "+A4 A7-A8",
    ),
    ("dark goes its own way", "ravensburger C7:D' L10D9 L0D0 D", "5", "+B1 C7-B5"),
)
AFTER = named(
    ("one throw, one move", "ravensburger A2:L L9D10 L0D0 L", "1", "A2-A1", "A1:L L9D10 L0D0 D"),
    (
        "the buried stay on the board",
        "ravensburger A1:L,B2:DD L9D8 L0D0 L",
        "2",
        "A1xB2",
        "B2:DDL L9D8 L0D0 D",
    ),
    (
        "prisoners come along in their order",
        "ravensburger B3:LDD'L L8D8 L0D0 L",
        "2",
        "B3-B5*",
        "B3:L,B5:DD'L L8D8 L0D0 D",
    ),
    (
        "left behind they are free",
        "ravensburger B3:DL L9D9 L0D0 L",
        "2",
        "B3-B5",
        "B3:D,B5:L L9D9 L0D0 D",
    ),
    (
        "so prisoners are won back",
        "ravensburger B3:LD L9D9 L0D0 D",
        "2",
        "B3-B5",
        "B3:L,B5:D L9D9 L0D0 L",
    ),
    (
        "on the goal prisoners leave the game and the piece turns red",
        "ravensburger B8:DDL L9D8 L0D0 L",
        "2",
        "B8-A7*",
        "A7:L' L9D8 L0D2 D",
    ),
    (
        "a piece alone turns red there too",
        "ravensburger B8:L L9D10 L0D0 L",
        "2",
        "B8-A7",
        "A7:L' L9D10 L0D0 D",
    ),
    (
        "what is freed keeps its face",
        "ravensburger B3:L'D L9D9 L0D0 D",
        "1",
        "B3-B4",
        "B3:L',B4:D L9D9 L0D0 L",
    ),
    ("a 6 passes the turn", "ravensburger A2:L L9D10 L0D0 L", "6", "pass", "A2:L L9D10 L0D0 D"),
    (
        "everything captured wins",
        "ravensburger B3:L,B4:D L9D0 L0D9 L",
        "1",
        "B3xB4",
        "B4:DL L9D0 L0D9 =",
    ),
    (
        "the last piece removed was captured before",
        "ravensburger B4:D,B6:DL L0D0 L9D8 D",
        "2",
        "B4xB6",
        "B6:DLD L0D0 L9D8 =",
    ),
    (
        "a piece in hand is not captured",
        "ravensburger B3:L,B4:D L9D1 L0D8 L",
        "1",
        "B3xB4",
        "B4:DL L9D1 L0D8 D",
    ),
)
TOWERS = "ravensburger A8:DL',B2:L,B4:DL,B6:D L7D7 L0D0 L"
REFUSED = named(
    ("a blue piece going back", TOWERS, "1", "B2-B1", "backwards"),
    ("prisoners going back", "ravensburger B4:DL' L9D9 L0D0 L", "1", "B4-B3*", "backwards"),
    ("a red piece before B1", "ravensburger B2:L' L9D10 L0D0 L", "2", "B2-A1", "backwards"),
    ("a red piece too far back", "ravensburger B4:L' L9D10 L0D0 L", "2", "B4-B1", "wrong-distance"),
    ("leaving a prisoner in the refuge", TOWERS, "1", "A8-A7", "barred"),
    ("retreating from a prisoner in the refuge", TOWERS, "1", "A8-B8", "barred"),
    ("the enemy's outer squares", TOWERS, "1", "B2-C2", "barred"),
    ("entering on the enemy's row", TOWERS, "1", "+C4", "barred"),
    (
        "a pile that the enemy tops",
        "ravensburger B4:LD L9D9 L0D0 L",
        "1",
        "B4-B5",
        "not-your-piece",
    ),
    ("prisoners where there are none", TOWERS, "1", "B2-B3*", "piece-missing"),
    ("an empty square", TOWERS, "1", "B3-B4", "piece-missing"),
    ("too far", TOWERS, "2", "B2-B5", "wrong-distance"),
    (
        "a sixth piece in the refuge",
        "ravensburger A8:LLLLL,B8:L L4D10 L0D0 L",
        "1",
        "B8-A8",
        "camp-full",
    ),
    ("a move with a 6", TOWERS, "6", "B2-B3", "wrong-distance"),
    ("bearing off", TOWERS, "1", "A8-off", "off-path"),
    ("two pieces", TOWERS, "1", "B2-B3,B4-B5", "two-moves"),
    ("an entry without a piece", "ravensburger B4:L L0D10 L9D0 L", "1", "+A4", "extra-piece"),
    ("a pass while one can enter", "ravensburger - L10D10 L0D0 L", "1", "pass", "must-enter"),
    ("a pass while one can retreat", "ravensburger A7:L' L0D10 L9D0 L", "1", "pass", "must-move"),
)
IMPOSSIBLE = named(
    ("eleven pieces", "ravensburger B4:L L10D10 L0D0 L", "10 pieces"),
    ("six own pieces on the refuge", "ravensburger A8:LLLLLL L4D10 L0D0 L", "A8"),
    ("six own pieces on the goal", "ravensburger A7:L'L'L'L'L'L' L4D10 L0D0 L", "A7"),
    ("a blue piece on the goal", "ravensburger A7:L L9D10 L0D0 L", "A7"),
    ("a prisoner on the goal", "ravensburger A7:DL' L9D9 L0D0 L", "A7"),
    ("a free enemy in the refuge", "ravensburger A8:LD L9D9 L0D0 L", "A8"),
    ("a red piece at home", "ravensburger A3:L' L9D10 L0D0 L", "A3"),
    ("an enemy at home", "ravensburger A3:D L10D9 L0D0 L", "A3"),
    ("a captured side to move", "ravensburger B4:DL L9D0 L0D9 D", "turn"),
    ("nothing at all", "ravensburger - L0D0 L10D10 =", "none"),
    ("a used extra throw", "ravensburger - L10D10 L0D0 L*", "extra"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


@pytest.mark.parametrize(
    ("light", "dark", "first"),
    [("6", "5", Side.LIGHT), ("1", "6", Side.DARK), ("3", "2", Side.LIGHT), ("6", "6", None)],
)
def test_the_highest_throw_starts_and_a_six_is_the_highest(light, dark, first):
    rules = rule_set("ravensburger")
    assert rules.starter is Starter.MORE
    assert rules.starts(rules.dice.throw(light), rules.dice.throw(dark)) is first
