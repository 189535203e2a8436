"""The coach: of which move it may speak, and until when."""

import pytest

from tests.referee.playing import Desk
from tests.referee.test_strict_takebacks import back, desk, move
from urpi.referee.decisions import Coached
from urpi.referee.facts import Coach, Game, Occupancy
from urpi.referee.make_snapshot import snapshot
from urpi.rules import Side, parse_position

LIGHT, DARK = Side
TWO_MOVES = "finkel A4:L,A7:L L0D7 L5D0 L"
"""Light may move A7-off, A4-A3 or no other piece with a throw of 1."""


def shown(game: Desk) -> Coached | None:
    return snapshot(game.state).coached


def moved() -> Desk:
    """Return a game in which light has moved A4-A2; +A3 was legal, too."""
    return move(desk(takebacks=True, coach=("bad", "off")))


def speak(game: Desk, played: str, better: str, loss: int = 5, side: Side = LIGHT) -> Desk:
    game.do(Coach(game.t, side, played, better, loss))
    return game


def test_speaks_of_the_newest_move() -> None:
    game = speak(moved(), "A4-A2", "+A3")
    assert shown(game) == Coached(game.t, LIGHT, "A4-A2", "+A3", 5)
    assert game.pop_decisions() == ["coached A4-A2"]


@pytest.mark.parametrize(
    ("played", "better", "side"),
    [
        pytest.param("+A3", "A4-A2", LIGHT, id="of another move"),
        pytest.param("+A4", "+A3", LIGHT, id="of a move that comes later in the alphabet"),
        pytest.param("A4-A2", "A4-A2", LIGHT, id="no better move"),
        pytest.param("A4-A2", "+A4", LIGHT, id="an illegal better move"),
        pytest.param("A4-A2", "+A3", DARK, id="of the other side"),
    ],
)
def test_is_ignored(played: str, better: str, side: Side) -> None:
    game = speak(moved(), played, better, side=side)
    assert shown(game) is None
    assert game.pop_decisions() == []


@pytest.mark.parametrize(
    "more", [{"coach": ("off", "bad")}, {"coach": ("bad", "bad"), "to_throw": "D"}]
)
def test_is_ignored_for_a_side_without_one_and_for_the_engine(more: dict[str, object]) -> None:
    game = desk(takebacks=True, **more)
    game.throw("gs--").wait(500)
    side, played, better = (DARK, "+C3", "+C4") if "to_throw" in more else (LIGHT, "A4-A2", "+A3")
    game.answer(move=played)
    game.pop_decisions()
    assert shown(speak(game, played, better, side=side)) is None


def test_speaks_once_of_a_move() -> None:
    game = speak(moved(), "A4-A2", "+A3", 5)
    first = shown(game)
    speak(game, "A4-A2", "+A3", 9)
    assert shown(game) == first


@pytest.mark.parametrize("settled", [False, True])
def test_is_too_late_once_a_die_is_thrown(settled: bool) -> None:
    game = moved()
    game.die(1, "rolling")
    if settled:
        game.die(1, "settled", "g", tumbled=True)
    game.pop_decisions()
    assert shown(speak(game, "A4-A2", "+A3")) is None
    assert game.pop_decisions() == []


def test_is_ignored_before_the_first_move() -> None:
    game = desk(takebacks=True, coach=("bad", "off"))
    game.pop_decisions()
    assert shown(speak(game, "A4-A2", "+A3")) is None
    assert game.pop_decisions() == []


def test_speaks_of_each_move_that_seems_made() -> None:
    # No switch shows a capture whose pieces change without a gap, so that it only seems made.
    position = "finkel A1:L,B1:L,B2:D,B3:D L5D5 L0D0 L"
    game = Desk(Game(0, "finkel", position=position, coach=("bad", "off")))
    game.do(Occupancy(0, parse_position(position).occupancy))
    game.wait(1000).throw("gs--").wait(500)
    for lifted, seems, better in (("A1", "A1xB2", "B1xB3"), ("B1", "B1xB3", "A1xB2")):
        game.lift(lifted).wait(3_000)
        assert game.pop_decisions()[-1] == f"seems {seems}"
        assert shown(game) is None
        assert shown(speak(game, seems, better)) == Coached(game.t, LIGHT, seems, better, 5)
        game.pop_decisions()
        game.put(lifted).wait(1_000)
        assert shown(game) is None


def test_speaks_again_of_a_move_that_is_made_after_a_take_back() -> None:
    game = back(speak(moved(), "A4-A2", "+A3"))
    assert shown(game) is None
    game.lift("A4").wait(300)
    game.put("A2").wait(5_000)
    assert shown(speak(game, "A4-A2", "+A3", 7)) == Coached(game.t, LIGHT, "A4-A2", "+A3", 7)


def test_of_a_move_that_seems_made_ends_with_another_one() -> None:
    game = Desk(Game(0, "finkel", position=TWO_MOVES, coach=("bad", "off")))
    game.do(Occupancy(0, parse_position(TWO_MOVES).occupancy))
    game.wait(1000).throw("g---").wait(500)
    game.lift("A7").wait(2_000)
    assert shown(speak(game, "A7-off", "A4-A3")) is not None
    game.put("A7").wait(300)
    assert shown(game) is None
    game.lift("A4").wait(300)
    game.put("A3").wait(400)
    assert shown(game) is None
    game.wait(5_000)
    assert "move A4-A3" in game.pop_decisions()
    assert shown(game) is None
    assert shown(speak(game, "A4-A3", "A7-off")) is not None
