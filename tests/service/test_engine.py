"""The engine at the board: its process, its moves, failures and restarts."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

import pytest

from tests.service.test_board import Board
from tests.service_desk import STARTED
from tests.slow import slow_except
from tests.waiting import wait_until
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import Journal, build_record, entries_of
from urpi.referee import Phase
from urpi.referee.decisions import Planned, Refused, Won
from urpi.referee.facts import Answer, Decline, Game, Resign
from urpi.referee.orders import AskHint, NewGame
from urpi.referee.seats import PERSONS, Seats
from urpi.rules import RULE_SETS, Side, parse_rules, rule_set
from urpi.rules.record import record_text
from urpi.service.engine_process import (
    EngineProcess,
    Request,
    Response,
    worker_command,
)
from urpi.service.interactive import InteractiveService, InteractiveSetting

DEADLINE_S = 240.0
BEST = ("engine:best", "engine:best")
POSITION = "finkel A1:L,B4:D L6D6 L0D0 L"


def response_of(engine: EngineProcess, request: Request) -> Response | None:
    """Return the response of a process to a request."""
    responses: SimpleQueue[Response | None] = SimpleQueue()
    engine.request(request, responses.put)
    return responses.get(timeout=DEADLINE_S)


@pytest.fixture
def engine(tmp_path: Path):
    made = EngineProcess(worker_command(tmp_path))
    yield made
    made.close()


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "freecompany", "ravensburger"))
def test_the_process_chooses_a_legal_move_in_every_rule_set(
    engine: EngineProcess, rules: str
) -> None:
    position = rule_set(rules).start(Side.LIGHT)
    throw = next(
        throw
        for throw, _ in position.rules.dice.outcomes
        if position.rules.legal_moves(position, throw)
    )
    for level in ("beginner", "best"):
        request = {"position": str(position), "faces": throw.faces, "level": level, "chance": 0.9}
        response = response_of(engine, request)
        assert response is not None
        legal = [move.text for move in position.rules.legal_moves(position, throw)]
        assert response["move"] in legal


def test_a_killed_process_is_started_again(engine: EngineProcess) -> None:
    first = response_of(engine, {"position": POSITION})
    assert first is not None
    assert 0 < first["value"] < 1
    assert engine._process is not None
    os.kill(engine._process.pid, signal.SIGKILL)
    assert response_of(engine, {"position": POSITION}) == first


@pytest.mark.parametrize(
    "command",
    [
        pytest.param((sys.executable, "-c", ""), id="ends at once"),
        pytest.param((sys.executable, "-c", "import time; time.sleep(600)"), id="is silent"),
        pytest.param((sys.executable, "-c", "input(); print('{')"), id="responds with nonsense"),
        pytest.param(("/nonexistent/urpi",), id="cannot be started"),
    ],
)
def test_a_process_that_fails_has_no_response(command: tuple[str, ...]) -> None:
    engine = EngineProcess(command, timeout_s=1.0)
    assert response_of(engine, {"position": POSITION}) is None
    engine.close()


def test_a_process_that_nobody_asks_ends_until_the_next_request(tmp_path: Path) -> None:
    engine = EngineProcess(worker_command(tmp_path), idle_s=0.05)
    for _ in range(2):
        assert response_of(engine, {"position": POSITION}) is not None
        wait_until(lambda: engine._process is None, "its process has ended")
    engine.close()


def test_no_process_is_started_once_the_engine_is_closed() -> None:
    engine = EngineProcess((sys.executable, "-c", "import time; time.sleep(600)"))
    engine.close()
    with pytest.raises(OSError, match="it is closed"):
        engine._exchange(b"{}")
    assert engine._process is None


def test_an_invalid_request_has_no_response(engine: EngineProcess) -> None:
    assert response_of(engine, {"position": "chess"}) is None


class FakeEngine:
    """An engine whose responses the test decides."""

    def __init__(self) -> None:
        self.requests: list[tuple[Request, Callable[[Response | None], None]]] = []

    def request(self, request: Request, on_response: Callable[[Response | None], None]) -> None:
        self.requests.append((request, on_response))

    def respond(self, response: Response | None, to: str = "level") -> None:
        """Respond to the oldest request that has a key, by default to one for a move."""
        while True:
            request, on_response = self.requests.pop(0)
            if to in request:
                on_response(response)
                return

    def close(self) -> None:
        pass


class EngineTable(Board):
    """A board without pieces, whose engine responds as the test decides."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.fake = FakeEngine()
        super().__init__(path, engine=self.fake, **options)

    def __enter__(self) -> Self:
        self.board.__enter__()
        self.pins.refresh()
        return self

    def __exit__(self, *error: object) -> None:
        self.board.__exit__(*error)

    def answer(self, **answer: object) -> None:
        self.board.service.submit(Answer(self.board.clock(), **answer))
        self.wait(50)


