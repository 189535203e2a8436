"""What a table publishes is read as it was meant, and anything else is rejected by name."""

import json
from pathlib import Path

import pytest

from tests.journal.games import STARTED, StoredGame
from urpi.club.web.table_state import parse_state
from urpi.core.errors import UrpiError
from urpi.journal import Journal
from urpi.link.broker.state_message import TableState, state_message
from urpi.referee import Phase, Snapshot
from urpi.referee.clock import parse_time_control
from urpi.referee.facts import Answer, Game, Resign
from urpi.rules import Side


@pytest.fixture
def game(tmp_path: Path) -> StoredGame:
    game = StoredGame(
        Journal.open(tmp_path / "j.db"), Game(0, "finkel", "Ann", "Zoë", first=Side.LIGHT)
    )
    game.apply_reading(1000)
    game.apply(Answer(2000, faces="gs--"))
    return game


def message_of(game: StoredGame) -> bytes:
    return state_message(TableState(4, game.now), STARTED, {})


def changed(message: bytes, **values: object) -> bytes:
    return json.dumps({**json.loads(message), **values}).encode()


def test_a_state_is_drawn_with_the_keys_of_a_tables_own_page(game: StoredGame) -> None:
    found = parse_state(message_of(game)).document()
    assert (found["game"], found["phase"], found["side"]) == (4, "move", "light")
    assert found["throw"]["value"] == 2
    assert found["position"]["hand"] == {"light": 7, "dark": 7}
    assert found["rules"]["id"] == "finkel"
    assert found["players"] == {"light": "", "dark": ""}
    assert (found["result"], found["last"]) == (None, "")


def test_a_move_is_marked_and_an_end_has_its_winner(game: StoredGame) -> None:
    game.apply(Answer(3000, move=game.now.legal[0]))
    assert parse_state(message_of(game)).last == game.now.last.move
    game.apply(Resign(4000, Side.LIGHT))
    assert parse_state(message_of(game)).result == "dark"


def test_a_table_before_its_first_game_has_no_board() -> None:
    message = state_message(TableState(None, Snapshot(Phase.NO_GAME)), STARTED, {})
    found = parse_state(message).document()
    assert (found["game"], found["position"], found["rules"]) == (None, None, None)


def test_names_are_shown_if_the_state_has_them(game: StoredGame) -> None:
    message = state_message(TableState(4, game.now), STARTED, {"dark": "Zoë"})
    assert parse_state(message).document()["players"] == {"light": "", "dark": "Zoë"}


def test_a_state_has_the_times_that_are_left_when_it_is_sent(tmp_path: Path) -> None:
    opening = Game(
        0,
        "finkel",
        first=Side.LIGHT,
        clock=parse_time_control("1+5"),
        seats=("person", "engine:easy"),
    )
    game = StoredGame(Journal.open(tmp_path / "c.db"), opening)
    game.apply_reading(1000)
    game.apply(Answer(2000, faces="gs--"))
    state = TableState(4, game.now.at(12_000))
    message = state_message(state, STARTED, {}, passed_ms=7_000)
    assert parse_state(message).document()["clock"] == {
        "control": "1+5",
        "running": "light",
        "left_ms": {"light": 43_000, "dark": None},
    }


def test_a_state_without_a_clock_has_none(game: StoredGame) -> None:
    assert "clock" not in json.loads(message_of(game))
    assert "clock" not in parse_state(message_of(game)).document()


def test_unknown_keys_are_ignored(game: StoredGame) -> None:
    message = changed(message_of(game), temperature=21, last={"type": "later", "x": []})
    assert parse_state(message).last == ""


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"at": "2026-11-20"}, "time of a state"),
        ({"phase": "lunch"}, "phase"),
        ({"position": "nonsense"}, "nonsense"),
        ({"position": None}, "must have a position"),
        ({"throw": {"faces": "gggggg", "value": 6}}, "cannot show"),
        ({"turn": "red"}, "turn"),
        ({"names": {"light": "x" * 201}}, "light"),
        ({"outcome": {"type": "won", "side": None}}, "must have a side"),
        ({"format": 2}, "format"),
        ({"clock": {"running": "red", "left_ms": {"light": 1, "dark": 1}}}, "running"),
        ({"clock": {"running": None, "left_ms": {"light": -1, "dark": 1}}}, "light"),
        ({"clock": "1+5"}, "clock"),
        ({"padding": "x" * 40_000}, "at most"),
    ],
)
def test_a_wrong_value_is_rejected_by_name(
    game: StoredGame, values: dict[str, object], named: str
) -> None:
    with pytest.raises(UrpiError, match=named):
        parse_state(changed(message_of(game), **values))


def test_the_value_of_a_throw_follows_from_its_faces(game: StoredGame) -> None:
    message = changed(message_of(game), throw={"faces": "gs--", "value": 9})
    assert parse_state(message).document()["throw"]["value"] == 2
