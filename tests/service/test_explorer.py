"""Orders of explorations at a board: who agrees, what is refused, and what is shown meanwhile."""

from pathlib import Path
from typing import Any

import pytest

from tests.service.test_engine import EngineTable
from urpi.core.errors import UrpiError
from urpi.journal import Journal, list_games
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Refused
from urpi.referee.facts import Abandon, Draw, Resign
from urpi.referee.orders import EndExploration, Explore, GoBack, NewGame, Order
from urpi.referee.seats import NO_COACH, PERSONS
from urpi.rules import Side, given_position, parse_square, rule_set
from urpi.service.win_chances import WinChance

LIGHT, DARK = Side
SET_UP_MS = 500
ALONE = "finkel - L7D6 L0D1 D"


class Table(EngineTable):
    def begin(self, **order: Any) -> None:
        self.board.begin(NewGame(rule_set("finkel"), first=LIGHT, **order))
        self.wait(SET_UP_MS)

    def order(self, order: Order) -> None:
        done = self.board.order(order)
        self.wait(50)
        done.result(timeout=0)

    @property
    def shot(self) -> Snapshot:
        return self.board.service.snapshot


@pytest.fixture
def table(tmp_path: Path):
    with Table(tmp_path / "games.sqlite") as made:
        yield made


def refused(table: Table, order: Order) -> str:
    with pytest.raises(UrpiError) as error:
        table.order(order)
    return str(error.value)


def test_a_line_is_explored_and_the_hands_go_back(table: Table) -> None:
    table.begin(light="Ann", dark="Bob")
    table.order(Explore())
    assert (table.shot.explore, table.shot.phase, table.shot.light) == ("line", Phase.THROW, "Ann")
    assert table.board.now().waits
    table.answer(faces="gs--")
    table.order(GoBack())
    # Nothing was moved, so the board shows the position already.
    assert (table.shot.explore, table.shot.phase) == (None, Phase.THROW)
    assert not table.board.now().waits


def test_the_values_of_all_moves_are_shown_in_a_line_only(table: Table) -> None:
    table.begin()
    response = {"moves": [{"move": "+A3", "value": 0.4}], "by": "network"}
    table.answer(faces="gs--")
    found: list[WinChance | None] = []
    table.board.win_chances.request(found.append)
    table.fake.requests.pop(0)[1](response)
    table.wait(50)
    assert found == [WinChance(0.4, "estimated")]
    table.order(Explore())
    assert table.shot.throw is not None
    # The display has requested it.
    table.fake.requests.pop(-1)[1](response)
    table.wait(50)
    table.board.win_chances.request(found.append)
    assert found[-1] == WinChance(0.4, "estimated", (("+A3", 0.4),))


@pytest.mark.parametrize(
    ("fact", "code"),
    [(Resign(9_000, LIGHT), "resign"), (Draw(9_000, LIGHT), "draw"), (Abandon(9_000, LIGHT), "a")],
)
def test_nothing_in_an_exploration_ends_the_game(table: Table, fact: Any, code: str) -> None:
    table.begin()
    table.order(Explore())
    done = table.board.request(fact)
    table.wait(50)
    [refusal] = done.result(timeout=0)
    assert isinstance(refusal, Refused)
    assert refusal.code == "exploring"
    assert refusal.what.startswith(code)
    assert table.shot.explore == "line"


def test_what_is_impossible_is_refused_in_a_sentence(table: Table) -> None:
    assert refused(table, Explore()) == "There is no position of a game to explore from."
    assert refused(table, GoBack()) == "Nothing is being explored."
    assert refused(table, EndExploration()) == "Nothing is being explored."
    table.begin()
    table.order(Explore())
    assert "waits" in refused(table, EndExploration())
    assert "between two moves" in refused(table, Explore())


def test_before_who_begins_is_known_there_is_no_line(table: Table) -> None:
    table.board.begin(NewGame(rule_set("finkel")))
    table.wait(SET_UP_MS)
    assert table.shot.phase is Phase.START_THROW
    assert "Explore between two moves" in refused(table, Explore())
    for faces in ("gg--", "g---"):
        table.answer(faces=faces)
    table.wait(SET_UP_MS)
    assert table.shot.phase is Phase.THROW
    table.order(Explore())


def test_a_move_that_was_entered_is_made_on_the_board_before_a_line(table: Table) -> None:
    table.begin()
    table.answer(faces="gg--")
    table.answer(move="+A3")
    table.wait(SET_UP_MS)
    # The throw is due, but the hands would be led back to a position that they never saw.
    assert (table.shot.phase, table.shot.side) == (Phase.THROW, DARK)
    assert not table.shot.may_explore
    assert "when the display asks for nothing" in refused(table, Explore())
    table.pins.square(parse_square("A3"), True)
    table.wait(SET_UP_MS)
    assert table.shot.may_explore
    table.order(Explore())
    assert table.shot.explore == "line"


def test_against_the_engine_a_person_explores_at_the_own_turn(table: Table) -> None:
    table.begin(seats=("person", "engine:easy"))
    table.order(Explore())
    assert table.shot.seats == PERSONS
    table.order(GoBack())
    table.wait(SET_UP_MS)
    assert table.shot.seats == ("person", "engine:easy")
    table.answer(faces="----")
    assert table.shot.side is DARK
    assert "at your turn" in refused(table, Explore())


def test_a_position_is_explored_without_a_game_until_the_players_end_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Table(path) as table:
        position = given_position(ALONE)
        table.order(Explore(position))
        table.wait(SET_UP_MS)
        assert (table.shot.explore, table.shot.phase) == ("line", Phase.THROW)
        assert table.board.service.game is None
        table.answer(faces="gs--")
        table.order(GoBack())
        table.wait(SET_UP_MS)
        assert (table.shot.explore, table.shot.phase) == ("line", Phase.THROW)
        assert table.shot.position == position
        table.order(EndExploration())
        assert table.shot.phase is Phase.NO_GAME
    with Journal.open(path) as journal:
        assert list_games(journal) == ()
    assert [one.name for one in tmp_path.iterdir() if "exploration" in one.name] == []


def test_during_a_game_only_its_own_position_is_explored(table: Table) -> None:
    table.begin()
    table.answer(faces="gs--")
    assert "in progress" in refused(table, Explore(given_position(ALONE)))
    assert table.shot.explore is None


def test_a_new_game_ends_the_exploration(table: Table) -> None:
    table.begin()
    table.order(Explore())
    table.order(NewGame(rule_set("finkel"), coach=NO_COACH))
    table.wait(SET_UP_MS)
    assert (table.shot.explore, table.board.service.game) == (None, 2)
