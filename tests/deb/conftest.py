"""The package of this checkout, one of an older version, and machines with Debian 12 and 13."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import pytest

from tests.booted import BootedRoot
from tests.deb.roots import ROOT, SUITES, remove, unpacked
from urpi import __version__

OLDER: Final = "0.0.9"
CONFIG: Final = "/etc/urpi/config.toml"


class Machine(Protocol):
    """A root directory in which commands are run as root."""

    root: Path

    def run(self, *command: str, within_s: float = ...) -> subprocess.CompletedProcess[str]:
        """Run a command."""

    def output_of(self, *command: str) -> str:
        """Return the output of a command, from both streams."""


@dataclass(frozen=True)
class Packages:
    """The package of this checkout, and one of an older version with the same code."""

    older: Path
    newer: Path


@dataclass(frozen=True)
class Keys:
    """A pair of keys of minisign, created for the tests."""

    public: Path
    secret: Path

    def sign(self, file: Path) -> Path:
        """Write the signature next to a file, and return the file."""
        run_minisign("-S", "-s", self.secret, "-m", file)
        return file


def make_keys(folder: Path) -> Keys:
    """Create a pair of keys without a password."""
    folder.mkdir()
    keys = Keys(folder / "minisign.pub", folder / "minisign.key")
    run_minisign("-G", "-W", "-p", keys.public, "-s", keys.secret)
    return keys


def run_minisign(*words: str | Path) -> None:
    done = subprocess.run(("minisign", *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def build(folder: Path, keys: Keys, version: str = __version__, umask: int = 0o022) -> Path:
    """Build a package in a process with that umask, and return its path."""
    options = ("--version", version, "--output", folder, "--public-key", keys.public)
    command = (sys.executable, "-m", "tools.deb", *options)
    done = subprocess.run(
        command, cwd=ROOT, umask=umask, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return make_keys(tmp_path_factory.mktemp("keys") / "release")


@pytest.fixture(scope="session")
def packages(keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    folder = tmp_path_factory.mktemp("deb")
    return Packages(build(folder, keys, OLDER), build(folder, keys))


@pytest.fixture(params=SUITES)
def switched_off(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BootedRoot]:
    """A machine that is booted by `running`, and whose power is cut at its end."""
    assert os.geteuid() == 0, "Debian is booted in a root directory, which requires root."
    folder = tmp_path / "root"
    folder.mkdir()
    yield unpacked(request.param, folder)
    remove(folder)


@pytest.fixture
def machine(switched_off: BootedRoot) -> Iterator[BootedRoot]:
    with switched_off.running():
        yield switched_off


def put(machine: Machine, package: Path) -> str:
    """Copy a package to the machine, and return its path there."""
    return f"/srv/{Path(shutil.copy(package, machine.root / 'srv')).name}"


def put_release(machine: BootedRoot, file: Path) -> str:
    """Copy a package with its signature to the machine, and return its path there."""
    put(machine, file.with_name(f"{file.name}.minisig"))
    return put(machine, file)


def make_pi(machine: BootedRoot) -> None:
    """Let the service start although this machine has no device tree, on simulated pins."""
    folder = machine.root / "etc/systemd/system/urpi.service.d"
    folder.mkdir()
    (folder / "test.conf").write_text("[Unit]\nConditionPathExists=\n")
    configure(machine)
    machine.output_of("systemctl", "daemon-reload")
    machine.output_of("systemctl", "start", "urpi")


def configure(machine: Machine) -> None:
    """Configure simulated pins, and another language than the default."""
    config = machine.root / CONFIG.removeprefix("/")
    text = config.read_text("utf-8").replace('factory = "lgpio"', 'factory = "mock"')
    config.write_text(text.replace('language = "en"', 'language = "hu"'), "utf-8")
