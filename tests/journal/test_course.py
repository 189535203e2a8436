"""The course of a game: its position and throw after each stored decision."""

import pytest

from urpi.core.errors import UrpiError
from urpi.journal import Course
from urpi.referee.decisions import Moved, Passed, Roll, TakenBack
from urpi.referee.facts import Game
from urpi.rules import Side

LIGHT, DARK = Side.LIGHT, Side.DARK
START = "finkel - L7D7 L0D0 L"
ON_A4 = "finkel A4:L L6D7 L0D0 L"
ON_A4_AND_A3 = "finkel A3:L,A4:L L5D7 L0D0 D"


def course() -> Course:
    """A course after two moves of light, as after a throw on top."""
    found = Course(Game(0, "finkel", first=LIGHT))
    found.apply(Roll(1, LIGHT, "g---", 1, ()))
    found.apply(Moved(2, LIGHT, "+A4", ON_A4, "sensed"))
    found.apply(Roll(3, LIGHT, "gs--", 2, ()))
    found.apply(Moved(4, LIGHT, "+A3", ON_A4_AND_A3, "sensed"))
    return found


def test_a_course_follows_moves() -> None:
    assert str(course().position) == ON_A4_AND_A3


def test_taking_back_returns_through_the_throws_of_a_turn() -> None:
    followed = course()
    followed.apply(TakenBack(5, LIGHT, "+A3"))
    assert (str(followed.position), followed.roll) == (ON_A4, Roll(3, LIGHT, "gs--", 2, ()))
    followed.apply(TakenBack(6, LIGHT, "+A4"))
    assert (str(followed.position), followed.roll) == (START, Roll(1, LIGHT, "g---", 1, ()))


@pytest.mark.parametrize(
    "decisions",
    [
        [TakenBack(5, LIGHT, "+A4")],
        [
            Roll(5, DARK, "g---", 1, ()),
            Moved(6, DARK, "+C4", "finkel A3:L,A4:L,C4:D L5D6 L0D0 D", "sensed"),
            TakenBack(7, LIGHT, "+A3"),
        ],
        [TakenBack(5, LIGHT, "+A3"), TakenBack(6, LIGHT, "+A4"), TakenBack(7, LIGHT, "+A4")],
    ],
)
def test_only_the_last_move_of_the_turn_can_be_taken_back(decisions: list) -> None:
    followed = course()
    *before, last = decisions
    for decision in before:
        followed.apply(decision)
    with pytest.raises(UrpiError, match="which was not the last move"):
        followed.apply(last)


def test_a_throw_that_came_too_soon_is_followed_by_the_move_that_is_taken_back() -> None:
    followed = course()
    followed.apply(Roll(5, DARK, "----", 0, ()))
    followed.apply(Passed(5, DARK, "zero"))
    followed.apply(TakenBack(6, LIGHT, "+A3"))
    assert (str(followed.position), followed.roll) == (ON_A4, Roll(3, LIGHT, "gs--", 2, ()))


def test_a_move_or_pass_needs_a_throw() -> None:
    for decision in (Moved(1, LIGHT, "+A4", ON_A4, "sensed"), Passed(1, LIGHT, "zero")):
        with pytest.raises(UrpiError, match="has no throw"):
            Course(Game(0, "finkel")).apply(decision)
