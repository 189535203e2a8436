"""The preferences of a table: configured, stored, changed, and no longer supported."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.service_desk import STARTED
from urpi.config import Config, SoundSection, TableSection
from urpi.errors import UrpiError
from urpi.journal import Journal, Keeper, Preferences, store_preferences
from urpi.service import preferences
from urpi.service.preferences import (
    TablePreferences,
    available_sounds,
    configured_preferences,
    stored_preferences,
)

CONFIG = Config(
    table=TableSection(
        rules="murray", options={"pieces": "3"}, light="Ann", dark="Bob", language="hu"
    ),
    sound=SoundSection(buzzer=True, buzzer_pin=14),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def make(path: Path) -> Callable[[], TablePreferences]:
    """Return a function that loads the preferences as a new program does."""
    return lambda: TablePreferences(CONFIG, Keeper.open(path, STARTED), "board", lambda: STARTED)


@pytest.fixture(autouse=True)
def without_speech(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not let the tests depend on whether this machine has espeak-ng."""
    monkeypatch.setattr(preferences, "can_speak", lambda: False)


def test_without_stored_ones_the_configured_preferences_apply(
    make: Callable[[], TablePreferences],
) -> None:
    assert make().current == Preferences("hu", "tones", "murray[pieces=3]", "Ann", "Bob")
    assert configured_preferences(CONFIG) == make().current


def test_a_change_applies_at_once_and_after_a_restart(make: Callable[[], TablePreferences]) -> None:
    table = make()
    changed = replace(table.current, language="fr", sound="off", light="Zoë")
    table.change(changed)

    assert table.current == changed
    assert table.words.language == "fr"
    assert make().current == changed


def test_an_unknown_language_changes_nothing(make: Callable[[], TablePreferences]) -> None:
    table = make()
    before = table.current

    with pytest.raises(UrpiError, match="no translation for the language 'tlh'"):
        table.change(replace(before, language="tlh"))

    assert (table.current, table.words.language, make().current) == (before, "hu", before)


@pytest.mark.parametrize(
    ("sound", "buzzer", "speech"),
    [
        ("off", False, False),
        ("tones", True, False),
        ("speech", False, True),
        ("both", True, True),
    ],
)
def test_the_preferred_sound_and_language_are_those_of_the_configuration_in_use(
    make: Callable[[], TablePreferences], sound: str, buzzer: bool, speech: bool
) -> None:
    table = make()
    table.change(replace(table.current, sound=sound, language="fr"))

    config = table.config
    assert (config.sound.buzzer, config.sound.speech) == (buzzer, speech)
    assert config.table.language == "fr"
    assert config.sound.buzzer_pin == 14


@pytest.mark.parametrize(
    ("sound", "can_speak", "available"),
    [
        (SoundSection(), False, ("off",)),
        (SoundSection(buzzer_pin=14), False, ("off", "tones")),
        (SoundSection(buzzer_pin=0), False, ("off", "tones")),
        (SoundSection(buzzer=True), False, ("off", "tones")),
        (SoundSection(speech=True), False, ("off", "speech")),
        (SoundSection(), True, ("off", "speech")),
        (SoundSection(buzzer=True, speech=True), False, ("off", "tones", "speech", "both")),
    ],
)
def test_a_sound_is_available_if_its_devices_are_configured_or_installed(
    monkeypatch: pytest.MonkeyPatch,
    sound: SoundSection,
    can_speak: bool,
    available: tuple[str, ...],
) -> None:
    monkeypatch.setattr(preferences, "can_speak", lambda: can_speak)
    assert available_sounds(Config(sound=sound)) == available


@pytest.mark.parametrize(
    ("field", "value", "configured"),
    [
        ("language", "tlh", "hu"),
        ("sound", "both", "tones"),
        ("rules", "chess", "murray[pieces=3]"),
        ("rules", "finkel[pieces=99]", "murray[pieces=3]"),
    ],
)
def test_a_stored_preference_that_is_not_supported_is_replaced_by_the_configured_one(
    path: Path, field: str, value: str, configured: str
) -> None:
    before = configured_preferences(CONFIG)
    with Journal.open(path) as journal:
        store_preferences(journal, "board", before, replace(before, light="Zoë", **{field: value}))
        stored = stored_preferences(journal, "board", CONFIG)

    assert stored == replace(before, light="Zoë", **{field: configured})
