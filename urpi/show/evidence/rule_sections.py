"""The section of RULES.md that a refusal follows from, by rule set.

It is the section of the rule set if that defines the rule, else the common section.
"""

from typing import Final, NamedTuple

from urpi.rules import RULE_SETS


class RuleSection(NamedTuple):
    """Number and heading of a section of RULES.md."""

    number: str
    title: str

    def __str__(self) -> str:
        return f"RULES.md {self.number}, {self.title}"


COMMON: Final = RuleSection("0", "Race basics")
THROWING: Final = RuleSection("0", "Throwing")


def section(rules: str, code: str) -> RuleSection:
    """Return the section for a refusal code in the rule set with that id.

    >>> str(section("finkel", "wrong-distance"))
    'RULES.md 0, Race basics'
    """
    kind = RULE_SETS[rules]
    if kind.own_codes is None or code in kind.own_codes:
        return RuleSection(str(kind.section), kind.id)
    return COMMON
