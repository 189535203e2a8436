"""The section of RULES.md that a refusal follows from, by rule set.

It is the section of the rule set if that defines the rule, else the common section.
"""

from typing import Final, NamedTuple


class Section(NamedTuple):
    """Number and heading of a section of RULES.md."""

    number: str
    title: str

    def __str__(self) -> str:
        return f"RULES.md {self.number}, {self.title}"


COMMON: Final = Section("0", "Race basics")
THROWING: Final = Section("0", "Throwing")

_NUMBERS: Final = {
    "finkel": "1",
    "finkel3": "2",
    "murray": "3",
    "bell": "4",
    "coursework": "5",
    "skiryuk": "6",
    "ravensburger": "7",
    "freecompany": "8",
}
OWN: Final = {rules: Section(number, rules) for rules, number in _NUMBERS.items()}

_DEFINES: Final = {
    "finkel": {"safe-square", "inexact-exit", "own-piece-there", "must-move"},
    "finkel3": {"safe-square", "inexact-exit"},
    "murray": {"safe-square", "own-piece-there"},
    "bell": {"must-enter", "safe-square", "inexact-exit", "must-move"},
    "coursework": {"must-enter", "safe-square", "inexact-exit", "own-piece-there", "must-move"},
    "skiryuk": {
        *("camp-held", "camp-full", "other-face", "safe-square", "inexact-exit", "must-move"),
    },
}
"""Refusal codes that a race's own section defines. Rule sets that are not listed define all."""


def section(rules: str, code: str) -> Section:
    """Return the section for a refusal code in the rule set with that id.

    >>> str(section("finkel", "wrong-distance"))
    'RULES.md 0, Race basics'
    """
    defines = _DEFINES.get(rules)
    return OWN[rules] if defines is None or code in defines else COMMON
