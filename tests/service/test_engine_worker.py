"""The engine's process from within: which values it responds with, and how it reports errors."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.engine.exact.made import made_table
from tests.engine.test_evaluator import extra_throws
from urpi.core.errors import UrpiError
from urpi.engine.analysis import analyse
from urpi.engine.evaluator import (
    EvaluatorKind,
    Lookahead,
    deep_move_values,
    expected_value,
    move_values,
)
from urpi.engine.exact.installed import Installed, file_name
from urpi.engine.levels import level_move
from urpi.engine.network_file import network
from urpi.engine.review import best_and_loss
from urpi.engine.review.values import ReviewValues
from urpi.rules import PASS, Position, Side, parse_move, parse_position, parse_rules
from urpi.service import engine_worker
from urpi.service.engine_worker import Worker

POSITION = "finkel[pieces=3] A1:L,B4:D L2D2 L0D0 L"
FACES = "gs--"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An installed table whose values are known without solving a game."""
    tables = tmp_path / "tables"
    tables.mkdir()
    source = made_table(tmp_path / "made.table", "finkel[pieces=3]")
    Installed(tables).install(source)
    return tables


def ask(folder: Path, position: str = POSITION, **request: Any) -> dict[str, Any]:
    return Worker(folder).respond(json.dumps({"position": position, **request}))


def test_values_come_from_the_installed_table(folder: Path) -> None:
    position = parse_position(POSITION)
    table = Installed(folder).open(position.rules)
    assert table is not None
    throw = position.rules.dice.throw(FACES)

    assert ask(folder) == {"value": table.value(position), "by": "exact"}
    listed = move_values(table, position, throw)
    assert len(listed) > 1
    moves = [{"move": one.move.text, "value": one.value} for one in listed]
    assert ask(folder, faces=FACES) == {"moves": moves, "by": "exact"}


@pytest.mark.parametrize("rules", ["skiryuk[decline=yes]", "bell[decline=yes]"])
def test_an_extra_throw_is_declined_where_the_opponents_throw_is_worth_more(
    tmp_path: Path, rules: str
) -> None:
    made, random = Lookahead(network(parse_rules(rules))), Random(rules)
    answers = set()
    # In skiryuk the opponent's throw is often worth more, in bell hardly ever.
    for position in extra_throws(parse_rules(rules), random, 25):
        declined = 1 - made.value(position.rules.decline(position))
        better = declined > made.value(position)
        assert ask(tmp_path, str(position), extra=True) == {"declines": better}
        answers.add(better)
    assert (True in answers) is rules.startswith("skiryuk")


def test_without_a_table_the_network_looks_one_throw_ahead(tmp_path: Path) -> None:
    position = parse_position(POSITION)
    made = network(position.rules)
    throw = position.rules.dice.throw(FACES)

    assert ask(tmp_path) == {"value": expected_value(made, position), "by": "network"}
    listed = deep_move_values(made, position, throw)
    assert listed != move_values(made, position, throw)
    moves = [{"move": one.move.text, "value": one.value} for one in listed]
    assert ask(tmp_path, faces=FACES) == {"moves": moves, "by": "network"}


@pytest.mark.parametrize("chance", [0.0, 0.7, 0.999])
@pytest.mark.parametrize("level", ["beginner", "medium", "best"])
def test_a_level_chooses_by_the_passed_chance(tmp_path: Path, level: str, chance: float) -> None:
    position = parse_position(POSITION)
    throw = position.rules.dice.throw(FACES)
    chosen = level_move(level, network(position.rules), position, throw, chance, frozenset())

    assert ask(tmp_path, faces=FACES, level=level, chance=chance) == {"move": chosen.text}


def test_a_played_move_is_compared_with_the_best_one(folder: Path) -> None:
    position = parse_position(POSITION)
    table = Installed(folder).open(position.rules)
    assert table is not None
    throw = position.rules.dice.throw(FACES)
    for move in position.rules.legal_moves(position, throw):
        best, loss = best_and_loss(table, position, throw, parse_move(move.text))
        expected = {"best": best.text, "loss": loss, "by": "exact"}
        assert ask(folder, faces=FACES, played=move.text) == expected


def test_a_damaged_table_is_reported_and_replaced_by_the_network(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / file_name("finkel[pieces=3]")).write_bytes(b"nonsense")

    assert ask(folder)["by"] == "network"
    error = capsys.readouterr().err
    assert file_name("finkel[pieces=3]") in error
    assert error.endswith("The network is used instead.\n")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "Expecting property name"),
        ("[]", "list indices"),
        ("{}", "position"),
        ('{"position": "chess"}', "chess"),
        (json.dumps({"position": POSITION, "faces": "g"}), "g"),
        (json.dumps({"position": POSITION, "faces": FACES, "level": "best"}), "chance"),
        (json.dumps({"position": POSITION, "faces": FACES, "played": "+Z9"}), "Z9"),
        (
            json.dumps({"position": POSITION, "faces": FACES, "played": "A1-B8"}),
            rf"^The move A1-B8 is not legal after the throw {FACES}\.$",
        ),
    ],
)
def test_an_invalid_request_is_answered_by_an_error(tmp_path: Path, line: str, error: str) -> None:
    response = Worker(tmp_path).respond(line)

    assert list(response) == ["error"]
    assert re.search(error, response["error"]), response


def test_each_rule_set_is_opened_once(folder: Path) -> None:
    worker = Worker(folder)
    first = worker.respond(json.dumps({"position": POSITION}))
    (folder / file_name("finkel[pieces=3]")).unlink()

    assert worker.respond(json.dumps({"position": POSITION})) == first


@pytest.mark.parametrize("faces", [None, "gs--"])
def test_an_analysis_has_all_values_of_a_review(folder: Path, faces: str | None) -> None:
    position = parse_position(POSITION)
    table = Installed(folder).open(position.rules)
    assert table is not None
    throw = None if faces is None else position.rules.dice.throw(faces)
    request = {} if faces is None else {"faces": faces}
    assert ask(folder, analysis=True, **request) == analyse(
        ReviewValues(table), position, throw
    ).document(throw)


def test_few_values_of_former_analyses_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_worker, "MAX_VALUES", 50)
    worker, random = Worker(tmp_path), Random(4)
    position = parse_rules("finkel").start(Side.LIGHT)
    for _ in range(20):
        request = json.dumps({"position": str(position), "analysis": True})
        assert worker.respond(request) == Worker(tmp_path).respond(request)
        # Those of one position are added after the others are counted.
        assert sum(map(len, worker._analysed.values())) < 50 + 30
        throw = position.rules.dice.roll(random.random())
        move = random.choice(position.rules.legal_moves(position, throw) or (PASS,))
        position = position.rules.play(position, throw, move)


class Incomplete:
    """A table that lacks every position."""

    kind: EvaluatorKind = "exact"

    @staticmethod
    def value(position: Position) -> float:
        message = f"The table does not contain {position}."
        raise UrpiError(message)


def test_a_position_that_the_table_lacks_is_analysed_by_the_network(tmp_path: Path) -> None:
    worker, position = Worker(tmp_path), parse_position("murray B4:L L6D7 L0D0 L")
    worker._opened[position.rules.text] = Incomplete()
    request = {"position": str(position), "faces": "g--", "analysis": True}
    found = worker.respond(json.dumps(request))
    throw = position.rules.dice.throw("g--")
    assert found == analyse(ReviewValues(network(position.rules)), position, throw).document(throw)
    illegal = worker.respond(json.dumps({**request, "move": "B5-B4"}))
    assert "not legal" in illegal["error"]
