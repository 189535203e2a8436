"""The registry of rule sets, and the parsers of rule sets and positions."""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, cast

from urpi.core.errors import UrpiError
from urpi.core.lazy import load
from urpi.rules.options import Options, changed_options, check_options
from urpi.rules.position import Position, read_position
from urpi.rules.ruleset import RuleSet

_CLASSES: Final = {
    "finkel": ("finkel", "Finkel"),
    "finkel3": ("finkel", "FinkelThree"),
    "murray": ("murray", "Murray"),
    "bell": ("bell", "Bell"),
    "coursework": ("coursework", "Coursework"),
    "skiryuk": ("skiryuk", "Skiryuk"),
    "ravensburger": ("ravensburger", "Ravensburger"),
    "freecompany": ("freecompany", "FreeCompany"),
    "masters": ("masters", "Masters"),
    "blitz": ("masters", "Blitz"),
}
"""The module and the class of each rule set by its id."""


@cache
def _class_of(name: str) -> type[RuleSet]:
    module, kind = _CLASSES[name]
    return cast("type[RuleSet]", load(f"urpi.rules.{module}", kind))


class _RuleSets(Mapping[str, type[RuleSet]]):
    """The rule sets by id, imported on first use: a game needs one of them."""

    def __getitem__(self, name: str) -> type[RuleSet]:
        return _class_of(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)

    def __contains__(self, name: object) -> bool:
        return name in _CLASSES


RULE_SETS: Final = _RuleSets()
"""All rule sets by id, the default first."""


def rule_set(name: str, options: Mapping[str, str] | None = None) -> RuleSet:
    """Return a rule set by its id and options; the same arguments return the same object.

    Options that are not given have the defaults of RULES.md.

    Raises:
        UrpiError: If the id or an option is unknown, or the value of an option is invalid.
    """
    if name not in RULE_SETS:
        message = f"There is no rule set {name!r:.60}; the rule sets are {', '.join(RULE_SETS)}."
        raise UrpiError(message)
    known = RULE_SETS[name].known_options
    return _shared(name, changed_options(known, check_options(name, known, options or {})))


@cache
def _shared(name: str, changed: Options) -> RuleSet:
    return RULE_SETS[name](dict(changed))


def parse_rules(word: str, more: Mapping[str, str] = MappingProxyType({})) -> RuleSet:
    """Parse the RULES word of a position, or the Rules tag of a record.

    Args:
        word: The id, and in brackets the options that differ from their defaults.
        more: Further options; by default none.

    Raises:
        UrpiError: If the word or an option is invalid, or an option is given twice.

    >>> parse_rules("finkel[pieces=3]").pieces
    3
    >>> parse_rules("murray[loop=own-first]", {"pieces": "5"}).text
    'murray[loop=own-first;pieces=5]'
    """
    name, bracket, rest = word.partition("[")
    if not bracket:
        return rule_set(name, more)
    if not rest.endswith("]"):
        form = "murray[loop=own-first]"
        message = f"A rule set with options must look like {form}; found {word!r:.60}."
        raise UrpiError(message)
    options: dict[str, str] = {}
    for setting in rest[:-1].split(";"):
        key, equals, value = setting.partition("=")
        if not equals or key in options:
            message = f"An option must be NAME=VALUE, each given once; found {setting!r:.60}."
            raise UrpiError(message)
        options[key] = value
    for key in options.keys() & more.keys():
        given = f"{word:.60} and as {key:.60}={more[key]:.60}"
        message = f"The option {key:.60} is given in {given}; give it once."
        raise UrpiError(message)
    return rule_set(name, {**options, **more})


def parse_position(text: str) -> Position:
    """Parse a position (FORMATS.md, Positions) and check it with its rule set.

    Raises:
        UrpiError: If a word is invalid, or the position is impossible in the rule set.

    >>> str(parse_position("finkel - L7D7 L0D0 L"))
    'finkel - L7D7 L0D0 L'
    """
    position = read_any_position(text)
    position.rules.check(position)
    return position


def read_any_position(text: str) -> Position:
    """Parse a position without checking it with its rule set.

    Raises:
        UrpiError: If a word is invalid.
    """
    words = text.split(" ")
    return read_position(parse_rules(words[0]), words[1:])