class Table(EngineTable):
    """A table at which the engine has both seats."""

    def play(self, then: Callable[["Table"], None], rules: str = "finkel") -> None:
        """Resume or begin a game, and do something in it."""
        resumed = self.board.service.resume()
        with self.board:
            self.pins.refresh()
            if resumed is None:
                self.board.begin(NewGame(parse_rules(rules), first=Side.LIGHT, seats=BEST))
            self.wait(500)
            then(self)

    def throw(self, faces: str) -> None:
        self.answer(faces=faces)

    @property
    def shot(self):
        return self.board.service.snapshot


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def to_a_second_piece(table: Table) -> None:
    """Play the only legal move, which needs no engine, and throw for light again."""
    table.throw("gsgs")
    assert table.shot.planned == "+A1"
    table.board.service.submit(Answer(table.board.clock(), move="+A1"))
    table.wait(50)
    table.throw("g---")
    assert table.shot.thinking


def test_the_engines_move_is_stored_and_shown(path: Path) -> None:
    def play(table: Table) -> None:
        to_a_second_piece(table)
        request = table.fake.requests[-1][0]
        assert request["level"] == "best"
        assert request["faces"] == "g---"
        table.fake.respond({"move": "+A4"})
        table.wait(50)
        assert table.shot.planned == "+A4"
        assert table.shot.legal == ("+A4",)

    Table(path).play(play)
    with Journal.open(path) as journal:
        lines = [entry.line for entry in entries_of(journal, 1)]
    assert any('"type":"plan","side":"light","move":"+A4"' in line for line in lines)


def test_a_stored_plan_is_used_again_after_a_restart(path: Path) -> None:
    def play(table: Table) -> None:
        to_a_second_piece(table)
        table.fake.respond({"move": "+A4"})
        table.wait(300)

    def resume(table: Table) -> None:
        assert table.shot.planned == "+A4"
        assert not any("level" in request for request, _ in table.fake.requests)

    Table(path).play(play)
    Table(path).play(resume)


def test_a_move_without_a_stored_plan_is_chosen_again_after_a_restart(path: Path) -> None:
    def resume(table: Table) -> None:
        assert table.shot.thinking
        table.fake.respond({"move": "+A4"})
        table.wait(50)
        assert table.shot.planned == "+A4"

    Table(path).play(to_a_second_piece)
    Table(path).play(resume)


@pytest.mark.parametrize("response", [None, {"move": "+B8"}])
def test_a_person_moves_for_an_engine_that_fails(path: Path, response: Response | None) -> None:
    def play(table: Table) -> None:
        to_a_second_piece(table)
        table.fake.respond(response)
        table.wait(50)
        assert table.shot.planned is None
        assert table.shot.legal == ("+A4", "A1-B1")
        table.board.service.submit(Answer(table.board.clock(), move="A1-B1"))
        table.wait(50)
        assert table.shot.phase is Phase.THROW

    Table(path).play(play)


def test_a_late_response_is_not_used_in_another_game(path: Path) -> None:
    def play(table: Table) -> None:
        to_a_second_piece(table)
        table.board.service.abandon()
        table.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT, seats=BEST))
        table.wait(500)
        to_a_second_piece(table)
        table.fake.respond({"move": "A1-B1"})
        table.wait(50)
        assert table.shot.thinking
        table.fake.respond({"move": "+A4"})
        table.wait(50)
        assert table.shot.planned == "+A4"

    Table(path).play(play)


@pytest.mark.parametrize(
    ("response", "side"),
    [({"declines": True}, Side.DARK), ({"declines": False}, Side.LIGHT), (None, Side.LIGHT)],
)
def test_the_engine_declines_an_extra_throw_that_is_worse_than_none(
    path: Path, response: Response | None, side: Side
) -> None:
    def play(table: Table) -> None:
        table.throw("gsgs")
        table.board.service.submit(Answer(table.board.clock(), move="+A1"))
        table.wait(50)
        assert table.shot.has_extra_throw
        assert not table.shot.may_decline
        assert [each for each, _ in table.fake.requests if "extra" in each] == [
            {"position": str(table.shot.position), "extra": True}
        ]
        table.fake.respond(response, to="extra")
        table.wait(50)
        assert table.shot.side is side
        table.throw("g---")
        assert table.shot.rolled is not None
        assert table.shot.rolled.side is side

    Table(path).play(play, "finkel[decline=yes]")


