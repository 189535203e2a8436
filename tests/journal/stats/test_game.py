"""The figures of one game."""

from collections.abc import Iterable

import pytest

from tests.journal.stats.figures import figures_of
from urpi.journal.stats import GameFigures
from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Moved,
    Passed,
    Roll,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.facts import Game
from urpi.rules import Side

LIGHT, DARK = Side.LIGHT, Side.DARK
GAME = Game(0, "finkel", "Ann", "Zoë")


def roll(t: int, side: Side, faces: str = "gs--", value: int = 2) -> Roll:
    return Roll(t, side, faces, value, ())


def moved(t: int, side: Side, move: str) -> Moved:
    return Moved(t, side, move, "", "sensed")


def figures(decisions: Iterable[Decision], game: Game = GAME) -> GameFigures:
    return figures_of(1, game, ((decision, True) for decision in decisions))


PLAYED = [
    Starts(1000, LIGHT, "throw"),
    roll(3000, LIGHT, "gsgs", 4),
    moved(5000, LIGHT, "+A1"),
    roll(7000, LIGHT, "----", 0),
    Passed(7000, LIGHT, "zero"),
    roll(9000, DARK),
    moved(12_000, DARK, "B3xB4"),
    roll(13_000, LIGHT),
    moved(14_000, LIGHT, "A1-B2"),
    Won(14_000, DARK, "resigned"),
]


def test_throws_captures_and_rosettes_are_counted_by_side() -> None:
    light, dark = figures(PLAYED).sides
    assert (light.throws, light.pips, light.captures, light.rosettes) == (3, 6, 0, 1)
    assert (dark.throws, dark.pips, dark.captures, dark.rosettes) == (1, 2, 1, 1)


def test_a_turn_lasts_from_the_other_side_s_last_move() -> None:
    light, dark = figures(PLAYED).sides
    assert (light.turn_ms, dark.turn_ms) == ([6000, 2000], [5000])
    assert figures(PLAYED).lasted_ms == 13_000


def test_moves_taken_back_do_not_count() -> None:
    again = [
        Starts(0, LIGHT, "given"),
        roll(1, LIGHT),
        moved(2, LIGHT, "B3xB4"),
        TakenBack(3, LIGHT, "B3xB4"),
        moved(4, LIGHT, "A4-A2"),
    ]
    light, _ = figures(again).sides
    assert (light.throws, light.captures, light.rosettes) == (1, 0, 0)


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ([Won(9, LIGHT, "off")], "light"),
        ([Drawn(9, "agreed")], "draw"),
        ([Abandoned(9, "abandoned")], "abandoned"),
        ([], None),
    ],
)
def test_the_result_follows_from_the_last_decision(end: list[Decision], result: str | None) -> None:
    assert figures([Starts(0, LIGHT, "given"), *end]).result == result


def test_faces_are_counted_by_the_number_of_the_die() -> None:
    own = Game(0, "finkel", "Ann", "Zoë", dice=((1, 2, 3, 4), (5, 6, 7, 8)))
    faces = figures([roll(1, LIGHT, "g---"), roll(2, DARK, "s-s-")], own).faces
    assert {die: "".join(seen) for die, seen in faces.items()} == {
        1: "g", 2: "-", 3: "-", 4: "-", 5: "s", 6: "-", 7: "s", 8: "-",
    }  # fmt: skip


def test_faces_of_an_entered_throw_are_not_counted() -> None:
    found = figures_of(1, GAME, [(roll(1, LIGHT), False)])
    assert (found.sides[0].throws, found.faces) == (1, {})
