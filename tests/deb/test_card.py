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

from tests.booted import COMMAND_POLL_S, BootedRoot, wait_until
from tests.deb.conftest import CONFIG, Packages
from tests.deb.roots import FIRST_BOOT, remove, unpacked
from tests.deb.test_life import check_service
from urpi import __version__
from urpi.install.card.cloud_init import BOOT, PROGRESS_UNIT, UNIT

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
PROGRESS: Final = "var/log/progress.html"
READER: Final = "usr/local/bin/read-progress"
READ_PROGRESS: Final = f"""\
import pathlib, time, urllib.request
until = time.monotonic() + 60
while time.monotonic() < until:
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8011/").read()
    except OSError:
        time.sleep(0.05)
    else:
        pathlib.Path("/{PROGRESS}").write_bytes(page)
        break
"""
# The installation is a part of the boot, after which the test's commands begin.
WITH_READER: Final = f"[Service]\nExecStartPost=/usr/bin/python3 /{READER}\n"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[BootedRoot]:
    """A machine before its first boot, with a flashed card."""
    assert os.geteuid() == 0, "Debian is booted in a root directory, which requires root."
    folder = tmp_path / "root"
    folder.mkdir()
    machine = unpacked("trixie", folder, FIRST_BOOT)
    for name, text in (
        ("etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg", DATA_SOURCE),
        ("lib/netplan/00-network-manager-all.yaml", NETWORK_MANAGER),
        ("etc/systemd/system/urpi.service.d/test.conf", WITHOUT_PI),
        (f"etc/systemd/system/{PROGRESS_UNIT}.d/test.conf", WITH_READER),
        (READER, READ_PROGRESS),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o600)
    make_boot_partition(folder / BOOT.removeprefix("/"))
    yield machine
    remove(folder)


def dependencies(root: Path) -> list[Path]:
    """Return the files of the packages that urpi depends on and that the machine lacks."""
    query = ("dpkg-query", f"--admindir={root}/var/lib/dpkg", "--show", "--showformat=${Package} ")
    installed = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()
    files = sorted((root / "var/cache/apt/archives").glob("*.deb"))
    return [file for file in files if file.name.partition("_")[0] not in installed]


def make_boot_partition(folder: Path) -> None:
    """Write the files of Raspberry Pi OS that `urpi card` reads."""
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


def prepare(machine: BootedRoot, packages: list[Path], tmp_path: Path, *others: str) -> None:
    """Let `urpi card` prepare the machine's card."""
    (tmp_path / "key.pub").write_text(f"{KEY}\n")
    (tmp_path / "passphrase").write_text(f"{PSK}\n")
    options = (
        *("--ssid", SSID, "--passphrase-file", tmp_path / "passphrase", "--country", "hu"),
        *("--user", "maker", "--ssh-key", tmp_path / "key.pub", "--time-zone", "Europe/Budapest"),
        *("--rules", "blitz", "--oled", "none", "--hidden", *others),
        *(word for package in packages for word in ("--package", package)),
    )
    folder = machine.root / BOOT.removeprefix("/")
    command = (
        sys.executable,
        "-c",
        "from urpi.cli.main import main; main()",
        "card",
        folder,
        *options,
    )
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def check_configured(machine: BootedRoot, *, hostname: str, language: str) -> None:
    """Wait until the card's settings are applied and the service runs with them."""
    status = machine.run("cloud-init", "status", "--wait", "--long", "--format=json")
    found = json.loads(status.stdout)
    assert (found["status"], found["errors"]) == ("done", []), status.stdout

    def is_installed() -> bool:
        return machine.output_of("systemctl", "is-enabled", UNIT) == "disabled"

    wait_until(is_installed, INSTALLATION_S, "the packages are installed", COMMAND_POLL_S)
    check_service(machine, __version__)
    assert machine.output_of("hostname") == hostname
    shown = machine.output_of("urpi", "--config", CONFIG, "config", "show")
    for line in ('rules = "blitz"', f'language = "{language}"', 'driver = "none"'):
        assert f"{line}  # from {CONFIG}" in shown


def check_progress(machine: BootedRoot) -> None:
    """Check that the page showed a step of the installation, before urpi took over its port."""
    assert "/5. lépés</h1>" in (machine.root / PROGRESS).read_text("utf-8")
    (machine.root / PROGRESS).unlink()


def check_system(machine: BootedRoot) -> None:
    """Check the user, the time zone and the network."""
    groups = machine.output_of("id", "--name", "--groups", "maker").split()
    assert {"sudo", "gpio", "i2c", "dialout"} <= set(groups)
    assert machine.output_of("cat", "/home/maker/.ssh/authorized_keys") == KEY
    assert machine.output_of("sudo", "-u", "maker", "sudo", "-n", "id", "-un") == "root"
    assert machine.output_of("readlink", "/etc/localtime").endswith("/Europe/Budapest")
    (file,) = (machine.root / "etc/netplan").glob("*cloud-init.yaml")
    wlan = yaml.safe_load(file.read_text("utf-8"))["network"]["wifis"]["wlan0"]
    assert wlan["regulatory-domain"] == "HU"
    assert machine.output_of("netplan", "generate") == ""
    folder = "/run/NetworkManager/system-connections"
    profile = machine.output_of("sh", "-c", f"cat {folder}/netplan-wlan0-*")
    assert {f"ssid={SSID}", f"psk={PSK}", "hidden=true"} <= set(profile.splitlines())


def test_a_card_configures_itself_at_the_first_boot(
    machine: BootedRoot, packages: Packages, tmp_path: Path
) -> None:
    files = [packages.newer, *dependencies(machine.root)]
    prepare(machine, files, tmp_path, "--hostname", "ur-1", "--language", "hu")
    with machine.running():
        check_configured(machine, hostname="ur-1", language="hu")
        check_progress(machine)
        check_system(machine)
        for name, kind in (("user-data", "cloud-config"), ("network-config", "network-config")):
            command = ("cloud-init", "schema", "--schema-type", kind, "--config-file")
            assert "Valid schema" in machine.output_of(*command, f"{BOOT}/{name}")

    # A card that was prepared before an update: its settings are applied, its urpi is not.
    older = [packages.older, *files[1:]]
    prepare(machine, older, tmp_path, "--hostname", "ur-2", "--language", "fr", "--force")
    with machine.running():
        check_configured(machine, hostname="ur-2", language="fr")
        assert not (machine.root / PROGRESS).exists()
        assert 'language = "hu"' in machine.output_of("cat", f"{CONFIG}.before-urpi")
