"""The registry of rule sets, and the parsers of rule sets and positions."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from urpi.errors import UrpiError
from urpi.rules.bell import Bell
from urpi.rules.coursework import Coursework
from urpi.rules.finkel import Finkel, FinkelThree
from urpi.rules.freecompany import FreeCompany
from urpi.rules.murray import Murray
from urpi.rules.options import Options, changed_options, check_options
from urpi.rules.position import Position, read_position
from urpi.rules.ravensburger import Ravensburger
from urpi.rules.ruleset import RuleSet
from urpi.rules.skiryuk import Skiryuk

RULE_SETS: Final[Mapping[str, type[RuleSet]]] = {
    kind.id: kind
    for kind in (Finkel, FinkelThree, Murray, Bell, Coursework, Skiryuk, Ravensburger, FreeCompany)
}
"""All rule sets by id, the default first."""


def rule_set(name: str, options: Mapping[str, str] | None = None) -> RuleSet:
    """Return a rule set by its id and options; the same arguments return the same object.

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


def parse_rules(word: str) -> RuleSet:
    """Parse the RULES word of a position, or the Rules tag of a record.

    Raises:
        UrpiError: If the word is invalid.

    >>> parse_rules("finkel[pieces=3]").pieces
    3
    """
    name, bracket, rest = word.partition("[")
    if not bracket:
        return rule_set(name)
    if not rest.endswith("]"):
        message = f"A rule set with options looks like murray[loop=own-first]; found {word!r}."
        raise UrpiError(message)
    options: dict[str, str] = {}
    for setting in rest[:-1].split(";"):
        key, equals, value = setting.partition("=")
        if not equals or key in options:
            message = f"An option is NAME=VALUE, each given once; found {setting!r} in {word!r}."
            raise UrpiError(message)
        options[key] = value
    return rule_set(name, options)


def parse_position(text: str) -> Position:
    """Parse a position (FORMATS.md, Positions) and check it with its rule set.

    Raises:
        UrpiError: If a word is invalid, or the position is impossible in the rule set.

    >>> str(parse_position("finkel - L7D7 L0D0 L"))
    'finkel - L7D7 L0D0 L'
    """
    words = text.split(" ")
    rules = parse_rules(words[0])
    position = read_position(rules, words[1:])
    rules.check(position)
    return position
