"""The package of this checkout, one of an older version, and machines with Debian 12 and 13."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.booted import BootedRoot
from tests.deb.roots import ROOT, SUITES, remove, unpacked
from urpi import __version__

OLDER: Final = "0.0.9"
CONFIG: Final = "/etc/urpi/config.toml"


@dataclass(frozen=True)
class Packages:
    """The package of this checkout, and one of an older version with the same code."""

    older: Path
    newer: Path


def build(folder: Path, version: str = __version__, umask: int = 0o022) -> Path:
    """Build a package in a process with that umask, and return its path."""
    command = (sys.executable, "-m", "tools.deb", "--version", version, "--output", folder)
    done = subprocess.run(
        command, cwd=ROOT, umask=umask, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    folder = tmp_path_factory.mktemp("deb")
    return Packages(build(folder, OLDER), build(folder))


@pytest.fixture(params=SUITES)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BootedRoot]:
    assert os.geteuid() == 0, "Debian is booted in a root directory, which requires root."
    folder = tmp_path / "root"
    folder.mkdir()
    booted = unpacked(request.param, folder)
    try:
        with booted.running():
            yield booted
    finally:
        remove(folder)


def put(machine: BootedRoot, package: Path) -> str:
    """Copy a package to the machine, and return its path there."""
    return f"/srv/{Path(shutil.copy(package, machine.root / 'srv')).name}"


def make_pi(machine: BootedRoot) -> None:
    """Let the service start although this machine has no device tree, on simulated pins."""
    folder = machine.root / "etc/systemd/system/urpi.service.d"
    folder.mkdir()
    (folder / "test.conf").write_text("[Unit]\nConditionPathExists=\n")
    config = machine.root / CONFIG.removeprefix("/")
    text = config.read_text("utf-8").replace('factory = "lgpio"', 'factory = "mock"')
    config.write_text(text.replace('language = "en"', 'language = "hu"'), "utf-8")
    machine.output_of("systemctl", "daemon-reload")
    machine.output_of("systemctl", "start", "urpi")
