"""Wheel and sdist as in a release, and empty environments with one of them each."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 900


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command far from the checkout, check that it succeeds, and return its output."""
    ended = subprocess.run(
        command,
        cwd=cwd,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert ended.returncode == 0, f"{command}: {ended.returncode}\n{ended.stdout}{ended.stderr}"
    return ended.stdout


def clean_environment() -> dict[str, str]:
    """Return the environment without variables that lead to the checkout or to the user's files."""
    ours = ("PYTHON", "URPI_", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@dataclass(frozen=True)
class Release:
    """The two files of a release."""

    wheel: Path
    sdist: Path


@dataclass(frozen=True)
class Installed:
    """An empty environment with the program installed; `home` is an empty folder."""

    home: Path
    programs: Path

    def urpi(self, *arguments: str) -> str:
        return run(self.programs / "urpi", *arguments, cwd=self.home)

    def python(self, code: str) -> str:
        return run(self.programs / "python", "-I", "-c", code, cwd=self.home)


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Build both files, the wheel from the content of the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Release(wheel, sdist)


@pytest.fixture(scope="session", params=["wheel", "sdist"])
def installed(
    request: pytest.FixtureRequest, release: Release, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """Create an environment with pip only, and install one of the files."""
    folder = tmp_path_factory.mktemp(f"from-{request.param}")
    venv.create(folder / "venv", with_pip=True)
    home, programs = folder / "home", folder / "venv" / "bin"
    home.mkdir()
    source = getattr(release, request.param)
    run(programs / "python", "-m", "pip", "install", "--quiet", source, cwd=home)
    return Installed(home, programs)
