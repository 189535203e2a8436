"""The steps that add a rule set lead to one that plays a whole game."""

import re
import sys
from pathlib import Path

import pytest

from tests.docs.how_to import ROOT, HowTo, made_once, run

pytestmark = pytest.mark.slow
PAGE = HowTo.of(ROOT / "docs" / "contribute" / "rule-set.md")
MISSING = "from tests.rules.test_complete import missing; print(*missing('skirmish'), sep='\\n')"
DOCUMENTS = """
from urpi.page.rules import rules_page_document, rules_sheet
from urpi.rules import rule_set
from urpi.show.words import words_for
rules = rule_set("skirmish")
for language in ("en", "fr"):
    print(rules_page_document(rules, words_for(language)), rules_sheet(rules, words_for(language)))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the rule set and its generated pages."""

    def follow(folder: Path) -> None:
        assert "not translated" not in PAGE.follow(folder)
        run([sys.executable, "-m", "docs.generator"], folder)

    return made_once(tmp_path_factory, "rule-set", follow)


def urpi(project: Path, *words: str) -> str:
    return run([sys.executable, "-m", "urpi", *words], project)


def test_at_most_five_files_are_changed_by_hand() -> None:
    assert all((ROOT / name).is_file() for name in PAGE.changed)
    assert 0 < len(PAGE.changed) <= 5


@pytest.mark.parametrize("seats", [(), ("--dark", "engine:easy")], ids=["players", "engine"])
def test_the_new_rule_set_plays_a_whole_game(
    project: Path, tmp_path: Path, seats: tuple[str, ...]
) -> None:
    journal = str(tmp_path / "journal.db")
    game = ("demo", "--auto", "--speed", "0", "--seed", "3", "--rules", "skirmish")
    record = urpi(project, *game, "--journal", journal, *seats)
    assert '[Rules "skirmish"]' in record
    assert re.search(r'\[Result "(light|dark)"\]', record)
    stored = ("games", "--journal", journal)
    assert urpi(project, *stored, "show", "1") in record
    assert "1 same" in urpi(project, *stored, "check", "--jobs", "1")
    assert "Light" in urpi(project, *stored, "review", "1")


def test_lists_and_pages_have_it(project: Path) -> None:
    assert "skirmish      3       4 tetrahedra  Skirmish" in urpi(project, "rules")
    assert "A capture gives an extra throw." in urpi(project, "rules", "skirmish")
    pages = project / "docs" / "play"
    assert "](skirmish.svg)" in (pages / "skirmish.md").read_text("utf-8")
    assert "](skirmish.md)" in (pages / "index.md").read_text("utf-8")
    printed = run([sys.executable, "-c", DOCUMENTS], project)
    assert "A short game for 3 pieces per side." in printed
    assert "Une partie courte" in printed


def test_what_is_missing_is_listed_in_the_order_of_the_work(project: Path) -> None:
    found = run([sys.executable, "-c", MISSING], project).splitlines()
    expected = ["test every sentence", "write it a second time", "write its perft files"]
    expected += ["train its network", "find its levels"]
    assert [one.startswith(begin) for one, begin in zip(found, expected, strict=True)] == [True] * 5
