"""Queries: filters for games, pages of games, and games with any number."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest

from urpi.journal import (
    Choice,
    Journal,
    find_game,
    games_before,
    has_board_games,
    has_virtual_games,
    list_games,
    players_of,
)
from urpi.journal.queries import LAST_ID

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Bo"}'
DAYS = (20, 21, 22)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A journal with a game on each of three days in local time."""
    with Journal.open(tmp_path / "journal.db") as opened:
        for day in DAYS:
            line = GAME.replace("finkel", "bell") if day == 21 else GAME
            line = line.replace("Bo", "Cy") if day == 22 else line
            noon = datetime(2026, 11, day, 12).astimezone()
            opened.new_game(line, noon.isoformat(), "1", {})
        yield opened


@pytest.mark.parametrize(
    ("choice", "games"),
    [
        (Choice(), [3, 2, 1]),
        (Choice(player="Ann"), [3, 2, 1]),
        (Choice(player="Cy"), [3]),
        (Choice(player="Dee"), []),
        (Choice(rules="bell"), [2]),
        (Choice(rules="finkel", player="Bo"), [1]),
        (Choice(since=date(2026, 11, 21)), [3, 2]),
        (Choice(until=date(2026, 11, 21)), [2, 1]),
        (Choice(since=date(2026, 11, 21), until=date(2026, 11, 21)), [2]),
    ],
)
def test_a_choice_filters_games(journal: Journal, choice: Choice, games: list[int]) -> None:
    assert [game.id for game in list_games(journal, choice)] == games
    assert [game.id for game in games_before(journal, LAST_ID, 9, choice)] == games


@pytest.mark.parametrize("name", ["table", "table_there"])
def test_games_of_virtual_tables_are_told_apart(journal: Journal, name: str) -> None:
    now = datetime(2026, 11, 23, 12).astimezone().isoformat()
    assert not has_virtual_games(journal)
    assert has_board_games(journal)
    board = journal.new_game(GAME, now, "1", {name: "board"})
    assert not has_virtual_games(journal)
    virtual = journal.new_game(GAME, now, "1", {name: "virtual", "language": "virtual"})
    assert has_virtual_games(journal)
    tables = {game.id: game.table for game in list_games(journal)}
    assert tables == {virtual: "virtual", board: "board"} | dict.fromkeys((3, 2, 1))
    without = Choice(virtual=False)
    assert [game.id for game in list_games(journal, without)] == [board, 3, 2, 1]
    assert [game.id for game in games_before(journal, LAST_ID, 2, without)] == [board, 3]


def test_pages_of_games_continue_before_the_last_one(journal: Journal) -> None:
    assert [game.id for game in games_before(journal, LAST_ID, 2)] == [3, 2]
    assert [game.id for game in games_before(journal, 2, 2)] == [1]
    assert games_before(journal, 1, 2) == ()


def test_a_game_with_the_greatest_number_is_found(journal: Journal) -> None:
    journal.rows(
        "INSERT INTO games VALUES (?, '2026-11-23T12:00:00+00:00', '1', 'finkel', '', '')", LAST_ID
    )
    assert find_game(journal, LAST_ID).id == 2**63 - 1


@pytest.mark.parametrize("kinds", [(), ("virtual",), ("board",), ("virtual", "board", "virtual")])
def test_games_of_boards_and_their_players_are_told_apart(
    tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    now = datetime(2026, 11, 23, 12).astimezone().isoformat()
    with Journal.open(tmp_path / "games.db") as journal:
        for number, kind in enumerate(kinds):
            names = f'"light":"{kind}-{number}","dark":"{kind}"'
            fact = '{"t":0,"type":"game","rules":"finkel","options":{},' + names + "}"
            journal.new_game(fact, now, "1", {"table": kind})
        assert has_board_games(journal) is ("board" in kinds)
        for virtual in (False, True):
            named = [kind for kind in kinds if virtual or kind == "board"]
            players = players_of(journal, 9, virtual=virtual)
            assert {name.partition("-")[0] for name in players} == set(named)
