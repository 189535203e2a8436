"""The card's installer as a shell script: what it reports when packages, network or space fail.

`make test-deb` executes it on Debian; here the commands that would change a system are replaced.
"""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from urpi.install.card import cloud_init
from urpi.install.card.packages import Package
from urpi.install.card.settings import BoardSetup, CardSettings
from urpi.install.systemd import CONFIG

COMMANDS = {
    "apt-get": 'case "$*" in *"$BROKEN"*) exit 100 ;; esac',
    "df": 'echo Avail; echo "$FREE"',
    "dpkg-deb": "",
    "systemctl": "",
}


class Card:
    """A system with a card in a folder, whose commands are replaced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = CardSettings("ur", "pi", ("key",), "UTC", None, BoardSetup())
        digest = sha256(b"complete").hexdigest()
        package = Package(Path("urpi_1_all.deb"), "urpi", "1", 8, digest)
        written = yaml.safe_load(cloud_init.user_data(settings, "", "", [package]))["write_files"]
        (text,) = (each["content"] for each in written if each["path"] == cloud_init.INSTALLER)
        # Together with the list of the packages, which is in the same folder.
        own = str(Path(cloud_init.CARD_CONFIG).parent)
        places = cloud_init.BOOT, cloud_init.STATE, own, str(CONFIG.parent)
        for place in (*places, "/usr/bin/urpi"):
            text = text.replace(place, f"{folder}{place}")
        (folder / "installer").write_text(text)
        for each in written:
            if each["path"] == cloud_init.CHECKSUMS:
                (folder / own[1:]).mkdir(parents=True)
                Path(f"{folder}{cloud_init.CHECKSUMS}").write_text(each["content"])
        (folder / "run").mkdir()
        (folder / "bin").mkdir()
        for name, does in COMMANDS.items():
            command = folder / "bin" / name
            command.write_text(f'#!/bin/sh\necho "{name} $*" >>{folder}/log\n{does}\n')
            command.chmod(0o755)
        self.package = Path(f"{folder}{cloud_init.BOOT}/{cloud_init.PACKAGES}/urpi_1_all.deb")
        self.package.parent.mkdir(parents=True)
        self.package.write_text("complete")

    def install(self, broken: str = "nothing", free: int = 10**6) -> tuple[int, str, str]:
        """Return the exit status, the reported screen and the error."""
        around = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "BROKEN": broken}
        command = ("sh", self.folder / "installer")
        done = subprocess.run(
            command,
            env={**around, "FREE": str(free)},
            capture_output=True,
            text=True,
            check=False,
        )
        state = Path(f"{self.folder}{cloud_init.STATE}").read_text().strip()
        return done.returncode, state, done.stderr

    def log(self) -> list[str]:
        return (self.folder / "log").read_text().splitlines()


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_an_installation_shows_its_progress_and_is_not_repeated(card: Card) -> None:
    assert card.install() == (0, "install", "")
    log = card.log()
    assert log[0] == f"systemctl start --no-block {cloud_init.PROGRESS_UNIT}"
    assert log[-1] == f"systemctl disable {cloud_init.UNIT}"
    assert any(line.startswith("apt-get") and "--download-only" in line for line in log)


def test_an_installed_urpi_keeps_its_display_and_page(card: Card) -> None:
    program = card.folder / "usr/bin/urpi"
    program.parent.mkdir(parents=True)
    program.touch()
    assert card.install()[0] == 0
    assert not any(line.startswith("systemctl start") for line in card.log())


@pytest.mark.parametrize(
    ("broken", "free", "state", "error"),
    [
        ("--download-only", 10**6, "network", "Libraries of urpi cannot be downloaded.\n"),
        ("--download-only", 1000, "full", "The card is full: 1000 KiB are free.\n"),
        ("force-confold install /", 10**6, "failed", "urpi cannot be installed.\n"),
        ("force-confold install /", 1000, "full", "The card is full: 1000 KiB are free.\n"),
    ],
)
def test_a_fault_is_reported_and_the_installation_tried_again(
    broken: str, free: int, state: str, error: str, card: Card
) -> None:
    assert card.install(broken, free) == (1, state, error)
    assert f"systemctl disable {cloud_init.UNIT}" not in card.log()
    assert card.install() == (0, "install", "")


@pytest.mark.parametrize("content", ["", "complet", "Complete", "complete and more"])
def test_a_package_that_is_not_the_one_that_was_copied_is_not_installed(
    card: Card, content: str
) -> None:
    card.package.write_text(content)
    assert card.install() == (1, "damaged", f"The package {card.package} is damaged.\n")
    assert not any(line.startswith("apt-get") for line in card.log())


def test_a_missing_package_is_reported_and_another_one_ignored(card: Card) -> None:
    other = card.package.with_name("other_1_all.deb")
    other.write_text("anything")
    assert card.install() == (0, "install", "")
    assert not any(other.name in line for line in card.log())
    card.package.unlink()
    code, state, error = card.install()
    assert (code, state) == (1, "damaged")
    assert f"The package {card.package} is damaged." in error
