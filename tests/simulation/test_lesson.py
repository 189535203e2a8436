"""The lesson about a first game, at an interactive table with a referee."""

import pytest

from tests.simulation.interactive_session import InteractiveSession
from urpi.referee import Phase
from urpi.referee.facts import Game
from urpi.rules import Side, parse_position, rule_set
from urpi.rules.lesson import FIRST_GAME
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.table_orders import act

START = parse_position(FIRST_GAME.position)


@pytest.fixture
def session() -> InteractiveSession:
    """A session in which the lesson's position is set up."""
    session = InteractiveSession(rule_set("bell"), plays=Side)
    session.wait(3000)
    session.table.begin_lesson(FIRST_GAME, START)
    session.begin_with(Game(session.now, "finkel", position=str(START)))
    session.until(lambda: session.shown.phase is Phase.THROW)
    return session


def play_light(session: InteractiveSession) -> None:
    """Throw, and let the table's hands play light's only move."""
    session.until(lambda: session.shown.phase is Phase.THROW and session.shown.side is Side.LIGHT)
    session.do(act(Table.throw))
    session.until(lambda: session.shown.phase is Phase.MOVE)
    (move,) = session.shown.legal
    position = session.shown.position
    session.do(act(Table.move, move))
    session.until(lambda: session.shown.position != position)


def test_the_lesson_is_played_to_its_end_by_the_real_referee(session: InteractiveSession) -> None:
    for _ in range(4):
        play_light(session)
    assert session.shown.position is not None
    assert session.shown.position.off == (7, START.off[1])
    assert session.shown.outcome is not None
    assert session.shown.outcome.side is Side.LIGHT


def test_throwing_again_before_the_move_changes_nothing(session: InteractiveSession) -> None:
    for _ in range(2):
        session.do(act(Table.throw), wait_ms=3000)
    assert session.shown.throw is not None
    assert session.shown.throw.value == 4
    session.do(act(Table.move, session.shown.legal[0]), wait_ms=8000)
    for _ in range(2):
        session.do(act(Table.throw), wait_ms=3000)
    assert session.shown.throw is not None
    assert session.shown.throw.value == 4


def test_in_the_lesson_a_simulated_player_plays_dark_only(session: InteractiveSession) -> None:
    assert set(session.table.partner.plays) == {Side.DARK}


def test_a_new_game_ends_the_lesson(session: InteractiveSession) -> None:
    session.table.change_rules(rule_set("finkel"))
    session.begin(rule_set("finkel"))
    assert session.table.lesson is None
    assert set(session.table.partner.plays) == set(Side)
    thrown = set()
    session.table.partner.plays = ()
    session.wait(5000)
    for _ in range(8):
        session.do(act(Table.throw), wait_ms=3000)
        thrown.add(session.table.dice.faces(range(1, 5)))
    assert len(thrown) > 1
