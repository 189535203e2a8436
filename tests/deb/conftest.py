"""The packages of this checkout, one of an older version, and machines with Debian 12 and 13."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import pytest

from tests.booted import BootedRoot
from tests.deb.roots import (
    RECOMMENDED,
    ROOT,
    SUITES,
    dependencies,
    remove,
    restored,
    store,
    unpacked,
)
from tests.shared import shared
from urpi import __version__

APT_S: Final = 600.0
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
    """The packages of this checkout, and urpi's of an older version with the same code."""

    older: Path
    newer: Path
    club: Path


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
    """Create a pair of keys without a password, unless the folder has one."""
    folder.mkdir(exist_ok=True)
    keys = Keys(folder / "minisign.pub", folder / "minisign.key")
    if not keys.public.exists():
        run_minisign("-G", "-W", "-p", keys.public, "-s", keys.secret)
    return keys


def run_minisign(*words: str | Path) -> None:
    done = subprocess.run(("minisign", *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def build(folder: Path, keys: Keys) -> list[Path]:
    """Build the packages, and return their paths."""
    options = ("--output", folder, "--public-key", keys.public)
    command = (sys.executable, "-m", "tools.deb", *options)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [Path(line) for line in done.stdout.splitlines() if line.endswith(".deb")]


def repacked(
    package: Path, folder: Path, version: str, edit: Callable[[Path], None] = lambda _tree: None
) -> Path:
    """Pack a package again, with another version and changed files, in seconds."""
    tree = folder / "tree"
    subprocess.run(("dpkg-deb", "--raw-extract", package, tree), check=True)
    for name in ("DEBIAN/control", "DEBIAN/preinst", "usr/share/urpi/urpi/__init__.py"):
        change(tree / name, __version__, version)
    edit(tree)
    sums = tree / "DEBIAN/md5sums"
    names = sums.read_text("utf-8").split()[1::2]
    with sums.open("wb") as output:
        subprocess.run(("md5sum", *names), cwd=tree, stdout=output, check=True)
    file = folder / f"urpi_{version}_all.deb"
    command = ("dpkg-deb", "-Zgzip", "--root-owner-group", "--build", tree, file)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    shutil.rmtree(tree)
    return file


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text, file
    file.write_text(text.replace(old, new), "utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process run all tests of a Debian, so that it creates each state once."""
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if "suite" in params:
            item.add_marker(pytest.mark.xdist_group(params["suite"]))


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    with shared(tmp_path_factory, "keys") as folder:
        return make_keys(folder / "release")


@pytest.fixture(scope="session")
def packages(keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    with shared(tmp_path_factory, "deb") as folder:
        older, newer = (folder / f"urpi_{version}_all.deb" for version in (OLDER, __version__))
        club = folder / f"urpi-club_{__version__}_all.deb"
        if not older.exists():
            assert build(folder, keys) == [newer, club]
            repacked(newer, folder, OLDER)
        return Packages(older, newer, club)


@dataclass(frozen=True)
class States:
    """Machines, switched off, in states with which several tests begin; each is created once."""

    folder: Path
    packages: Packages

    def with_dependencies(self, suite: str) -> Path:
        """Return a machine on which everything that the package depends on is installed."""

        def install(machine: BootedRoot) -> None:
            check_apt(machine, "install", *dependencies(), *RECOMMENDED)

        return self._after(install, suite, "dependencies", lambda root: unpacked(suite, root))

    def with_older(self, suite: str) -> Path:
        """Return a machine with the older package, whose service runs on simulated pins."""

        def install(machine: BootedRoot) -> None:
            check_apt(machine, "install", put(machine, self.packages.older))
            make_pi(machine)

        before = self.with_dependencies(suite)
        return self._after(install, suite, "older", lambda root: restored(before, root))

    def _after(
        self,
        install: Callable[[BootedRoot], None],
        suite: str,
        name: str,
        machine_in: Callable[[Path], BootedRoot],
    ) -> Path:
        path = self.folder / f"{suite}-{name}.tar.zst"
        if not path.exists():
            with folder_of_root(self.folder) as root:
                machine = machine_in(root)
                with machine.running():
                    install(machine)
                store(machine, path)
        return path


@contextmanager
def folder_of_root(where: Path) -> Iterator[Path]:
    assert os.geteuid() == 0, "Debian is booted in a root directory, which requires root."
    folder = where / "root"
    folder.mkdir()
    try:
        yield folder
    finally:
        remove(folder)


@pytest.fixture(scope="session")
def states(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> States:
    return States(tmp_path_factory.mktemp("states"), packages)


@pytest.fixture(params=SUITES)
def suite(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def machine(suite: str, tmp_path: Path) -> Iterator[BootedRoot]:
    """A fresh machine, booted for the first time."""
    with folder_of_root(tmp_path) as root:
        found = unpacked(suite, root)
        with found.running():
            yield found


@pytest.fixture
def with_dependencies(suite: str, states: States, tmp_path: Path) -> Iterator[BootedRoot]:
    """A booted machine on which everything that the package depends on is installed."""
    with folder_of_root(tmp_path) as root:
        found = restored(states.with_dependencies(suite), root)
        with found.running():
            yield found


@pytest.fixture
def with_older(suite: str, states: States, tmp_path: Path) -> Iterator[BootedRoot]:
    """A machine with the older package, which `running` boots and whose power is cut at its end."""
    with folder_of_root(tmp_path) as root:
        yield restored(states.with_older(suite), root)


def apt(machine: Machine, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", *arguments)
    return machine.run(*command, within_s=APT_S)


def check_apt(machine: Machine, *arguments: str) -> None:
    done = apt(machine, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


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
