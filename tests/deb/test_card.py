"""A card of `urpi card` at its first boot: cloud-init of Debian 13 with systemd, without a network.

The machine is configured like Raspberry Pi OS: cloud-init reads the boot partition, which is
mounted at /boot/firmware, and netplan passes the networks to NetworkManager.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import yaml

from tests.booted import BootedRoot, wait_until
from tests.deb.conftest import Packages
from tests.deb.roots import FIRST_BOOT, remove, unpacked
from tests.deb.test_life import check_service
from urpi import __version__
from urpi.card.cloud_init import BOOT, UNIT

INSTALLATION_S: Final = 180.0
SSID: Final = 'Ur "🎲" : #1'
PSK: Final = "10a15e0cab5fcb2a3d2f3ff5e3a7a7f6e4d3b8f2c1a0998877665544332211ff"
KEY: Final = (
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4zoQ7u9hoyFnEyXaNxCfBDbY2aPlVnCnzgZ3ZWn3pP a maker"
)
DATA_SOURCE: Final = """\
datasource_list: [NoCloud, None]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
"""
NETWORK_MANAGER: Final = "network: {version: 2, renderer: NetworkManager}\n"
WITHOUT_PI: Final = """\
[Unit]
ConditionPathExists=
[Service]
Environment=URPI_GPIO_FACTORY=mock
"""


@pytest.fixture
def machine(tmp_path: Path, packages: Packages) -> Iterator[BootedRoot]:
    """A machine before its first boot, with its card inserted."""
    assert os.geteuid() == 0, "Debian is booted in a root directory, which requires root."
    folder = tmp_path / "root"
    folder.mkdir()
    machine = unpacked("trixie", folder, FIRST_BOOT)
    for name, text in (
        ("etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg", DATA_SOURCE),
        ("lib/netplan/00-network-manager-all.yaml", NETWORK_MANAGER),
        ("etc/systemd/system/urpi.service.d/test.conf", WITHOUT_PI),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o600)
    make_card(folder / BOOT.removeprefix("/"), [packages.newer, *dependencies(folder)], tmp_path)
    yield machine
    remove(folder)


def dependencies(root: Path) -> list[Path]:
    """Return the files of the packages that urpi depends on and that the machine lacks."""
    query = ("dpkg-query", f"--admindir={root}/var/lib/dpkg", "--show", "--showformat=${Package} ")
    installed = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()
    files = sorted((root / "var/cache/apt/archives").glob("*.deb"))
    return [file for file in files if file.name.partition("_")[0] not in installed]


def make_card(folder: Path, packages: list[Path], tmp_path: Path) -> None:
    """Let `urpi card` prepare a boot partition of Raspberry Pi OS."""
    folder.mkdir(parents=True)
    for name, text in {
        "config.txt": "dtparam=audio=on\n",
        "cmdline.txt": "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait\n",
        "kernel8.img": "",
        "user-data": "#cloud-config\n",
        "network-config": "",
        "meta-data": "dsmode: local\ninstance_id: rpios-image\n",
    }.items():
        (folder / name).write_text(text)
    (tmp_path / "key.pub").write_text(f"{KEY}\n")
    (tmp_path / "passphrase").write_text(f"{PSK}\n")
    options = (
        *("--ssid", SSID, "--passphrase-file", tmp_path / "passphrase", "--country", "hu"),
        *("--hostname", "ur-1", "--user", "maker", "--ssh-key", tmp_path / "key.pub"),
        *("--time-zone", "Europe/Budapest", "--language", "hu", "--rules", "blitz"),
        *("--oled", "none", "--hidden"),
        *(word for package in packages for word in ("--package", package)),
    )
    command = (sys.executable, "-c", "from urpi.cli import main; main()", "card", folder, *options)
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_card_configures_itself_at_the_first_boot(machine: BootedRoot) -> None:
    with machine.running():
        status = machine.run("cloud-init", "status", "--wait", "--long", "--format=json")
        found = json.loads(status.stdout)
        assert (found["status"], found["errors"]) == ("done", []), status.stdout
        for name, kind in (("user-data", "cloud-config"), ("network-config", "network-config")):
            command = ("cloud-init", "schema", "--schema-type", kind, "--config-file")
            assert "Valid schema" in machine.output_of(*command, f"{BOOT}/{name}")

        def is_installed() -> bool:
            return machine.output_of("systemctl", "is-enabled", UNIT) == "disabled"

        wait_until(is_installed, INSTALLATION_S, "the packages are installed")
        check_service(machine, __version__)

        assert machine.output_of("hostname") == "ur-1"
        groups = machine.output_of("id", "--name", "--groups", "maker").split()
        assert {"sudo", "gpio", "i2c", "dialout"} <= set(groups)
        assert machine.output_of("cat", "/home/maker/.ssh/authorized_keys") == KEY
        assert machine.output_of("sudo", "-u", "maker", "sudo", "-n", "id", "-un") == "root"
        assert machine.output_of("readlink", "/etc/localtime").endswith("/Europe/Budapest")
        shown = machine.output_of("urpi", "--config", "/etc/urpi/config.toml", "config", "show")
        for line in ('rules = "blitz"', 'language = "hu"', 'driver = "none"'):
            assert f"{line}  # from /etc/urpi/config.toml" in shown

        (file,) = (machine.root / "etc/netplan").glob("*cloud-init.yaml")
        wlan = yaml.safe_load(file.read_text("utf-8"))["network"]["wifis"]["wlan0"]
        assert wlan["regulatory-domain"] == "HU"
        assert machine.output_of("netplan", "generate") == ""
        folder = "/run/NetworkManager/system-connections"
        profile = machine.output_of("sh", "-c", f"cat {folder}/netplan-wlan0-*")
        assert {f"ssid={SSID}", f"psk={PSK}", "hidden=true"} <= set(profile.splitlines())
