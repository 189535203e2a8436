"""The broker's files: each table's own topics, and passwords that stay the same."""

import os
import subprocess
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from hashlib import pbkdf2_hmac
from pathlib import Path

import pytest

from urpi.club.server import broker_files
from urpi.club.server.broker_files import acl_text, write_broker_files
from urpi.core.errors import UrpiError


def test_a_table_has_its_own_topics_only() -> None:
    club, block, other, patterns = acl_text(["lisbon", "porto"]).split("\n\n")
    # It finds what it has retained there before its start.
    assert "topic readwrite urpi/tables/+/next" in club
    assert block.splitlines() == [
        "user lisbon",
        "topic write urpi/tables/lisbon/state",
        "topic write urpi/tables/lisbon/online",
        "topic write urpi/tables/lisbon/free",
        "topic write urpi/tables/lisbon/lines",
        "topic write homeassistant/device/urpi-lisbon/config",
        "topic read urpi/tables/lisbon/ack",
        "topic read urpi/tables/lisbon/next",
        "topic read urpi/tables/lisbon/from/+",
        "topic read urpi/tables/+/online",
        "topic read urpi/tables/+/free",
        "topic read urpi/club/hello",
    ]
    assert other == block.replace("lisbon", "porto")
    # `%u` is the user who publishes. Nothing else may be written: retained messages to invented ids
    # would take memory for ever.
    assert patterns.splitlines() == [
        "pattern write urpi/tables/lisbon/from/%u",
        "pattern write urpi/tables/porto/from/%u",
    ]


def test_the_list_of_permissions_grows_with_the_tables_and_not_with_their_square() -> None:
    lines = [len(acl_text([f"table-{i}" for i in range(n)]).split("\n")) for n in (1000, 2000)]
    assert lines[1] < 2.1 * lines[0]


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


@pytest.fixture
def of_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder of root that every user can enter, as /etc/mosquitto/urpi."""
    if os.geteuid() != 0:
        pytest.skip("only root may give a file to another user")
    # Users that every Linux has.
    monkeypatch.setattr(broker_files, "CLUB_USER", "daemon")
    monkeypatch.setattr(broker_files, "BROKER_USER", "mail")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def reads(user: str, path: Path) -> bool:
    done = subprocess.run(
        ("cat", path), user=user, group=user, extra_groups=(), capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.mark.slow
def test_what_root_wrote_can_be_read_by_the_programs_that_need_it(of_root: Path) -> None:
    for _ in range(2):
        write_broker_files(of_root, ["lisbon"])
        readers = {
            file.name: {user for user in ("daemon", "mail", "games") if reads(user, file)}
            for file in of_root.iterdir()
        }
        assert readers == {
            "club.password": {"daemon"},
            "lisbon.password": set(),
            "passwords": {"mail"},
            "acl": {"mail"},
            "mosquitto.conf": {"daemon", "mail", "games"},
        }


def test_files_of_another_owner_remain_with_it(of_root: Path) -> None:
    write_broker_files(of_root, ["lisbon"])
    for file in of_root.iterdir():
        os.chown(file, 12, 34)
    write_broker_files(of_root, ["lisbon"])
    assert {(file.stat().st_uid, file.stat().st_gid) for file in of_root.iterdir()} == {(12, 34)}


def test_a_system_without_the_users_keeps_the_files_for_root(
    of_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_files, "CLUB_USER", "no-such-user")
    write_broker_files(of_root, ["lisbon"])
    assert (of_root / "club.password").stat().st_uid == 0
    monkeypatch.setattr(broker_files, "CLUB_USER", "daemon")
    write_broker_files(of_root, ["lisbon"])
    assert reads("daemon", of_root / "club.password")


def test_the_name_of_the_folder_need_not_be_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"g\xe9rard")
    write_broker_files(folder, [])
    assert os.fsencode(folder) in (folder / "mosquitto.conf").read_bytes()
