"""The steps that add a warning lead to one that the referee issues, in every language."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.how_to import ROOT, HowTo, facts, made_once, run

# It follows the steps, generates the pages and runs a dozen programs.
pytestmark = pytest.mark.slow

PAGE = HowTo.of(ROOT / "docs" / "contribute" / "warning.md")
DESCRIBED = {"CHANGELOG.md"}
"""The file that describes the warning, which no block changes."""
SENTENCES = {
    "de": "B6 ist zu weit weg. ",
    "en": "B6 is too far away. Put it back on A4.",
    "es": "B6 está demasiado lejos. ",
    "fr": "B6 est trop loin. Remettez-le en A4.",
    "hu": "B6 túl messze van. ",
    "pt": "B6 fica longe demais. ",
    "ru": "B6 слишком далеко. ",
    "sl": "B6 je predaleč. ",
}
"""The beginning of the sentence in every language."""
VIEWS = """
from dataclasses import replace
from tests.show.views.scenes import squares, warning_scene
from tests.show.views.test_languages import DETAILS
from tests.show.views.text_monitor import monitored
from urpi.show.views import draw
from urpi.show.views.warning import reason
from urpi.show.words import display_languages, words_for

scene = warning_scene("beyond-reach", squares("A4", "B2"), squares("B8", "C3"))
for language in display_languages():
    words = words_for(language)
    for details in DETAILS:
        text = words.sentence("beyond-reach", details)
        with monitored() as monitor:
            draw(replace(scene, warning=replace(scene.warning, text=text)), words)
        drawn = " ".join(line.text for line in monitor.lines)
        assert reason(text) in drawn, (text, drawn)
        print(language, text)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the warning and its generated pages."""

    def follow(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", str(folder))
            assert "not translated" not in PAGE.follow(folder)
            run([sys.executable, "-m", "docs.generator"], folder)

    return made_once(tmp_path_factory, "warning", follow)


def changed(project: Path, *command: str, text: str = "") -> str:
    """Run Python with the changed project, and return the output."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project)},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def warned(project: Path, language: str, target: str) -> tuple[str, str, object]:
    """Return the code, the sentence and the correction of the only warning in a game."""
    printed = changed(project, "-m", "urpi", "referee", "--language", language, text=facts(target))
    decisions = [json.loads(line) for line in printed.splitlines()]
    (warning,) = [one for one in decisions if one["type"] == "warning"]
    return warning["code"], warning["text"], warning["fix"]


def test_at_most_five_files_are_changed_by_hand() -> None:
    assert all(f"`{name}`" in PAGE.text for name in DESCRIBED)
    files = PAGE.changed | DESCRIBED
    assert all((ROOT / name).is_file() for name in files)
    assert len(files) <= 5


@pytest.mark.parametrize("language", SENTENCES)
def test_the_referee_issues_the_warning_in_a_game(project: Path, language: str) -> None:
    code, text, fix = warned(project, language, "B6")
    assert (code, fix) == ("beyond-reach", {"fill": ["A4"], "clear": ["B6"]})
    assert text.startswith(SENTENCES[language])
    assert "A4" in text


def test_a_distance_that_two_throws_reach_is_reported_as_before(project: Path) -> None:
    code, text, _ = warned(project, "en", "B5")
    assert (code, text) == ("wrong-distance", "You threw 2, but moved it 8. Put it back on A4.")


def test_every_wording_fits_the_warning_view_in_every_language(project: Path) -> None:
    printed = changed(project, "-c", VIEWS)
    assert {line.split()[0] for line in printed.splitlines()} == set(SENTENCES)
    assert "en That is too far away. Put it back.\n" in printed


def test_the_generated_pages_have_the_code_in_its_place(project: Path) -> None:
    warnings = (project / "docs" / "operate" / "warnings.md").read_text("utf-8")
    row = "| `beyond-reach` | B6 is too far away. Put it back on A4. | The piece was moved "
    assert f"\n{row}" in warnings
    events = (project / "docs" / "reference" / "events.md").read_text("utf-8")
    assert "inexact-exit or beyond-reach or wrong-distance" in events


def test_the_catalogues_are_complete_and_up_to_date(project: Path) -> None:
    assert changed(project, "-m", "tools.catalogues") == ""


def test_the_tests_that_the_page_names_pass(project: Path) -> None:
    tests = ("tests/referee/test_beyond_reach.py", "tests/show/words/test_words.py")
    printed = changed(
        project, "-m", "pytest", "-q", "-n", "0", *tests, "tests/docs/test_generated.py"
    )
    assert " passed" in printed
