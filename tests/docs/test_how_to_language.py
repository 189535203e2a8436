"""The steps that add a language lead to a game in it."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.docs.how_to import ROOT, HowTo, facts, made_once, run

# It follows the steps and plays a game.
pytestmark = pytest.mark.slow

PAGE = HowTo.of(ROOT / "docs" / "contribute" / "language.md")
DESCRIBED = {"CHANGELOG.md", "README.md", "docs/operate/languages.md", "pyproject.toml"}
"""The files that name the language, which no block changes."""
CATALOGUE = "urpi/show/words/locale/nl/LC_MESSAGES/urpi"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the language."""

    def follow(folder: Path) -> None:
        printed = PAGE.follow(folder)
        missing = re.findall(r"^(\S+): not translated: ", printed, re.MULTILINE)
        assert set(missing) == {f"{CATALOGUE}.po"}

    return made_once(tmp_path_factory, "language", follow)


def urpi(project: Path, *words: str, text: str = "") -> str:
    return run([sys.executable, "-m", "urpi", *words], project, text)


def test_at_most_five_files_are_changed_by_hand() -> None:
    assert all(f"`{name}`" in PAGE.text for name in DESCRIBED)
    files = PAGE.changed | DESCRIBED
    assert all((ROOT / name).is_file() for name in files)
    assert len(files) <= 5


def test_a_whole_game_is_played_in_the_language(project: Path, tmp_path: Path) -> None:
    config, journal = tmp_path / "config.toml", tmp_path / "journal.db"
    config.write_text(f'[table]\nlanguage = "nl"\n[journal]\npath = "{journal}"\n', "utf-8")
    configured = ("--config", str(config))
    short = ("--seed", "3", "--option", "pieces=3")
    record = urpi(project, *configured, "demo", "--auto", "--speed", "0", *short)
    assert re.search(r'\[Result "(light|dark)"\]', record)
    assert urpi(project, *configured, "games", "stats", "--virtual").startswith(
        "1 spel, 1 uitgespeeld"
    )


def test_a_warning_is_in_the_language(project: Path) -> None:
    printed = urpi(project, "referee", "--language", "nl", text=facts("B4"))
    decisions = [json.loads(line) for line in printed.splitlines()]
    (warning,) = [one for one in decisions if one["type"] == "warning"]
    assert warning["text"] == "Gegooid: 2, maar het stuk ging 7. Zet het terug op A4."


def test_the_tests_that_the_page_names_report_only_what_is_not_translated(project: Path) -> None:
    tests = ("available_languages", "every_file_is_up_to_date", "stray_spaces")
    file = "tests/show/words/test_catalogues.py"
    pytest_of_project = [sys.executable, "-m", "pytest", "-q", "-n", "0", file]
    assert " passed" in run([*pytest_of_project, "-k", " or ".join(tests)], project)
