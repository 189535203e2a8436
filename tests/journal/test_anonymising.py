"""Anonymising: a name is replaced in all games, and erased from the files."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.journal.games import GAME, STARTED, lines_of, store_ended_game, store_game
from urpi.core.errors import UrpiError
from urpi.journal import (
    CheckVerdict,
    Journal,
    Keeper,
    anonymise_player,
    check_contents,
    check_game,
    entries_of,
    find_game,
    import_record,
    list_games,
    settings_of,
    stored_record,
    unused_name,
)
from urpi.journal.files import companion
from urpi.rules.record import record_text

NOW = datetime.fromisoformat(STARTED) + timedelta(days=100)
NAME = "Zoë Ångström"
RECORD = f"""\
[Event "{NAME}'s birthday"]
[Rules "finkel"]
[Light "{NAME}"]
[Dark "Bo"]

1. L gs-- {{{NAME}, at last}} +A3 {{good, {NAME}}}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return store_ended_game(tmp_path)


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A journal with the name in every place where it can occur."""
    path = tmp_path / "named.db"
    with Journal.open(path) as journal:
        import_record(journal, RECORD, NOW, "1.0.0")
        escaped = NAME.replace("ë", "\\u00eb")
        opening = GAME.replace("Bo", escaped)
        game = journal.new_game(opening, STARTED, "1.0.0", {})
        warning = (
            f'{{"t":5,"type":"warning","side":"dark","code":"must-move","squares":[],'
            f'"text":"{NAME} can move.","fix":{{"fill":[],"clear":[]}}}}'
        )
        journal.append(game, ['{"t":5,"type":"time"}'], [warning])
        journal.new_game(GAME.replace("Bo", f"{NAME}sson"), STARTED, "1.0.0", {})
    return path


def test_a_name_is_replaced_in_all_games(named: Path) -> None:
    with Journal.open(named) as journal:
        assert unused_name(journal) == "Player 1"
        assert anonymise_player(journal, NAME, "Player 1") == 2
        assert [(game.light, game.dark) for game in list_games(journal)] == [
            ("Ann", f"{NAME}sson"),
            ("Ann", "Player 1"),
            ("Player 1", "Bo"),
        ]
        assert record_text(stored_record(journal, 1)) == RECORD.replace(NAME, "Player 1")
        assert check_game(journal, 1).verdict is CheckVerdict.SAME
    assert [line for line in lines_of(named, 2) if "Zo" in line] == []
    assert lines_of(named, 2)[-1].count("Player 1 can move.") == 1


def test_a_name_is_erased_from_the_bytes_of_the_file(named: Path) -> None:
    with Journal.open(named) as journal:
        rows = journal.rows(
            "SELECT lines FROM batches"
            " WHERE instr(unpacked(lines), ?) OR instr(unpacked(lines), '\\u00eb')",
            NAME,
        )
        with_it = [bytes(lines) for (lines,) in rows]
        assert len(with_it) >= 4
        anonymise_player(journal, NAME, "Player 1")
    content = b"".join(file.read_bytes() for file in named.parent.glob("named.db*"))
    third = f"{NAME}sson".encode()
    assert content.replace(third, b"").count(NAME.encode()) == 0
    kept = [blob for blob in with_it if blob in content]
    assert len(kept) == 1, "only the line of the third game, with a longer name, remains"


def bytes_of(path: Path) -> bytes:
    """The bytes of a journal and of all files beside it."""
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_a_name_is_erased_from_the_log_of_a_running_keeper(path: Path) -> None:
    keeper = Keeper.open(path, NOW)
    line = f'{{"t":9,"type":"answer","move":"","text":"{NAME}"}}'
    for _ in range(3):
        keeper.begin(GAME.replace("Bo", NAME), STARTED, "1", {}, NOW)
        keeper.append([line], [], NOW, ended=STARTED)
    log = companion(path, "-wal")
    assert log.read_bytes().count(NAME.encode()) > 0
    with Journal.open(path) as journal:
        assert anonymise_player(journal, NAME, "Player 1") == 3

    assert NAME.encode() not in bytes_of(path)
    assert log.stat().st_size == 0
    keeper.append(['{"t":10,"type":"time"}'], [], NOW)
    assert keeper.outage is None
    keeper.close(NOW)
    assert lines_of(path, 4)[1:] == [line.replace(NAME, "Player 1"), '{"t":10,"type":"time"}']
    with Journal.open(path) as journal:
        check_contents(journal)


def test_a_name_that_stays_in_a_log_because_of_a_reader_is_reported(path: Path) -> None:
    keeper = Keeper.open(path, NOW)
    keeper.begin(GAME.replace("Bo", NAME), STARTED, "1", {}, NOW)
    keeper.append([], [], NOW, ended=STARTED)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        with (
            Journal.open(path, busy_s=0.01) as journal,
            pytest.raises(UrpiError, match=r"may still be in .*journal.db-wal until"),
        ):
            anonymise_player(journal, NAME, "Player 1")
    keeper.close(NOW)
    assert NAME.encode() not in bytes_of(path)


def test_a_name_that_is_a_keyword_of_the_format_is_not_replaced_there(journal: Journal) -> None:
    opening = GAME.replace('"Ann"', '"light"').replace('"Bo"', '"A1"')
    game = journal.new_game(opening, STARTED, "1.0.0", {})
    journal.append(game, ['{"t":5,"type":"resign","side":"light"}'])
    anonymise_player(journal, "light", "Player 1")
    anonymise_player(journal, "A1", "Player 2")
    assert find_game(journal, game).light == "Player 1"
    assert entries_of(journal, game)[-1].line == '{"t":5,"type":"resign","side":"light"}'


def test_a_name_is_erased_from_the_preferences(path: Path) -> None:
    line = GAME.replace("Bo", NAME)
    rows = [
        ("board", "light", "Ann", NAME),
        ("board", "dark", NAME, ""),
        ("board", "consents", f'{{"Ann":1,"{NAME}":0}}', "{}"),
        ("board", "rules", "finkel", "finkel"),
    ]
    with Journal.open(path) as journal:
        journal.new_game(line, STARTED, "1.0.0", {})
        journal.append(2, [], ended=STARTED)
        journal.store_preferences(rows)
        anonymise_player(journal, NAME, "Player 1")
        assert sorted(journal.preferences()) == [
            ("board", "consents", '{"Ann":1}', "{}"),
            ("board", "dark", "", ""),
            ("board", "light", "Ann", ""),
            rows[3],
        ]
    assert NAME.encode() not in bytes_of(path)


def test_a_name_without_games_is_reported(journal: Journal) -> None:
    with pytest.raises(UrpiError, match=r"No player in .* is called 'Nobody'"):
        anonymise_player(journal, "Nobody", "Player 1")


def test_an_empty_name_is_rejected(journal: Journal) -> None:
    store_game(journal, "finkel", seed=3, longest=20)
    with pytest.raises(UrpiError, match="A player without a name has no name to replace"):
        anonymise_player(journal, "", "Player 1")


def test_a_player_with_a_game_in_progress_keeps_the_name(journal: Journal) -> None:
    game = journal.new_game(GAME, STARTED, "1.0.0", {"table": "board"})
    with pytest.raises(UrpiError, match=f"plays game {game}, which may still be running"):
        anonymise_player(journal, "Bo", "Player 1")
    assert settings_of(journal, game) == {"table": "board"}
