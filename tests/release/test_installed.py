"""The installed program, used without a checkout."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.release.conftest import (
    PATIENCE_S,
    ROOT,
    Installed,
    Release,
    clean_environment,
    run,
)
from urpi import __version__
from urpi.cli.main import COMMANDS

SHORT_GAME = ("--auto", "--speed", "0", "--option", "pieces=3", "--seed", "3")


def test_it_runs_from_the_environment_and_prints_its_version(installed: Installed) -> None:
    place = installed.python("import urpi; print(urpi.__file__)").strip()
    assert Path(place).is_relative_to(installed.programs.parent)
    assert installed.urpi("--version") == f"urpi, version {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_can_import_its_modules(installed: Installed, command: str) -> None:
    assert installed.urpi(command, "--help").startswith(f"Usage: urpi {command}")


def test_a_whole_game_is_played_and_stored(installed: Installed) -> None:
    journal = str(installed.home / "games.db")
    played = installed.urpi("demo", *SHORT_GAME, "--journal", journal)
    assert '[Result "light"]' in played or '[Result "dark"]' in played
    (line,) = installed.urpi(
        "games", "--journal", journal, "list", "--json", "--virtual"
    ).splitlines()
    game = str(json.loads(line)["game"])
    assert installed.urpi("games", "--journal", journal, "show", game) in played
    assert "all the same" in installed.urpi("games", "--journal", journal, "replay", game)


@pytest.fixture
def table_url(installed: Installed) -> Iterator[str]:
    """Return the URL at which the installed program serves its virtual table, on a free port."""
    command = (installed.programs / "urpi", "demo", "--no-browser", "--listen", "127.0.0.1:0")
    with subprocess.Popen(
        (*command, "--journal", installed.home / "table.db"),
        cwd=installed.home,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as demo:
        assert demo.stdout is not None
        found = re.search(r"http://[^\s#]+", demo.stdout.readline())
        try:
            assert found is not None
            yield found[0].rstrip("/")
        finally:
            demo.terminate()
            demo.stdout.close()
            demo.wait(PATIENCE_S)


def fetched(url: str) -> bytes:
    """Return the response for a path; a refusal is an error."""
    with urlopen(url, timeout=PATIENCE_S) as answer:
        return bytes(answer.read())


def test_the_page_is_served_with_all_its_files(table_url: str) -> None:
    static = ROOT / "urpi" / "page" / "static"
    for path in (file for file in static.rglob("*") if file.is_file() and file.suffix != ".html"):
        served = fetched(f"{table_url}/static/{path.relative_to(static)}")
        assert served == path.read_bytes(), path
    for address in ("/", "/games", "/stats", "/overlay"):
        page = fetched(f"{table_url}{address}").decode()
        linked = re.findall(r'(?:src|href)="(/static/[^"#?]+)"', page)
        assert linked, address
        assert all(fetched(f"{table_url}{link}") for link in linked)
    assert json.loads(fetched(f"{table_url}/api/state"))["table"] == "virtual"


def test_every_language_of_the_package_is_installed(installed: Installed) -> None:
    found = installed.python("from urpi.show.words import languages; print(*languages())").split()
    catalogues = (ROOT / "urpi" / "show" / "words").glob("locale/*/LC_MESSAGES/*.mo")
    assert found == ["en", *sorted(path.parents[1].name for path in catalogues)]


def test_it_runs_by_pipx_without_being_installed(release: Release, tmp_path: Path) -> None:
    output = run(
        "env",
        f"PIPX_HOME={tmp_path / 'pipx'}",
        sys.executable,
        *("-m", "pipx", "run", "--no-cache", "--spec", release.wheel, "urpi", "--version"),
        cwd=tmp_path,
    )
    assert output == f"urpi, version {__version__}\n"
