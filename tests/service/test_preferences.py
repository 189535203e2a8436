"""The preferences of a table: configured, stored, changed, and no longer supported."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.service_desk import STARTED
from urpi.config import Config, SoundSection, TableSection
from urpi.core.errors import UrpiError
from urpi.journal import Journal, Keeper, Preferences, store_preferences
from urpi.referee.seats import COACHES, ENGINE_THROWS, SEATS
from urpi.service import preferences
from urpi.service.preferences import (
    TablePreferences,
    available_sounds,
    configured_preferences,
    preferred_coach,
    preferred_engine_throws,
    preferred_seats,
    stored_preferences,
)

CONFIG = Config(
    table=TableSection(
        rules="murray",
        options={"pieces": "3"},
        light="Ann",
        dark="Bob",
        language="hu",
        light_seat="engine:easy",
        dark_seat="engine:hard",
        light_coach="bad",
        dark_coach="very-bad",
        engine_throws="program",
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
    assert make().current == Preferences(
        "hu",
        "tones",
        "murray[pieces=3]",
        "Ann",
        "Bob",
        light_seat="engine:easy",
        dark_seat="engine:hard",
        engine_throws="program",
        light_coach="bad",
        dark_coach="very-bad",
    )
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
        ("engine_throws", "hands", "program"),
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


@pytest.mark.parametrize(
    ("fields", "configured"),
    [
        (("light_seat", "dark_seat"), ("engine:easy", "engine:hard")),
        (("light_coach", "dark_coach"), ("bad", "very-bad")),
    ],
)
@pytest.mark.parametrize("unknown", [0, 1])
def test_one_side_s_unknown_word_replaces_those_of_both(
    path: Path, fields: tuple[str, str], configured: tuple[str, str], unknown: int
) -> None:
    before = configured_preferences(CONFIG)
    known = {"light_seat": "person", "dark_seat": "person", "light_coach": "off"}
    changed = {field: known.get(field, "off") for field in fields}
    changed[fields[unknown]] = "oracle"
    with Journal.open(path) as journal:
        store_preferences(journal, "board", before, replace(before, **changed))
        stored = stored_preferences(journal, "board", CONFIG)

    assert tuple(getattr(stored, field) for field in fields) == configured


@pytest.mark.parametrize(
    "changed",
    [
        {"language": "fr"},
        {"sound": "off"},
        {"rules": "finkel"},
        {"light_seat": "person", "dark_seat": "engine:best"},
        {"light_coach": "off", "dark_coach": "doubtful"},
        {"engine_throws": "dice"},
    ],
)
def test_a_stored_preference_that_is_supported_is_kept(path: Path, changed: dict[str, str]) -> None:
    before = configured_preferences(CONFIG)
    with Journal.open(path) as journal:
        store_preferences(journal, "board", before, replace(before, **changed))
        assert stored_preferences(journal, "board", CONFIG) == replace(before, **changed)


@pytest.mark.parametrize("light", [0, 1, -1])
@pytest.mark.parametrize("dark", [0, 1, -1])
def test_each_side_s_preference_is_its_own(light: int, dark: int) -> None:
    preferences = replace(
        configured_preferences(CONFIG),
        light_seat=SEATS[light],
        dark_seat=SEATS[dark],
        light_coach=COACHES[light],
        dark_coach=COACHES[dark],
        engine_throws=ENGINE_THROWS[light],
    )
    assert preferred_seats(preferences) == (SEATS[light], SEATS[dark])
    assert preferred_coach(preferences) == (COACHES[light], COACHES[dark])
    assert preferred_engine_throws(preferences) == ENGINE_THROWS[light]
