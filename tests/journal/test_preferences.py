"""Preferences: a choice applies until the configured value changes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from urpi.journal import Journal, Preferences, load_preferences, store_preferences
from urpi.journal.repair import replace_damaged

CONFIGURED = Preferences("en", "off", "finkel")
CHOSEN = Preferences("hu", "tones", "murray[pieces=3]", "Ann", "Zoë")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def test_the_configuration_applies_until_something_is_chosen(journal: Journal) -> None:
    assert load_preferences(journal, "board", CONFIGURED) == CONFIGURED


def test_a_choice_applies_when_the_file_is_opened_again(journal: Journal, path: Path) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    with Journal.open(path) as again:
        assert load_preferences(again, "board", CONFIGURED) == CHOSEN


def test_a_later_choice_replaces_an_earlier_one(journal: Journal) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    store_preferences(journal, "board", CONFIGURED, replace(CHOSEN, language="pt"))
    assert load_preferences(journal, "board", CONFIGURED).language == "pt"


def test_a_value_configured_after_the_choice_applies_and_other_choices_remain(
    journal: Journal,
) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    edited = replace(CONFIGURED, language="pt")
    assert load_preferences(journal, "board", edited) == replace(CHOSEN, language="pt")


def test_each_table_has_preferences_of_its_own(journal: Journal) -> None:
    store_preferences(journal, "virtual", CONFIGURED, CHOSEN)
    assert load_preferences(journal, "board", CONFIGURED) == CONFIGURED


def test_preferences_are_saved_from_a_damaged_file(journal: Journal, path: Path) -> None:
    store_preferences(journal, "board", CONFIGURED, CHOSEN)
    journal.close()
    new, _ = replace_damaged(path, datetime(2026, 11, 20, tzinfo=UTC))
    with new:
        assert load_preferences(new, "board", CONFIGURED) == CHOSEN
