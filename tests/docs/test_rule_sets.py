"""The pages that count or list the rule sets by hand agree with the program."""

import re
from pathlib import Path

import pytest

from urpi.rules import RULE_SETS

ROOT = Path(__file__).parents[2]
NUMBERS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen")
COUNTED = re.compile(r"\b(\w+)\s+(?:rule\s+sets|networks)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/index.md",
        "docs/design/RULES.md",
        "docs/how-it-works/engine-figures.md",
        "docs/how-it-works/reliability-figures.md",
    ],
)
def test_the_number_of_rule_sets_is_right(page: str) -> None:
    words = COUNTED.findall((ROOT / page).read_text("utf-8"))
    numbers = {word.lower() for word in words} & set(NUMBERS)
    assert numbers == {NUMBERS[len(RULE_SETS) - 10]}


def test_the_table_of_the_rules_has_every_rule_set() -> None:
    rules = (ROOT / "docs" / "design" / "RULES.md").read_text("utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", rules, re.MULTILINE))[: len(RULE_SETS)] == tuple(
        RULE_SETS
    )
