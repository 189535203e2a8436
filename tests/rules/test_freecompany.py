"""Cases of `freecompany`, see docs/design/RULES.md, section 8."""

import pytest

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.rules import Side, Starter, parse_position, rule_set

ORTHOGONAL = "freecompany[path=orthogonal]"
EARTH = "freecompany A1:L,B2:L,B3:D,B4:D,C1:L L4D5 L0D0 L"
HEAVEN = "freecompany A7:L,B3:L,C7:L L4D7 L0D0 L"
LEGAL = named(
    ("one coloured tip: the Entrance", "freecompany - L7D7 L0D0 L", "g-", "+B1"),
    (
        "one coloured tip: one piece one square, both ways",
        "freecompany B3:L L6D7 L0D0 L",
        "-s",
        "+B1 B3-B2 B3-B4",
    ),
    ("the tracks part at B1", "freecompany B1:L L6D7 L0D0 L", "g-", "B1-A1 B1-B2 B1-C1"),
    ("and at B8, for both players", "freecompany B8:D L7D6 L0D0 D", "g-", "+B1 B8-A8 B8-B7 B8-C8"),
    ("the outer rows are dead ends", "freecompany A4:L L6D7 L0D0 L", "g-", "+B1 A4-A3"),
    (
        "orthogonal: all neighbours",
        f"{ORTHOGONAL} B3:L L6D7 L0D0 L",
        "g-",
        "+B1 B3-A3 B3-B2 B3-B4 B3-C3",
    ),
    ("gold and silver: the Royal Realm", "freecompany - L7D7 L0D0 L", "gs", "+A3 +B1 +B3 +C3"),
    ("two silver: the House of Ishtar", "freecompany - L7D7 L0D0 L", "ss", "+B1 +B4"),
    ("two gold: the House of Marduk", "freecompany - L7D7 L0D0 L", "gg", "+B1 +B6"),
    (
        "only if empty",
        "freecompany A3:D,B3:L,B6:D L6D5 L0D0 D",
        "gg",
        """+B1 A3-A1 A3-A2 A3-A4 B6-B4 B6-B5 B6-B7 B6-B8
        A3-A2,B6-B5 A3-A2,B6-B7 A3-A4,B6-B5 A3-A4,B6-B7""",
    ),
    (
        "two blanks: beside an own piece, or the Entrance",
        "freecompany B6:L L6D7 L0D0 L",
        "--",
        "+B1 +B5 +B7",
    ),
    ("two blanks do not place on an enemy", "freecompany B5:D,B6:L L6D6 L0D0 L", "--", "+B1 +B7"),
    ("the Entrance captures an enemy there", "freecompany B1:D,B8:D L7D5 L0D0 L", "--", "+xB1"),
    ("but not its owner's only piece", "freecompany B1:D L7D6 L0D0 L", "--", ""),
    (
        "an own piece on the Entrance blocks it",
        "freecompany B1:L L6D7 L0D0 L",
        "g-",
        "B1-A1 B1-B2 B1-C1",
    ),
    (
        "an own piece may be passed to an empty square",
        "freecompany A3:L,A4:L L5D7 L0D0 L",
        "ss",
        "+B1 +B4 A3-A1 A3-A2 A3-A2,A4-A3 A4-A2",
    ),
    (
        "not with a capture behind it",
        "freecompany A2:D,A3:L,A4:L L5D6 L0D0 L",
        "ss",
        "+B1 +B4 A3xA2 A3xA2,A4-A3",
    ),
    ("an enemy may not be passed", "freecompany A3:D,A4:L L6D6 L0D0 L", "ss", "+B1 +B4 A4xA3"),
    (
        "two pieces in an order that can be played",
        "freecompany C3:L,C4:L L5D7 L0D0 L",
        "gs",
        "+A3 +B1 +B3 C3-C1 C3-C2 C3-C2,C4-C3 C4-C2",
    ),
    (
        "Ishtar protects pieces on forts",
        "freecompany B4:D,C1:D,C2:L L6D5 L0D0 L",
        "g-",
        "+B1 C2-C3",
    ),
    ("not pieces elsewhere", "freecompany B2:D,B3:L,B4:D L6D5 L0D0 L", "g-", "+B1 B3xB2 B3xB4"),
    (
        "without her forts are open",
        "freecompany B5:D,C1:D,C2:L L6D5 L0D0 L",
        "g-",
        "+B1 C2-C3 C2xC1",
    ),
    (
        "once she is captured, the other piece may take a fort",
        "freecompany B3:L,B4:D,C1:D,C2:L L5D5 L0D0 L",
        "gg",
        "+B1 +B6 B3-B1 B3-B2 B3-B2,C2-C3 B3xB4 B3xB4,C2-C3 B3xB4,C2xC1 C2-C3 C2-C4",
    ),
    (
        "Heaven mastered: a double moves one piece up to 3",
        HEAVEN,
        "ss",
        """+B1 +B4 A7-A8 A7-B8 A7-B7 A7-C8 B3-B2 B3-B1 B3-A1 B3-C1 B3-B4 B3-B5 B3-B6
     C7-C8 C7-B8 C7-B7 C7-A8 A7-A8,B3-B2 A7-A8,B3-B4 A7-A8,C7-C8 B3-B2,C7-C8 B3-B4,C7-C8""",
    ),
    (
        "Heaven mastered: gold and silver do not",
        HEAVEN,
        "gs",
        """+A3 +B1 +C3 A7-A8 A7-B8 B3-B2 B3-B1 B3-B4 B3-B5 C7-C8 C7-B8
     A7-A8,B3-B2 A7-A8,B3-B4 A7-A8,C7-C8 B3-B2,C7-C8 B3-B4,C7-C8""",
    ),
    (
        "Earth mastered: a capture goes on",
        EARTH,
        "gs",
        """+A3 +B1 +C3 A1-A2 A1-A3 A1-B1 B2-B1 B2xB3 B2xB3xB4 C1-C2 C1-C3 C1-B1
     A1-A2,B2-B1 A1-A2,B2xB3 A1-A2,C1-B1 A1-A2,C1-C2 A1-B1,B2xB3 A1-B1,C1-C2
     B2-B1,C1-C2 B2xB3,C1-B1 B2xB3,C1-C2""",
    ),
    ("no piece and no placement: no move", "freecompany B1:D L7D6 L0D0 L", "s-", ""),
)
AFTER = named(
    ("placing uses up the throw", "freecompany - L7D7 L0D0 L", "gs", "+B3", "B3:L L6D7 L0D0 D"),
    (
        "captured pieces return to the reserve",
        "freecompany B5:L,B6:D,B7:D L6D5 L0D0 L",
        "g-",
        "B5xB6",
        "B6:L,B7:D L6D6 L0D0 D",
    ),
    (
        "a fort gives a new throw",
        "freecompany A2:L L6D7 L0D0 L",
        "g-",
        "A2-A1",
        "A1:L L6D7 L0D0 L*",
    ),
    (
        "two forts still one",
        "freecompany A2:L,C2:L L5D7 L0D0 L",
        "gs",
        "A2-A1,C2-C1",
        "A1:L,C1:L L5D7 L0D0 L*",
    ),
    (
        "at most one a turn",
        "freecompany A1:L,A8:L L5D7 L0D0 L*",
        "g-",
        "A8-A7",
        "A1:L,A7:L L5D7 L0D0 D",
    ),
    (
        "the second piece of a turn counts",
        "freecompany A2:L,B5:L L5D7 L0D0 L",
        "gs",
        "A2-A1,B5-B6",
        "A1:L,B6:L L5D7 L0D0 L*",
    ),
    (
        "leaving a fort gives none",
        "freecompany A1:L L6D7 L0D0 L",
        "g-",
        "A1-A2",
        "A2:L L6D7 L0D0 D",
    ),
    (
        "placing on a fort gives no throw",
        "freecompany A2:L L6D7 L0D0 L",
        "--",
        "+A1",
        "A1:L,A2:L L5D7 L0D0 D",
    ),
    (
        "but counts for the win",
        "freecompany A1:L,A7:L,C1:L,C8:L L3D7 L0D0 L",
        "--",
        "+C7",
        "A1:L,A7:L,C1:L,C7:L,C8:L L2D7 L0D0 =",
    ),
    (
        "four forts win at once",
        "freecompany A1:L,A7:L,C1:L,C8:L L3D7 L0D0 L",
        "g-",
        "C8-C7",
        "A1:L,A7:L,C1:L,C7:L L3D7 L0D0 =",
    ),
    (
        "judged after the whole action",
        "freecompany A1:L,A7:L,C1:L,C8:L L3D7 L0D0 L",
        "gs",
        "A1-A2,C8-C7",
        "A2:L,A7:L,C1:L,C7:L L3D7 L0D0 L*",
    ),
    ("two captures on the way", EARTH, "gs", "B2xB3xB4", "A1:L,B4:L,C1:L L4D7 L0D0 D"),
    (
        "two pieces into each other's track",
        "freecompany C3:L,C4:L L5D7 L0D0 L",
        "gs",
        "C3-C2,C4-C3",
        "C2:L,C3:L L5D7 L0D0 D",
    ),
    (
        "a pass ends the turn, also of the extra throw",
        "freecompany A1:D,B1:D L7D5 L0D0 D*",
        "--",
        "+A2",
        "A1:D,A2:D,B1:D L7D4 L0D0 L",
    ),
)
REFUSED = named(
    (
        "a fort that Ishtar shields, after another capture",
        "freecompany A1:L,B4:D,B8:L,C1:L,C7:D,C8:D L4D4 L0D0 L",
        "gs",
        "B8xC8xC7",
        "two-moves",
    ),
    ("passing an enemy", "freecompany A3:D,A4:L L6D6 L0D0 L", "ss", "A4-A2", "barred"),
    (
        "a capture behind an own piece",
        "freecompany A2:D,A3:L,A4:L L5D6 L0D0 L",
        "ss",
        "A4-A2",
        "barred",
    ),
    (
        "a piece that Ishtar protects",
        "freecompany B4:D,C1:D,C2:L L6D5 L0D0 L",
        "g-",
        "C2-C1",
        "safe-square",
    ),
    ("the only piece on the Entrance", "freecompany B1:D L7D6 L0D0 L", "g-", "+B1", "safe-square"),
    ("placing on an own piece", "freecompany B1:L L6D7 L0D0 L", "g-", "+B1", "own-piece-there"),
    ("a house of the other throw", "freecompany - L7D7 L0D0 L", "gg", "+B4", "barred"),
    ("placing where no own piece is near", "freecompany B6:L L6D7 L0D0 L", "--", "+B3", "barred"),
    ("two squares for one tip", "freecompany B3:L L6D7 L0D0 L", "g-", "B3-B5", "wrong-distance"),
    ("any square for two blanks", "freecompany B3:L L6D7 L0D0 L", "--", "B3-B4", "wrong-distance"),
    (
        "two pieces for one tip",
        "freecompany B3:L,C3:L L5D7 L0D0 L",
        "g-",
        "B3-B4,C3-C2",
        "two-moves",
    ),
    ("a piece and a placement", "freecompany B3:L L6D7 L0D0 L", "gs", "+B1,B3-B4", "two-moves"),
    (
        "two squares for one of two pieces",
        "freecompany B3:L,C3:L L5D7 L0D0 L",
        "gs",
        "B3-B5,C3-C2",
        "wrong-distance",
    ),
    (
        "going on after a capture",
        "freecompany B2:L,B3:D,C1:L L5D6 L0D0 L",
        "gs",
        "B2xB3-B4",
        "two-moves",
    ),
    ("the enemy's piece", "freecompany B3:L,B5:D L6D6 L0D0 L", "g-", "B5-B6", "not-your-piece"),
    ("an empty square", "freecompany B3:L L6D7 L0D0 L", "g-", "B5-B6", "piece-missing"),
    ("an own piece", "freecompany B3:L,B4:L L5D7 L0D0 L", "g-", "B3-B4", "own-piece-there"),
    ("bearing off", "freecompany A7:L L6D7 L0D0 L", "g-", "A7-off", "off-path"),
    (
        "an entry without a piece",
        "freecompany A1:L,A2:L,A3:L,A4:L,C2:L,C3:L,C4:L L0D7 L0D0 L",
        "g-",
        "+B1",
        "extra-piece",
    ),
    ("a pass with an empty board", "freecompany - L7D7 L0D0 L", "--", "pass", "must-enter"),
    ("a pass with an option", "freecompany B3:L L6D7 L0D0 L", "--", "pass", "must-move"),
)
IMPOSSIBLE = named(
    ("a pile", "freecompany B4:LD L6D6 L0D0 L", "B4"),
    ("a turned piece", "freecompany B4:L' L6D7 L0D0 L", "B4"),
    ("a piece off", "freecompany - L6D7 L1D0 L", "OFF"),
    ("eight pieces", "freecompany B4:L L7D7 L0D0 L", "7 pieces"),
    ("four forts and a turn", "freecompany A1:L,A7:L,C1:L,C7:L L3D7 L0D0 D", "turn"),
    ("the end without four forts", "freecompany A1:L,A7:L,C1:L L4D7 L0D0 =", "turn"),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


def test_the_players_say_who_starts_and_later_the_loser():
    rules = rule_set("freecompany")
    assert rules.starter is Starter.CHOICE
    assert rules.next_chooser(Side.LIGHT) is Side.DARK
    assert rule_set("finkel").next_chooser(Side.LIGHT) is None


def at(text):
    return parse_position(f"freecompany {text}")


HERE, THERE = at("B3:L,B6:D L6D6 L0D0 L"), at("B3:L,B6:D L6D6 L0D0 D")
AGAIN = at("B3:L,B6:D L6D6 L0D0 L*")
PLACED = [(HERE, Side.LIGHT, "+B1"), (THERE, Side.DARK, "B6xB1")]


def many(*actions, times):
    """Different positions with the same actions, so that only the actions repeat."""
    start = [at(f"A{n}:L,B6:D L6D6 L0D0 L") for n in (1, 2, 3, 4, 7, 8)]
    return tuple(
        (start[n] if position is HERE else at(f"C{min(n, 3) + 1}:D L7D6 L0D0 D"), side, move)
        for n in range(times)
        for position, side, move in actions
    )


DRAWS = named(
    ("no action", (), None),
    ("the same action in four own turns", many(PLACED[0], times=4), None),
    ("the same action in five own turns", many(PLACED[0], times=5), "repeated-action"),
    (
        "another action between them",
        (*many(PLACED[0], times=4), (HERE, Side.LIGHT, "B3-B4"), PLACED[0]),
        None,
    ),
    (
        "passes are not counted",
        (*many(PLACED[0], times=4), (HERE, Side.LIGHT, "pass"), PLACED[0]),
        "repeated-action",
    ),
    (
        "another second throw makes another action",
        (*many(PLACED[0], times=4), PLACED[0], (AGAIN, Side.LIGHT, "+B4")),
        None,
    ),
    ("a second throw without the first", ((AGAIN, Side.LIGHT, "+B4"),), None),
    (
        "the same action in five own turns after a second throw without the first",
        ((AGAIN, Side.LIGHT, "+B4"), *many(PLACED[0], times=5)),
        "repeated-action",
    ),
    ("a position that came four times", ((HERE, Side.LIGHT, "pass"),) * 3, None),
    ("a position that came five times", ((HERE, Side.LIGHT, "pass"),) * 4, "repeated-position"),
    ("the same board with the other side to move", ((THERE, Side.DARK, "pass"),) * 4, None),
)


@pytest.mark.parametrize(("past", "code"), DRAWS)
def test_when_a_draw_may_be_claimed(past, code):
    assert HERE.rules.draw_to_claim(HERE, Side.DARK, past) == code


def test_no_other_rule_set_gives_a_draw():
    position = parse_position("finkel A4:L L6D7 L0D0 L")
    past = ((position, Side.LIGHT, "A4-A3"),) * 9
    assert position.rules.draw_to_claim(position, Side.LIGHT, past) is None


UNFINISHED = named(
    ("half of a two-piece turn", "B3-B4", True),
    ("the first of two steps", "C3-C2", True),
    ("a placement", "+B1", False),
    ("two steps", "C3-C1", False),
    ("both pieces", "B3-B4,C3-C2", False),
)


@pytest.mark.parametrize(("move", "unfinished"), UNFINISHED)
def test_a_hand_may_go_on_from_half_a_turn(move, unfinished):
    position = at("B3:L,C3:L L5D7 L0D0 L")
    moves = position.rules.legal_moves(position, position.rules.dice.throw("gs"))
    made = next(legal_move for legal_move in moves if legal_move.text == move)
    assert position.rules.unfinished(made, moves) is unfinished


def test_a_step_that_may_be_followed_by_another_is_unfinished():
    at = parse_position("freecompany A4:L L6D7 L0D0 L")
    legal = at.rules.legal_moves(at, at.rules.dice.throw("gs"))
    found = {move.text for move in legal if at.rules.unfinished(move, legal)}

    assert found == {"A4-A3"}
