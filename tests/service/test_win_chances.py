"""The probability to win: when it is requested from the engine, and what it is."""

from pathlib import Path

import pytest

from tests.service.test_engine import EngineTable, response_of
from tests.slow import slow_except
from urpi.engine.evaluator import Lookahead, expected_value, move_values, value_for
from urpi.engine.network_file import network
from urpi.referee.facts import Abandon, Game, Resign
from urpi.referee.orders import NewGame
from urpi.rules import RULE_SETS, Side, parse_position, rule_set
from urpi.service.engine_process import EngineProcess, Response, worker_command
from urpi.service.win_chances import WinChance

LIGHT, DARK = Side
SET_UP_MS = 500
ESTIMATED: Response = {"value": 0.25, "by": "network"}


class Table(EngineTable):
    def begin(self, first: Side = LIGHT) -> None:
        self.board.begin(NewGame(rule_set("finkel"), first=first))
        self.wait(SET_UP_MS)

    def request(self) -> list[WinChance | None]:
        """Request the probability; it is in the list once there is an answer."""
        found: list[WinChance | None] = []
        self.board.win_chances.request(found.append)
        return found

    def respond(self, response: Response | None) -> None:
        _, on_response = self.fake.requests.pop(0)
        on_response(response)
        self.wait(50)


@pytest.fixture
def table(tmp_path: Path):
    with Table(tmp_path / "games.sqlite") as made:
        yield made


def test_it_is_requested_once_for_each_position(table: Table) -> None:
    table.begin()
    assert table.fake.requests == [], "a game of two people needs no engine"
    first, second = table.request(), table.request()
    assert (first, second) == ([], [])
    ((request, _),) = table.fake.requests
    assert request == {"position": str(table.board.service.snapshot.position)}
    table.respond(ESTIMATED)
    assert first == second == [WinChance(0.25, "estimated")]
    assert table.request() == first
    assert table.fake.requests == []


def test_it_belongs_to_light_and_to_the_throw(table: Table) -> None:
    table.begin(first=DARK)
    before = table.request()
    table.respond(ESTIMATED)
    assert before == [WinChance(0.75, "estimated")]
    table.answer(faces="gs--")
    after = table.request()
    assert table.fake.requests[0][0]["faces"] == "gs--"
    table.respond({"moves": [{"move": "+C3", "value": 0.4}], "by": "exact"})
    assert after == [WinChance(0.6, "exact")]


def test_a_response_for_an_earlier_position_is_not_shown(table: Table) -> None:
    table.begin()
    early = table.request()
    table.answer(faces="gs--")
    late = table.request()
    table.respond(ESTIMATED)
    assert (early, late) == ([], [])
    table.respond({"moves": [{"move": "+A3", "value": 0.4}], "by": "network"})
    assert early == late == [WinChance(0.4, "estimated")]


def test_it_is_requested_again_after_a_failure(table: Table) -> None:
    table.begin()
    failed = table.request()
    table.respond(None)
    assert failed == [None]
    again = table.request()
    table.respond(ESTIMATED)
    assert again == [WinChance(0.25, "estimated")]


def test_there_is_none_before_a_game_and_before_it_is_known_who_begins(table: Table) -> None:
    assert table.request() == [None]
    table.board.begin(NewGame(rule_set("finkel")))
    table.wait(SET_UP_MS)
    assert table.request() == [None]
    assert table.fake.requests == []


def test_there_is_none_without_hints(table: Table) -> None:
    table.board.service.new_game(Game(table.board.clock(), "finkel", first=LIGHT, hints=False))
    table.wait(SET_UP_MS)
    assert not table.board.service.snapshot.hints
    assert table.request() == [None]
    assert table.fake.requests == []


@pytest.mark.parametrize(
    ("fact", "chance"),
    [
        (Resign(9_000, DARK), WinChance(1.0, "exact")),
        (Resign(9_000, LIGHT), WinChance(0.0, "exact")),
        (Abandon(9_000, LIGHT, agreed=True), None),
    ],
)
def test_after_a_game_it_is_the_result(
    table: Table, fact: Resign | Abandon, chance: WinChance | None
) -> None:
    table.begin()
    table.board.service.submit(fact)
    table.wait(50)
    assert table.request() == [chance]
    assert table.fake.requests == []


def test_a_browser_that_no_longer_waits_stops_nothing(table: Table) -> None:
    table.begin()
    future = table.board.win_chance()
    table.wait(50)
    future.cancel()
    still = table.board.win_chance()
    table.wait(50)
    table.respond(ESTIMATED)
    assert still.result(0) == WinChance(0.25, "estimated")


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "freecompany", "ravensburger"))
def test_the_engine_evaluates_a_throw_ahead(tmp_path: Path, rules: str) -> None:
    position = rule_set(rules).start(LIGHT)
    evaluator = network(position.rules)
    engine = EngineProcess(worker_command(tmp_path))
    try:
        response = response_of(engine, {"position": str(position)})
        assert response == {"value": expected_value(evaluator, position), "by": "network"}
    finally:
        engine.close()


def test_a_throw_without_a_legal_move_has_the_value_of_the_pass(tmp_path: Path) -> None:
    position = parse_position("finkel[pieces=3] A4:L L2D3 L0D0 L")
    throw = position.rules.dice.throw("----")
    evaluator = network(position.rules)
    (passed,) = move_values(evaluator, position, throw)
    after = position.rules.play(position, throw, passed.move)
    engine = EngineProcess(worker_command(tmp_path))
    try:
        response = response_of(engine, {"position": str(position), "faces": "----"})
    finally:
        engine.close()
    assert response is not None
    (found,) = response["moves"]
    assert found["value"] == value_for(Lookahead(evaluator), after, LIGHT)
