"""The files of the containers agree with each other and with the program."""

import re
from pathlib import Path

import pytest

from urpi.club.server.broker_files import write_broker_files
from urpi.config import load
from urpi.link.broker.broker_settings import club_settings

DEPLOY = Path(__file__).parents[3] / "deploy"


@pytest.fixture
def compose() -> str:
    return (DEPLOY / "compose.yaml").read_text("utf-8")


def test_the_club_finds_broker_password_and_database(compose: str, tmp_path: Path) -> None:
    broker_files = tmp_path / "broker"
    write_broker_files(broker_files, ["lisbon"])
    config = tmp_path / "club.toml"
    text = (DEPLOY / "club.toml").read_text("utf-8")
    config.write_text(text.replace("/broker/", f"{broker_files}/"))
    section = load(config, {}).config.club_server
    settings = club_settings(section)
    assert (settings.host, settings.port, settings.tls) == ("broker", 1883, False)
    assert settings.password == (broker_files / "club.password").read_text().strip()
    before_volumes = compose.partition("volumes:\n  database:")[0]
    services = re.findall("^  ([a-z]+):$", before_volumes, re.MULTILINE)
    assert services == ["database", "broker", "club"]
    assert "@database/urpi" in section.database
    assert section.listen.endswith(":8032")
    assert ":8032:8032" in compose


def test_files_that_are_mounted_exist(compose: str) -> None:
    mounted = set(re.findall(r"- \./([\w.]+):", compose))
    # The last two are the operator's.
    assert mounted == {"mosquitto.conf", "club.toml", "certificates", "backups"}
    assert (DEPLOY / "mosquitto.conf").exists()


def test_the_broker_listens_where_it_is_expected(compose: str) -> None:
    lines = (DEPLOY / "mosquitto.conf").read_text("utf-8").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("listener")] == ["1883", "8883"]
    # Without TLS it must not be reachable from outside.
    assert '"8883:8883"' in compose
    assert "1883:1883" not in compose
    folders = {line.split()[1].split("/")[1] for line in lines if " /" in line}
    assert all(f":/{folder}:" in compose for folder in folders)


def test_the_health_check_asks_the_port_on_which_the_page_listens(compose: str) -> None:
    section = load(DEPLOY / "club.toml", {}).config.club_server
    (address,) = re.findall(r"urlopen\('([^']*)'", compose)
    assert address == f"http://127.0.0.1:{section.listen.rpartition(':')[2]}/api/health"
