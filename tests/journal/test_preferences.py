"""Preferences: what the players chose holds until the configuration says something new."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from urpi.journal import Journal, Preferences, load_preferences, store_preferences
from urpi.journal.repair import replace_damaged
from urpi.journal.schema import MIGRATIONS, migrate

CONFIGURED = Preferences("en", "off", "finkel")
CHOSEN = Preferences("hu", "tones", "murray[pieces=3]", "Ann", "Zoë")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def test_what_is_configured_holds_until_something_is_chosen(journal: Journal) -> None:
    assert load_preferences(journal, "board", CONFIGURED) == CONFIGURED


def test_what_was_chosen_holds_when_the_file_is_opened_again(journal: Journal, path: Path) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    with Journal.open(path) as again:
        assert load_preferences(again, "board", CONFIGURED) == CHOSEN


def test_a_later_choice_takes_the_place_of_an_earlier_one(journal: Journal) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    store_preferences(journal, "board", CONFIGURED, replace(CHOSEN, language="pt"))
    assert load_preferences(journal, "board", CONFIGURED).language == "pt"


def test_a_configuration_that_was_changed_since_holds_and_the_rest_stays(journal: Journal) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    edited = replace(CONFIGURED, language="pt")
    assert load_preferences(journal, "board", edited) == replace(CHOSEN, language="pt")


def test_every_table_has_its_own(journal: Journal) -> None:
    store_preferences(journal, "virtual", CONFIGURED, CHOSEN)
    assert load_preferences(journal, "board", CONFIGURED) == CONFIGURED


def test_a_file_of_version_2_has_none_and_takes_them(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:2])
    with Journal.open(path, create=False) as journal:
        assert load_preferences(journal, "board", CONFIGURED) == CONFIGURED
        store_preferences(journal, "board", CONFIGURED, CHOSEN)
        assert load_preferences(journal, "board", CONFIGURED) == CHOSEN


def test_they_are_saved_from_a_damaged_file(journal: Journal, path: Path) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    journal.close()
    new, _ = replace_damaged(path, datetime(2026, 11, 20, tzinfo=UTC))
    with new:
        assert load_preferences(new, "board", CONFIGURED) == CHOSEN
