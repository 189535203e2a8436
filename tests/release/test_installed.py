"""The program as it is installed by who has no checkout."""

import json
import sys
from pathlib import Path

import pytest

from tests.release.conftest import ROOT, Installed, Release, run
from urpi import __version__
from urpi.cli import COMMANDS

SHORT_GAME = ("--auto", "--speed", "0", "--option", "pieces=3", "--seed", "3")


def test_it_runs_from_the_environment_and_tells_its_version(installed: Installed) -> None:
    place = installed.python("import urpi; print(urpi.__file__)").strip()
    assert Path(place).is_relative_to(installed.programs.parent)
    assert installed.urpi("--version") == f"urpi, version {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_what_it_imports(installed: Installed, command: str) -> None:
    assert installed.urpi(command, "--help").startswith(f"Usage: urpi {command}")


def test_a_whole_game_is_played_and_kept(installed: Installed) -> None:
    journal = str(installed.home / "games.db")
    played = installed.urpi("demo", *SHORT_GAME, "--journal", journal)
    assert '[Result "light"]' in played or '[Result "dark"]' in played
    (line,) = installed.urpi("games", "--journal", journal, "list", "--json").splitlines()
    game = str(json.loads(line)["game"])
    assert installed.urpi("games", "--journal", journal, "show", game) in played
    assert "all the same" in installed.urpi("games", "--journal", journal, "replay", game)


def test_the_files_of_the_page_are_there(installed: Installed) -> None:
    found = installed.python(
        "from importlib.resources import files\n"
        "page = files('urpi.web') / 'static'\n"
        "def walk(folder):\n"
        "    for one in folder.iterdir():\n"
        "        yield from walk(one) if one.is_dir() else [len(one.read_bytes())]\n"
        "print(sum(1 for size in walk(page) if size))"
    )
    static = ROOT / "urpi" / "web" / "static"
    assert int(found) == sum(1 for path in static.rglob("*") if path.is_file())


def test_it_speaks_every_language_of_the_package(installed: Installed) -> None:
    found = installed.python("from urpi.words import languages; print(*languages())").split()
    catalogues = (ROOT / "urpi" / "words").glob("locale/*/LC_MESSAGES/*.mo")
    assert found == ["en", *sorted(path.parents[1].name for path in catalogues)]


@pytest.mark.timeout(300)
def test_it_runs_by_pipx_without_being_installed(release: Release, tmp_path: Path) -> None:
    told = run(
        "env",
        f"PIPX_HOME={tmp_path / 'pipx'}",
        sys.executable,
        *("-m", "pipx", "run", "--no-cache", "--spec", release.wheel, "urpi", "--version"),
        cwd=tmp_path,
    )
    assert told == f"urpi, version {__version__}\n"
