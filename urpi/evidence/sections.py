"""Which section of RULES.md a refusal rests on, by rule set.

A set's own section where it speaks of the matter, else the common frame, which holds unless
a set says otherwise.
"""

from typing import Final, NamedTuple


class Section(NamedTuple):
    """A section of RULES.md: its number and its heading there."""

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

_SPEAKS_OF: Final = {
    "finkel": {"safe-square", "inexact-exit", "own-piece-there", "must-move"},
    "finkel3": {"safe-square", "inexact-exit"},
    "murray": {"safe-square", "own-piece-there"},
    "bell": {"must-enter", "safe-square", "inexact-exit", "must-move"},
    "coursework": {"must-enter", "safe-square", "inexact-exit", "own-piece-there", "must-move"},
    "skiryuk": {
        *("camp-held", "camp-full", "other-face", "safe-square", "inexact-exit", "must-move"),
    },
}
"""What a race's own section says; the two sets that are no races say everything themselves."""


def section(rules: str, code: str) -> Section:
    """The section that a refusal's code rests on in the rule set of that id.

    >>> str(section("finkel", "wrong-distance"))
    'RULES.md 0, Race basics'
    """
    speaks_of = _SPEAKS_OF.get(rules)
    return OWN[rules] if speaks_of is None or code in speaks_of else COMMON
