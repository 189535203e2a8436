"""The rule sets with their house rules, for who begins a game."""

from typing import Any

from urpi.rules import RULE_SETS
from urpi.words import Words


def rulesets_document(words: Words) -> list[dict[str, Any]]:
    """Every rule set: id, name, how it is decided who begins, and its options, default first."""
    return [
        {
            "id": kind.id,
            "name": words.rules(kind.id),
            "starter": kind.starter.value,
            "options": [
                {"name": one.name, "values": list(one.values), "about": words.text(one.about)}
                for one in kind.known_options
            ],
        }
        for kind in RULE_SETS.values()
    ]
