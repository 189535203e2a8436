"""The steps that add a setting to the page lead to a setting that works."""

import json
import sys
from pathlib import Path

import pytest

from tests.docs.how_to import ROOT, HowTo, made_once, run

pytestmark = pytest.mark.slow
PAGE = HowTo.of(ROOT / "docs" / "contribute" / "page.md")
DESCRIBED = {"docs/operate/page.md", "CHANGELOG.md"}
"""The files that describe the setting, which no block changes."""
SERVE = """
import json, sys
from pathlib import Path
from tests.page.client import Client
from tests.page.conftest import table_in
from tests.page.table import PageDesk
from urpi.page.app import make_app
from urpi.page.site import make_site

with table_in(Path(sys.argv[1])) as table:
    client = Client(make_app(make_site(PageDesk(table))))
    print(json.dumps({path: client.get(path).text for path in sys.argv[2:]}))
"""
TABLE, GAME, SCRIPT, BOARD = "/", "/games/1", "/static/js/dimmed.js", "/static/css/board.css"
FRENCH = "/api/words?language=fr"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the setting."""

    def follow(folder: Path) -> None:
        assert "not translated" not in PAGE.follow(folder)

    return made_once(tmp_path_factory, "page", follow)


@pytest.fixture(scope="module")
def served(project: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the changed project serves, by the path."""
    paths = [TABLE, GAME, SCRIPT, BOARD, FRENCH]
    store = str(tmp_path_factory.mktemp("store"))
    loaded: dict[str, str] = json.loads(run([sys.executable, "-c", SERVE, store, *paths], project))
    return loaded


def test_at_most_five_files_are_changed_by_hand() -> None:
    assert all(f"`{name}`" in PAGE.text for name in DESCRIBED)
    files = PAGE.changed | DESCRIBED
    assert all((ROOT / name).is_file() for name in files)
    assert len(files) <= 5


def test_the_new_script_is_served_and_preloaded(served: dict[str, str]) -> None:
    link = f'<link rel="modulepreload" href="{SCRIPT}">'
    assert (served[TABLE].count(link), served[GAME].count(link)) == (1, 1)
    assert "export function dimmedButton" in served[SCRIPT]
    assert ".dimmed " in served[BOARD]


def test_the_new_text_is_sent_with_its_translation(served: dict[str, str]) -> None:
    assert json.loads(served[FRENCH])["Dimmed board"] == "Plateau assombri"


def test_the_catalogues_are_complete_and_up_to_date(project: Path) -> None:
    assert run([sys.executable, "-m", "tools.catalogues"], project) == ""
