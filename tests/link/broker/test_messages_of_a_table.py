"""What a table publishes besides its lines, and the settings of its broker."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.journal.games import STARTED, StoredGame
from urpi.cli.club_join import section_text
from urpi.config import ClubSection, read
from urpi.config.editing import write_section
from urpi.core.errors import UrpiError
from urpi.journal import Journal
from urpi.link.broker.broker_settings import BrokerSettings, broker_address, broker_settings
from urpi.link.broker.club_link import ClubLink
from urpi.link.broker.home_assistant import discovery_message, discovery_topic
from urpi.link.broker.state_message import DieState, TableState, state_message
from urpi.referee import Phase, Snapshot
from urpi.referee.facts import Answer, Game
from urpi.rules import Side


def parsed(message: bytes) -> dict[str, Any]:
    return dict(json.loads(message))


@pytest.fixture
def game(tmp_path: Path) -> StoredGame:
    game = StoredGame(
        Journal.open(tmp_path / "j.db"), Game(0, "finkel", "Ann", "Zoë", first=Side.LIGHT)
    )
    game.apply_reading(1000)
    game.apply(Answer(2000, faces="gs--"))
    return game


def test_the_state_has_the_names_of_players_who_agree(game: StoredGame) -> None:
    message = state_message(TableState(1, game.now), STARTED, {"dark": "Zoë"})
    assert parsed(message)["names"] == {"light": None, "dark": "Zoë"}
    assert b"Ann" not in message


def test_the_state_has_no_other_names(game: StoredGame) -> None:
    state = TableState(1, game.now, (DieState(1, True, 3900, None, False),), ("hub",))
    message = state_message(state, STARTED, {})
    found = parsed(message)
    assert (found["phase"], found["turn"], found["game"]) == ("move", "light", 1)
    assert found["throw"] == {"faces": "gs--", "value": 2}
    assert found["score"] == {"light": 0, "dark": 0}
    assert found["dice"] == [
        {"die": 1, "in_range": True, "battery_mv": 3900, "battery_percent": None, "low": False}
    ]
    assert found["unavailable"] == ["hub"]
    assert b"Ann" not in message


def test_a_refusal_is_published_without_its_sentence(game: StoredGame) -> None:
    game.apply(Answer(3000, move="A1-A2"))
    found = parsed(state_message(TableState(1, game.now), STARTED, {}))
    assert found["last"]["type"] == "refused"
    assert "text" not in found["last"]


def test_before_the_first_game_everything_is_empty() -> None:
    found = parsed(state_message(TableState(None, Snapshot(Phase.NO_GAME)), STARTED, {}))
    assert found["phase"] == "no-game"
    assert [key for key, value in found.items() if value is None] == [
        *("game", "rules", "position", "turn", "throw", "score"),
        *("opponent", "last", "warning", "question", "outcome"),
    ]


def test_home_assistant_finds_every_value_in_the_state(game: StoredGame) -> None:
    assert discovery_topic("lisbon") == "homeassistant/device/urpi-lisbon/config"
    found = parsed(discovery_message("lisbon", "1.0.0"))
    assert found["state_topic"] == "urpi/tables/lisbon/state"
    state = parsed(state_message(TableState(1, game.now), STARTED, {}))
    templates = [one["value_template"] for one in found["components"].values()]
    for key in ("turn", "throw", "score", "faults", "unavailable", "dice"):
        assert any(f"value_json.{key}" in template for template in templates)
        assert key in state
    assert len({one["unique_id"] for one in found["components"].values()}) == 21


@pytest.mark.parametrize(
    ("broker", "tls", "expected"),
    [
        ("club.example.org", None, ("club.example.org", 8883, True)),
        ("club.example.org:1884", None, ("club.example.org", 1884, True)),
        ("club.example.org", False, ("club.example.org", 1883, False)),
        ("localhost", None, ("localhost", 1883, False)),
        ("127.0.0.1:1999", None, ("127.0.0.1", 1999, False)),
        ("127.0.0.1", True, ("127.0.0.1", 8883, True)),
        ("[::1]", None, ("::1", 1883, False)),
        ("[::ffff:127.0.0.1]", None, ("::ffff:127.0.0.1", 1883, False)),
        ("LocalHost", None, ("LocalHost", 1883, False)),
        ("[2001:db8::1]:1884", None, ("2001:db8::1", 1884, True)),
        ("192.168.1.5", None, ("192.168.1.5", 8883, True)),
    ],
)
def test_a_connection_is_encrypted_unless_the_broker_is_on_this_machine(
    broker: str, tls: bool | None, expected: tuple[str, int, bool]
) -> None:
    assert broker_address(broker, tls) == expected


def test_the_password_is_read_from_its_file_and_never_shown(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret\n")
    file.chmod(0o640)
    found = broker_settings(ClubSection("localhost", "lisbon", str(file)))
    assert found == BrokerSettings("localhost", 1883, False, None, "lisbon", "secret")
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("section", "content", "mode", "found"),
    [
        (ClubSection("localhost"), "secret", 0o600, "lacks table"),
        (ClubSection(None, "lisbon"), "secret", 0o600, "lacks broker"),
        (ClubSection("localhost", "lisbon"), "\n", 0o600, "is empty"),
        (ClubSection("localhost", "lisbon"), "secret", 0o604, "Every user may read"),
        (ClubSection("localhost", "lisbon"), None, 0o600, "password file"),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    tmp_path: Path, section: ClubSection, content: str | None, mode: int, found: str
) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    section = ClubSection(section.broker, section.table, str(file))
    with pytest.raises(UrpiError, match=found):
        broker_settings(section)


def test_without_a_broker_nothing_is_connected(tmp_path: Path) -> None:
    link = ClubLink(ClubSection(), tmp_path / "j.db", "board")
    with link.opened():
        assert not link.is_open
        assert link.status is None


def test_a_game_goes_on_if_the_club_cannot_be_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    section = ClubSection("localhost", "lisbon", str(tmp_path / "missing"))
    with ClubLink(section, tmp_path / "j.db", "board").opened():
        pass
    assert "Nothing is sent to the club. The password file" in caplog.text


SECTION = ClubSection("club.example.org", "lisbon", home_assistant=True)
TEXT = '[club]\nbroker = "club.example.org"\ntable = "lisbon"\nhome_assistant = true\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, TEXT),
        ("", TEXT),
        ("[table]\n# Ours\nlight = 'Ann'\n", "[table]\n# Ours\nlight = 'Ann'\n\n" + TEXT),
        ("[club]\nbroker = 'old'\n", TEXT),
        (
            "# First\n[club]  # old\nbroker = 'old'\n\n# Ours\n[table]\nlight = 'Ann'\n",
            "# First\n" + TEXT.replace("]", "]  # old") + "\n# Ours\n[table]\nlight = 'Ann'\n",
        ),
    ],
)
def test_joining_replaces_the_keys_of_the_section_and_nothing_else(
    tmp_path: Path, before: str | None, after: str
) -> None:
    file = tmp_path / "folder" / "config.toml"
    if before is not None:
        file.parent.mkdir()
        file.write_text(before)
        file.chmod(0o640)
    assert section_text(SECTION) == TEXT
    write_section(file, "club", TEXT)
    assert file.read_text() == after
    assert read(file).config.club == SECTION
    if before is not None:
        assert file.stat().st_mode & 0o777 == 0o640
