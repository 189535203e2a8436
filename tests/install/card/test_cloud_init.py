"""The files for cloud-init: valid YAML with the settings. `make test-deb` boots with them."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.install.card.cards import KEY
from urpi.config import read
from urpi.install.card import cloud_init
from urpi.install.card.packages import Package
from urpi.install.card.settings import BoardSetup, CardSettings, WifiNetwork
from urpi.install.card.values import CardValueError, parse_ssid

PSK = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"


def is_ssid(text: str) -> bool:
    try:
        return bool(parse_ssid(text))
    except CardValueError:
        return False


BOARDS = st.builds(
    BoardSetup,
    rules=st.sampled_from(["finkel", "murray"]),
    language=st.sampled_from(["en", "hu"]),
    wiring=st.sampled_from(["header", "expander"]),
    chutes=st.booleans(),
    oled=st.sampled_from(["ssd1306", "ssd1309", "sh1106", "none"]),
    dice=st.sampled_from(["hub", "bluetooth", "both", "hand"]),
    open_page=st.booleans(),
)
SSIDS = st.text(min_size=1, max_size=32).filter(is_ssid)
NETWORKS = st.builds(
    WifiNetwork,
    ssid=SSIDS,
    psk=st.none() | st.just(PSK),
    country=st.sampled_from(["HU", "NO"]),
    hidden=st.booleans(),
)


@given(wifi=NETWORKS)
def test_networks_are_valid_yaml(wifi: WifiNetwork) -> None:
    found = yaml.safe_load(cloud_init.network_config(wifi))["network"]
    assert (found["version"], found["ethernets"]["eth0"]["dhcp4"]) == (2, True)
    wlan = found["wifis"]["wlan0"]
    assert (wlan["regulatory-domain"], wlan["optional"]) == (wifi.country, True)
    ((ssid, point),) = wlan["access-points"].items()
    assert ssid == wifi.ssid
    assert point.get("password") == wifi.psk
    assert point.get("hidden", False) == wifi.hidden


def test_without_wifi_there_is_the_cable_only() -> None:
    assert "wifis" not in yaml.safe_load(cloud_init.network_config(None))["network"]


@given(board=BOARDS, comment=st.text(st.characters(blacklist_categories=["C", "Z"])))
def test_user_data_is_valid_yaml_with_a_valid_configuration(
    board: BoardSetup, comment: str
) -> None:
    settings = CardSettings("ur", "pi", (f"{KEY}{comment}",), "UTC", None, board)
    packages = [Package(Path(f"lib{n}_1_all.deb"), f"lib{n}", "1", n, f"{n:064x}") for n in (1, 2)]
    text = cloud_init.user_data(settings, "print(1)\n", "{}\n", packages)
    assert text.startswith("#cloud-config\n")
    found = yaml.safe_load(text)
    (user,) = found["users"]
    assert user["ssh_authorized_keys"] == [f"{KEY}{comment}"]
    assert user["lock_passwd"] is True
    files = {file["path"]: file["content"] for file in found["write_files"]}
    assert files[cloud_init.CHECKSUMS].splitlines() == [
        f"{'1':0>64}  lib1_1_all.deb",
        f"{'2':0>64}  lib2_1_all.deb",
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "config.toml"
        path.write_text(files[cloud_init.CARD_CONFIG], "utf-8")
        config = read(path).config
    assert (config.table.rules, config.table.language) == (board.rules, board.language)
    assert (config.gpio.wiring, config.gpio.chutes) == (board.wiring, board.chutes)
    assert (config.oled.driver, config.page.listen.startswith("0.0.0.0:")) == (
        board.oled,
        board.open_page,
    )
    assert config.dice.source == board.dice
    assert config.journal.path == "/var/lib/urpi/journal.db"


@pytest.mark.parametrize("other", ["hostname", "network"])
def test_the_instance_id_changes_with_the_settings(other: str) -> None:
    texts = {"hostname": "a", "network": "b"}
    before = cloud_init.instance_id(list(texts.values()))
    assert cloud_init.instance_id(list(texts.values())) == before
    texts[other] = "c"
    assert cloud_init.instance_id(list(texts.values())) != before
    assert yaml.safe_load(cloud_init.meta_data(before))["instance-id"] == before
