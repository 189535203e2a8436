"""Wheel and sdist as a release has them, and empty environments with one of them each."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 300


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; it runs far from the checkout, and must end well."""
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
    """The environment without what could lead to the checkout, or to a player's own files."""
    ours = ("PYTHON", "URPI_", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@dataclass(frozen=True)
class Release:
    """The two files."""

    wheel: Path
    sdist: Path


@dataclass(frozen=True)
class Installed:
    """An empty environment into which the program was installed; `home` is an empty folder."""

    home: Path
    programs: Path

    def urpi(self, *arguments: str) -> str:
        return run(self.programs / "urpi", *arguments, cwd=self.home)

    def python(self, code: str) -> str:
        return run(self.programs / "python", "-I", "-c", code, cwd=self.home)


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Both, the wheel built from what is in the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Release(wheel, sdist)


@pytest.fixture(scope="session", params=["wheel", "sdist"])
def installed(
    request: pytest.FixtureRequest, release: Release, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """An environment with nothing but pip, and then one of the two."""
    folder = tmp_path_factory.mktemp(f"from-{request.param}")
    venv.create(folder / "venv", with_pip=True)
    home, programs = folder / "home", folder / "venv" / "bin"
    home.mkdir()
    source = getattr(release, request.param)
    run(programs / "python", "-m", "pip", "install", "--quiet", source, cwd=home)
    return Installed(home, programs)
