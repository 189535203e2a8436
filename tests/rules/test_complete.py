"""What a rule set has, in the order in which it is added (docs/contribute/rule-set.md)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rules.perft_lines import FILES
from tests.second.game import MODULES
from urpi.engine.levels import TEMPERATURES
from urpi.engine.network_file import FOLDER
from urpi.rules import RULE_SETS
from urpi.show.words.rules_pages import PAGES
from urpi.show.words.words import RULES

ROOT = Path(__file__).parents[2]


def has_section(name: str) -> bool:
    text = (ROOT / "docs" / "design" / "RULES.md").read_text("utf-8")
    return f"\n## {RULE_SETS[name].section}. `{name}`" in text


def has_cases(name: str) -> bool:
    tests = (ROOT / "tests" / "rules").glob("test_*.py")
    return any(f"`{name}`" in path.read_text("utf-8").partition("\n")[0] for path in tests)


STEPS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (
        lambda name: RULE_SETS[name].id == name,
        "make its class attribute `id` the same as its key in urpi/rules/notation.py",
    ),
    (
        has_section,
        "specify it in docs/design/RULES.md, in a section '## NUMBER. `ID`' as its class has it",
    ),
    (lambda name: name in RULES, "add its name to RULES in urpi/show/words/words.py"),
    (
        lambda name: name in PAGES,
        "add the page that explains it to PAGES in urpi/show/words/rules_pages.py",
    ),
    (
        lambda name: (ROOT / "docs" / "play" / f"{name}.md").exists(),
        "write its page of the documentation with `make generated`",
    ),
    (
        has_cases,
        "test every sentence of its section in tests/rules/test_ID.py, whose first line names `ID`",
    ),
    (
        lambda name: name in MODULES,
        "write it a second time from RULES.md, and add it to MODULES in tests/second/game.py",
    ),
    (
        lambda name: any(path.stem.partition("+")[0] == name for path in FILES),
        "write its perft files by `python -m tests.second write-perft`: RULES in perft_files.py",
    ),
    (
        lambda name: (FOLDER / f"{name}.network").exists(),
        "train its network (docs/contribute/networks.md); until then the lead plays",
    ),
    (
        lambda name: name in TEMPERATURES,
        "find its levels by `python -m tools.train.levels ID`: TEMPERATURES in levels.py",
    ),
)


def missing(name: str) -> list[str]:
    """Return what to do for a rule set, in the order of the work."""
    return [advice for is_done, advice in STEPS if not is_done(name)]


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_rule_set_is_complete(name: str) -> None:
    assert not missing(name), "\n".join((f"{name} lacks, in this order:", *missing(name)))
