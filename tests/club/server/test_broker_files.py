"""The broker's files: each table's own topics, and passwords that stay the same."""

from base64 import b64decode
from hashlib import pbkdf2_hmac
from pathlib import Path

import pytest

from urpi.club.server.broker_files import acl_text, write_broker_files
from urpi.core.errors import UrpiError


def test_a_table_has_its_own_topics_only() -> None:
    block = acl_text(["lisbon", "porto"]).split("\n\n")[1]
    assert block.splitlines() == [
        "user lisbon",
        "topic write urpi/tables/lisbon/state",
        "topic write urpi/tables/lisbon/online",
        "topic write urpi/tables/lisbon/free",
        "topic write urpi/tables/lisbon/lines",
        "topic write homeassistant/device/urpi-lisbon/config",
        "topic read urpi/tables/lisbon/ack",
        "topic write urpi/tables/lisbon/from/lisbon",
        "topic write urpi/tables/porto/from/lisbon",
        "topic read urpi/tables/lisbon/from/+",
        "topic read urpi/tables/+/online",
        "topic read urpi/tables/+/free",
        "topic read urpi/club/hello",
    ]
    # Nothing else may be written: retained messages to invented ids would take memory for ever.
    assert not any("+" in line for line in block.splitlines() if line.startswith("topic write"))
    assert block.count("porto") == 1


def test_passwords_are_created_once_for_their_owner_alone(tmp_path: Path) -> None:
    assert write_broker_files(tmp_path, ["lisbon"]) == ["club.password", "lisbon.password"]
    before = (tmp_path / "lisbon.password").read_text()
    assert write_broker_files(tmp_path, ["lisbon", "porto"]) == ["porto.password"]
    assert (tmp_path / "lisbon.password").read_text() == before
    assert (tmp_path / "lisbon.password").stat().st_mode & 0o777 == 0o600
    lines = dict(line.split(":", 1) for line in (tmp_path / "passwords").read_text().splitlines())
    assert list(lines) == ["club", "lisbon", "porto"]
    _, kind, iterations, salt, found = lines["lisbon"].split("$")
    assert kind == "7"
    assert b64decode(found) == pbkdf2_hmac(
        "sha512", before.strip().encode(), b64decode(salt), int(iterations)
    )


def test_a_table_that_is_left_out_can_no_longer_connect(tmp_path: Path) -> None:
    write_broker_files(tmp_path, ["lisbon", "porto"])
    write_broker_files(tmp_path, ["lisbon"])
    assert "porto" not in (tmp_path / "acl").read_text() + (tmp_path / "passwords").read_text()


@pytest.mark.parametrize("tables", [["club"], ["Lisbon"], ["a/b"], ["a", "a"], ["#"]])
def test_invalid_tables_write_nothing(tmp_path: Path, tables: list[str]) -> None:
    with pytest.raises(UrpiError):
        write_broker_files(tmp_path / "broker", tables)
    assert not (tmp_path / "broker").exists()
