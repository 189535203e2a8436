"""Answers to exercises: stored once, in their order, and saved from a damaged journal."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from tests.journal.games import GAME
from urpi.core.errors import UrpiError
from urpi.journal import (
    DamagedError,
    Journal,
    StoredAnswer,
    anonymise_player,
    back_up,
    check_answers,
    list_games,
    read_answers,
    store_answer,
)
from urpi.journal.migrations import MIGRATIONS, append_only
from urpi.journal.repair import replace_damaged
from urpi.journal.schema import migrate

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
ANSWER = StoredAnswer(1, 7, "2026-11-22T10:00:00+01:00", "A4-A2", good=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with two games."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        for _ in range(2):
            game = journal.new_game(GAME, NOW.isoformat(), "1", {"table": "board"})
            journal.finish(game, NOW.isoformat())
    return path


def test_answers_are_read_in_the_order_in_which_they_were_given(path: Path) -> None:
    random = Random(3)
    given = [
        StoredAnswer(
            random.choice((1, 2)),
            random.randrange(1, 200),
            # Clocks that jump back change no order.
            datetime.fromtimestamp(random.randrange(2_000_000_000), UTC).isoformat(),
            random.choice(("+A4", "B1xB3", "A7-off")),
            random.random() < 0.5,
        )
        for _ in range(50)
    ]
    with Journal.open(path) as journal:
        for one in given:
            store_answer(journal, one)
        # A write that is repeated after an outage changes nothing.
        for one in given[::3]:
            store_answer(journal, one)
        assert read_answers(journal) == given
    with Journal.open(path) as journal:
        assert read_answers(journal) == given


def test_an_answer_to_a_game_that_is_not_there_is_refused(path: Path) -> None:
    with Journal.open(path) as journal:
        with pytest.raises(UrpiError, match="has no game 3"):
            store_answer(journal, replace(ANSWER, game=3))
        with pytest.raises(UrpiError, match="must look like"):
            store_answer(journal, replace(ANSWER, at="yesterday"))
        assert read_answers(journal) == []


def test_a_changed_answer_is_damage_and_the_others_are_saved(path: Path) -> None:
    others = [replace(ANSWER, throw=throw, game=2, good=True) for throw in (1, 2)]
    with Journal.open(path) as journal:
        for one in (others[0], ANSWER, others[1]):
            store_answer(journal, one)
        check_answers(journal)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER answers_not_UPDATE")
        db.execute("UPDATE answers SET good = 1 WHERE game = 1")
        db.execute(append_only("answers")[0])
    with Journal.open(path) as journal, pytest.raises(DamagedError, match="an answer"):
        check_answers(journal)
    new, damage = replace_damaged(path, NOW)
    with new as journal:
        assert read_answers(journal) == others
    assert damage.saved == 2


def test_a_backup_has_the_answers_and_a_player_without_a_name_keeps_them(path: Path) -> None:
    with Journal.open(path) as journal:
        store_answer(journal, ANSWER)
        anonymise_player(journal, list_games(journal)[0].light, "Player 1")
        assert read_answers(journal) == [ANSWER]
    copy = path.with_name("copy.db")
    back_up(path, copy)
    with Journal.open(copy) as journal:
        assert read_answers(journal) == [ANSWER]


@pytest.mark.parametrize("version", [1, 2])
def test_a_journal_from_before_answers_gets_their_table(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:version])
    with Journal.open(path) as journal:
        assert read_answers(journal) == []
        journal.new_game(GAME, NOW.isoformat(), "1", {})
        store_answer(journal, ANSWER)
        assert read_answers(journal) == [ANSWER]
