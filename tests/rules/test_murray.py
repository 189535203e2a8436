"""Cases of `murray`, see docs/design/RULES.md, section 3."""

import pytest

from tests.rules.cases import after_cases, impossible_cases, legal_cases, named, refusal_cases
from urpi.rules import SQUARE_NAMES, Side, rule_set

OWN_FIRST = "murray[loop=own-first]"
OPPONENT_ROW = "murray[exit_row=opponent]"
LEGAL = named(
    ("no mark counts 0", "murray A4:L L6D7 L0D0 L", "---", ""),
    ("the loop begins on the enemy's side", "murray B7:L L0D7 L6D0 L", "gs-", "B7-C8"),
    ("the loop may begin on one's own", f"{OWN_FIRST} B7:L L0D7 L6D0 L", "gs-", "B7-A8"),
    ("a piece comes back over the bridge", "murray B7:L' L0D7 L6D0 L", "gs-", "B7-B5"),
    ("the 28th step is off", "murray A4:L' L0D7 L6D0 L", "-g-", "A4-off"),
    ("a first-lap piece on the same square goes on", "murray A4:L L0D7 L6D0 L", "-g-", "A4-A3"),
    ("off needs the exact throw", "murray A3:L' L0D7 L6D0 L", "g--", "A3-A4"),
    ("own pieces of either lap are in the way", "murray B2:L,B3:L' L0D7 L5D0 L", "g--", ""),
    ("a rosette is not safe", "murray B3:L,B4:D L0D6 L6D0 L", "g--", "B3xB4"),
    (
        "rosettes may be played safe",
        "murray[safe_rosettes=yes] B3:L,B4:D L0D6 L6D0 L",
        "g--",
        "",
    ),
    ("both laps capture each other", "murray B2:L,B4:D' L0D6 L6D0 L", "gg-", "B2xB4"),
    (
        "entering can capture a piece on its way out on one's row",
        f"{OPPONENT_ROW} A3:D L1D6 L6D0 L",
        "gg-",
        "+xA3",
    ),
    ("the way out may be the enemy's row", f"{OPPONENT_ROW} B1:L' L0D7 L6D0 L", "gg-", "B1-C2"),
)
AFTER = named(
    (
        "on the second visit a piece is marked",
        "murray A7:L L6D7 L0D0 L",
        "g--",
        "A7-B7",
        "B7:L' L6D7 L0D0 D",
    ),
    (
        "the loop's squares are visited once",
        "murray B7:L L6D7 L0D0 L",
        "g--",
        "B7-C7",
        "C7:L L6D7 L0D0 L",
    ),
    ("rosette 24 throws again", "murray B1:L' L6D7 L0D0 L", "g--", "B1-A1", "A1:L' L6D7 L0D0 L"),
    (
        "a captured piece of the second lap starts again",
        "murray B2:L,B4:D' L6D6 L0D0 L",
        "gg-",
        "B2xB4",
        "B4:L L6D7 L0D0 L",
    ),
    (
        "the enemy's row is visited once",
        f"{OPPONENT_ROW} B1:L' L6D7 L0D0 L",
        "gg-",
        "B1-C2",
        "C2:L L6D7 L0D0 D",
    ),
    ("the last piece off wins", "murray A4:L' L0D7 L6D0 L", "-g-", "A4-off", "- L0D7 L7D0 ="),
)
REFUSED = named(
    ("going on as in the other lap", "murray B6:L' L6D7 L0D0 L", "g--", "B6-B7", "backwards"),
    ("off from the first lap", "murray A4:L L6D7 L0D0 L", "g--", "A4-off", "inexact-exit"),
    (
        "an own piece of the other lap",
        "murray B2:L,B3:L' L5D7 L0D0 L",
        "g--",
        "B2-B3",
        "own-piece-there",
    ),
    ("the enemy's outer row", "murray B1:L' L6D7 L0D0 L", "g--", "B1-C1", "off-path"),
    ("turning back too early", "murray B5:L L6D7 L0D0 L", "g--", "B5-B4", "wrong-distance"),
)
IMPOSSIBLE = named(
    ("a second visit where there is one", "murray C8:L' L6D7 L0D0 L", "C8"),
    ("a piece on the enemy's row", "murray C2:L L6D7 L0D0 L", "C2"),
    ("two laps on one square", "murray B5:LL' L5D7 L0D0 L", "B5"),
    (
        "a second visit of the exit row when that is the enemy's",
        f"{OPPONENT_ROW} A4:L' L6D7 L0D0 L",
        "A4",
    ),
)


test_the_legal_moves = legal_cases(LEGAL)
test_the_position_after = after_cases(AFTER)
test_what_is_refused = refusal_cases(REFUSED)
test_impossible_positions_are_refused_by_name = impossible_cases(IMPOSSIBLE)


@pytest.mark.parametrize("loop", ["opponent-first", "own-first"])
@pytest.mark.parametrize("exit_row", ["own", "opponent"])
@pytest.mark.parametrize("side", Side)
def test_every_fourth_of_27_squares_is_a_rosette(loop, exit_row, side):
    path = rule_set("murray", {"loop": loop, "exit_row": exit_row}).path(side)
    names = [SQUARE_NAMES[square] for square in path]
    assert len(names) == 27
    assert set(names[3::4]) <= {"A1", "A7", "B4", "C1", "C7"}
