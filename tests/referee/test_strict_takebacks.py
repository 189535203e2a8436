"""A game against the engine in which people may not take their moves back."""

import pytest

from tests.referee.playing import Desk
from urpi.referee.facts import Coach, Game, Occupancy, Plan
from urpi.referee.make_snapshot import snapshot
from urpi.rules import Side, parse_position

LIGHT, DARK = Side
POSITION = "finkel A4:L L6D7 L0D0 {}"
STANDING_MS = 4000


def desk(*, takebacks: bool, to_throw: str = "L", **more: object) -> Desk:
    """Return a game of light, a person, against the engine."""
    position = POSITION.format(to_throw)
    seats = ("person", "engine:best")
    found = Desk(Game(0, "finkel", position=position, seats=seats, takebacks=takebacks, **more))
    found.do(Occupancy(0, parse_position(position).occupancy))
    found.wait(1000)
    return found


def move(game: Desk) -> Desk:
    """Play A4-A2 with light's piece."""
    game.throw("gs--").wait(500)
    game.lift("A4").wait(300)
    game.put("A2").wait(STANDING_MS)
    assert "move A4-A2" in game.pop_decisions()
    return game


def back(game: Desk) -> Desk:
    game.lift("A2").wait(300)
    return game.put("A4").wait(STANDING_MS)


def test_a_move_that_is_undone_is_warned_of_and_stays() -> None:
    game = back(move(desk(takebacks=False)))
    assert game.warning.code == "takebacks-off"
    assert game.warning.text == "This game allows no taking back. Put a piece on A2; empty A4."
    assert not [each for each in game.pop_decisions() if each.startswith("takeback")]
    game.lift("A4").wait(300)
    game.put("A2").wait(STANDING_MS)
    assert game.pop_decisions() == ["cleared"]
    game.throw("g---")
    assert any(each.startswith("roll") for each in game.pop_decisions())


def test_a_move_is_not_replaced_by_another_one() -> None:
    # A new piece on A3 is the other legal move.
    game = move(desk(takebacks=False))
    game.lift("A2").wait(300)
    game.put("A4", "A3").wait(STANDING_MS)
    assert not [each for each in game.pop_decisions() if each.startswith(("takeback", "move"))]


def test_it_is_taken_back_where_that_is_allowed() -> None:
    assert "takeback A4-A2" in back(move(desk(takebacks=True))).pop_decisions()


@pytest.mark.parametrize("takebacks", [True, False])
def test_a_request_is_refused_kindly(takebacks: bool) -> None:
    game = move(desk(takebacks=takebacks))
    shot = snapshot(game.state)
    assert shot.takeback == ((LIGHT, "A4-A2") if takebacks else None)
    game.answer(takeback=True)
    allowed, refused = "takeback A4-A2", "refused takebacks-off"
    assert game.pop_decisions() == [allowed if takebacks else refused]


def test_the_engines_move_may_always_be_taken_back() -> None:
    game = desk(takebacks=False, to_throw="D")
    game.throw("gs--").wait(500)
    game.do(Plan(game.t, DARK, "+C3"))
    game.put("C3").wait(STANDING_MS)
    assert "move +C3" in game.pop_decisions()
    game.lift("C3").wait(STANDING_MS)
    assert "takeback +C3" in game.pop_decisions()


def test_the_coach_speaks_though_the_move_stays() -> None:
    game = move(desk(takebacks=False, coach=("bad", "off")))
    game.do(Coach(game.t, LIGHT, "A4-A2", "+A3", 5))
    assert snapshot(game.state).coached is not None
    back(game)
    assert game.warning.code == "takebacks-off"


def test_putting_the_piece_back_ends_the_coach() -> None:
    game = move(desk(takebacks=True, coach=("bad", "off")))
    game.do(Coach(game.t, LIGHT, "A4-A2", "+A3", 5))
    assert snapshot(game.state).coached is not None
    back(game)
    assert "takeback A4-A2" in game.pop_decisions()
    assert snapshot(game.state).coached is None


def test_the_coach_speaks_of_a_bear_off_that_only_seems_made() -> None:
    position = "finkel A4:L,A7:L L0D7 L5D0 L"
    game = Desk(Game(0, "finkel", position=position, coach=("bad", "off")))
    game.do(Occupancy(0, parse_position(position).occupancy))
    game.wait(1000).throw("g---").wait(500)
    game.lift("A7").wait(2000)
    assert "seems A7-off" in game.pop_decisions()
    game.do(Coach(game.t, LIGHT, "A7-off", "A4-A3", 5))
    assert snapshot(game.state).coached is not None
    game.wait(12_000)
    assert "move A7-off" in game.pop_decisions()
    assert snapshot(game.state).coached is not None
    game.die(1, "rolling")
    assert snapshot(game.state).coached is None