def test_no_player_declines_the_engines_extra_throw(path: Path) -> None:
    def play(table: Table) -> None:
        table.throw("gsgs")
        table.board.service.submit(Answer(table.board.clock(), move="+A1"))
        table.wait(50)
        requested = table.board.request(Decline(table.board.clock(), Side.LIGHT))
        table.wait(50)
        [refused] = requested.result(timeout=0)
        assert isinstance(refused, Refused)
        assert (refused.code, table.shot.side) == ("no-extra-throw", Side.LIGHT)
        assert table.shot.has_extra_throw

    Table(path).play(play, "finkel[decline=yes]")


@pytest.mark.parametrize("seats", [("person", "engine:best"), ("engine:easy", "person"), BEST])
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("has_thrown", [False, True])
def test_only_a_person_gives_up(path: Path, seats: Seats, side: Side, has_thrown: bool) -> None:
    def play(table: Table) -> None:
        table.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT, seats=seats))
        table.wait(500)
        if has_thrown:
            table.throw("gsgs")
        requested = table.board.request(Resign(table.board.clock(), side))
        table.wait(50)
        [decision] = requested.result(timeout=0)
        if seats[side.number] == "person":
            assert isinstance(decision, Won)
            assert table.shot.phase is Phase.OVER
        else:
            assert isinstance(decision, Refused)
            assert (decision.what, decision.code) == ("resign", "engine-side")
            assert table.shot.phase is (Phase.MOVE if has_thrown else Phase.THROW)

    Table(path).play(play)


def test_the_engine_does_not_consider_an_extra_throw_that_must_be_made(path: Path) -> None:
    def play(table: Table) -> None:
        to_a_second_piece(table)
        assert not [each for each, _ in table.fake.requests if "extra" in each]

    Table(path).play(play)


def to_a_persons_choice(table: Table) -> None:
    """Begin a game of persons, and throw so that light has two moves."""
    table.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT, seats=PERSONS))
    table.wait(500)
    table.throw("gsgs")
    table.board.service.submit(Answer(table.board.clock(), move="+A1"))
    table.wait(50)
    table.throw("g---")


def test_a_hint_is_stored_shown_and_marked_in_the_record(path: Path) -> None:
    def play(table: Table) -> None:
        to_a_persons_choice(table)
        assert table.shot.may_hint
        table.board.order(AskHint())
        table.wait(50)
        _, on_response = table.fake.requests.pop()
        on_response(
            {"moves": [{"move": "+A4", "value": 0.6}, {"move": "A1-B1", "value": 0.57}], "by": "-"}
        )
        table.wait(50)
        assert table.shot.hint is not None
        assert (table.shot.hint.move, table.shot.hint.margin) == ("+A4", 3)
        table.board.service.submit(Answer(table.board.clock(), move="A1-B1"))
        table.wait(50)
        assert table.shot.hint is None

    Table(path).play(play)
    with Journal.open(path) as journal:
        record = record_text(build_record(entries_of(journal, 2), STARTED))
    assert "g--- A1-B1 {hint} {answered}" in record


def test_there_is_no_hint_for_the_engine_and_where_they_are_off(path: Path) -> None:
    def play(table: Table) -> None:
        to_a_second_piece(table)
        asked = table.board.order(AskHint())
        table.wait(50)
        with pytest.raises(UrpiError, match="no hint"):
            asked.result(timeout=0)
        table.board.service.new_game(Game(table.board.clock(), "finkel", hints=False))
        assert not table.shot.may_hint

    Table(path).play(play)


@pytest.mark.parametrize(
    "rules", slow_except(["finkel[pieces=3]", "ravensburger", "freecompany"], "finkel[pieces=3]")
)
def test_two_engines_play_at_the_virtual_table(tmp_path: Path, rules: str) -> None:
    setting = InteractiveSetting(parse_rules(rules), 5, 50.0, Side.LIGHT, seats=BEST)
    decided: list[object] = []
    deadline = time.monotonic() + DEADLINE_S
    with InteractiveService(setting, Config(), tmp_path / "games.sqlite") as service:
        service.subscribe(lambda _, decisions: decided.extend(decisions))
        while sum(isinstance(one, Planned) for one in decided) < 6:
            assert time.monotonic() < deadline, decided
            service.run()
    assert not [one for one in decided if isinstance(one, Planned) and one.move is None]


def test_queue_is_empty_of_requests_after_close() -> None:
    engine = EngineProcess((sys.executable, "-c", "import time; time.sleep(600)"))
    responses: SimpleQueue[Response | None] = SimpleQueue()
    engine.request({"position": POSITION}, responses.put)
    deadline = time.monotonic() + DEADLINE_S
    while engine._process is None:
        assert time.monotonic() < deadline
    engine.close()
    assert responses.get(timeout=DEADLINE_S) is None
    with pytest.raises(Empty):
        responses.get_nowait()
