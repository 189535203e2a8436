"""A real club verifies a game lost on time, and finds a claimed loss that its times contradict."""

import json
from contextlib import closing
from datetime import UTC, datetime

import pytest

from tests.club_live.running import Database
from tests.journal.games import StoredGame
from urpi.club.server.database import connect, next_to_verify, store_of, store_verdict
from urpi.club.server.migrations import migrate
from urpi.club.server.months import create_months
from urpi.club.server.verification import examine
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines
from urpi.referee.clock import parse_time_control
from urpi.referee.facts import Answer, Game, Time
from urpi.rules import Side

STARTED = "2026-11-20T12:00:00+00:00"


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, str]]:
    """The lines of a game that light has lost on time, and its settings."""
    with Journal.open(tmp_path_factory.mktemp("games") / "j.db") as journal:
        game = Game(0, "finkel", "Ann", "Bo", first=Side.LIGHT, clock=parse_time_control("1+5"))
        stored = StoredGame(journal, game)
        stored.apply_reading(100)
        stored.apply(Time(1_000))
        stored.apply(Answer(2_000, faces="gg--"))
        stored.apply(Answer(32_000, move="+A3"))
        stored.apply(Answer(40_000, faces="g---"))
        stored.apply(Answer(41_000, move="+C4"))
        stored.apply(Time(41_000 + 35_000))
        lines = [without_names(entry.line) for entry in entries_of(journal, stored.number)]
        return lines, settings_of(journal, stored.number) or {}


def received(database: Database, lines: list[str], settings: dict[str, str]) -> tuple[str, str]:
    """Return the verdict of a club that has received a game, and the result that it stores."""
    head = GameHead(1, STARTED, "1.0.0", "finkel", settings)
    names = {"light": "Ann", "dark": "Bo"}
    with closing(connect(database.url)) as connection:
        migrate(connection)
        create_months(connection, datetime.now(UTC).date())
        message = Lines(1, head.key, 1, head.key, tuple(lines), head, names, STARTED)
        with store_of(connection, "lisbon") as store:
            assert isinstance(receive(store, message), Ack)
        game = next_to_verify(connection)
        assert game is not None
        store_verdict(connection, game.table, game.history, examine(game.head, game.lines))
    ((verdict, result),) = database.rows("SELECT verdict, result FROM histories")
    return str(verdict), str(result)


def changed(lines: list[str], kind: str, **values: object) -> list[str]:
    """Return the lines with other values in those of a type."""
    objects = [json.loads(line) for line in lines]
    return [
        json.dumps({**one, **values}, separators=(",", ":")) if one["type"] == kind else line
        for one, line in zip(objects, lines, strict=True)
    ]


def test_a_game_lost_on_time_is_verified(
    database: Database, lost: tuple[list[str], dict[str, str]]
) -> None:
    lines, settings = lost
    assert json.loads(lines[-1]) == {"t": 76_000, "type": "won", "side": "dark", "code": "time"}
    assert received(database, lines, settings) == ("verified", "dark")


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(lambda lines: changed(lines, "game", clock="2"), id="more time"),
        pytest.param(lambda lines: changed(lines, "game", clock="1+9"), id="a longer increment"),
        pytest.param(lambda lines: changed(lines, "won", t=70_000), id="earlier"),
        pytest.param(lambda lines: changed(lines, "won", side="light"), id="the other side"),
        pytest.param(
            lambda lines: [*lines[:-2], *changed(lines[-2:], "time", t=75_000)], id="not yet over"
        ),
    ],
)
def test_a_claimed_loss_that_the_times_contradict_is_found(
    database: Database, lost: tuple[list[str], dict[str, str]], forged: object
) -> None:
    lines, settings = lost
    assert received(database, forged(lines), settings)[0] == "differs"


def test_a_game_that_hides_a_loss_on_time_is_found(
    database: Database, lost: tuple[list[str], dict[str, str]]
) -> None:
    lines, settings = lost
    later = ['{"t":90000,"type":"resign","side":"dark"}']
    end = '{"t":90000,"type":"won","side":"light","code":"resigned"}'
    assert received(database, [*lines[:-2], *later, end], settings)[0] == "differs"
