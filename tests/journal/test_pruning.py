"""Pruning: the edges of old games are removed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.journal.games import GAME, STARTED, store_ended_game
from urpi.core.errors import UrpiError
from urpi.journal import (
    CheckVerdict,
    Journal,
    check_game,
    entries_of,
    prunable,
    prune_game,
    stored_record,
)
from urpi.rules.record import record_text

BEGUN = datetime.fromisoformat(STARTED)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(store_ended_game(tmp_path)) as opened:
        yield opened


def test_pruning_removes_edges_and_nothing_else(journal: Journal) -> None:
    before = entries_of(journal, 1)
    record = record_text(stored_record(journal, 1))
    removed = prune_game(journal, 1, "2027-02-28")
    gone = [entry for entry in before if '"type":"occupancy"' in entry.line]
    assert removed == len(gone) > 20
    assert entries_of(journal, 1) == tuple(entry for entry in before if entry not in gone)
    assert record_text(stored_record(journal, 1)) == record


def test_the_check_of_a_pruned_game_reports_that_it_is_pruned(journal: Journal) -> None:
    prune_game(journal, 1, "2027-02-28")
    checked = check_game(journal, 1)
    assert (checked.verdict, checked.replay) == (CheckVerdict.PRUNED, None)
    assert checked.why == "its edges were pruned on 2027-02-28; what was decided is kept"


def test_old_games_are_prunable_once_if_they_are_not_in_progress(journal: Journal) -> None:
    journal.new_game(GAME, STARTED, "1", {"table": "board"})
    journal.new_game(GAME, STARTED, "1", {"table": "board"})
    assert [game.id for game in prunable(journal, BEGUN)] == []
    later = BEGUN + timedelta(seconds=1)
    assert [game.id for game in prunable(journal, later)] == [1, 2]
    prune_game(journal, 1, "2027-02-28")
    assert [game.id for game in prunable(journal, later)] == [2]
    journal.finish(3, STARTED)
    assert [game.id for game in prunable(journal, later)] == [2, 3]


def test_a_game_begun_before_the_clock_was_set_is_as_old_as_the_next(tmp_path: Path) -> None:
    never_set = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)
    dates = [never_set, BEGUN, never_set, BEGUN + timedelta(days=100), never_set]
    with Journal.open(tmp_path / "journal.db") as journal:
        for date in dates:
            journal.finish(journal.new_game(GAME, date.isoformat(), "1", {}), date.isoformat())
        old = journal.new_game(GAME, "1999-01-01T00:00:00+00:00", "1", {"imported": "now"})
        journal.finish(old, "1999-01-01T00:00:00+00:00")

        def pruned(days: int) -> list[int]:
            return [game.id for game in prunable(journal, BEGUN + timedelta(days=days))]

        assert pruned(0) == [6]
        assert pruned(1) == [1, 2, 6]
        assert pruned(101) == [1, 2, 3, 4, 6]


def test_stored_rows_cannot_be_changed_after_pruning(journal: Journal) -> None:
    prune_game(journal, 1, "2027-02-28")
    for change in ("DELETE FROM batches", "UPDATE games SET light = ''", "DELETE FROM settings"):
        with pytest.raises(UrpiError, match="never changed"):
            journal.rows(change)
