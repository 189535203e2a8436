"""Consents: which players of a table agree that its club shows their names.

They are a preference of the table: a JSON object with the names, and for each the number of the
table's last game when the player agreed. A consent is valid for later games only.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from urpi.journal.journal import Journal

CONSENTS: Final = "consents"
"""The preference's name."""
SHOWN: Final = "shown"
"""The name of the preference with the players whose pages everyone may see."""
NO_CONSENTS: Final = "{}"
MAX_NAMES: Final = 1000
"""Maximum number of names; with one more, the oldest consent ends."""

LONGEST_NAME: Final = 200
"""Maximum length of a name that is published (FORMATS.md, Club)."""


def parse_consents(text: str) -> dict[str, int]:
    """Return the number of the last game before each consent, by name; empty if invalid.

    >>> parse_consents('{"Ann":3}'), parse_consents('["Ann"]')
    ({'Ann': 3}, {})
    """
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or not all(type(game) is int for game in found.values()):
        return {}
    return found


def with_consent(text: str, name: str, last_game: int) -> str:
    """The consents with another name, unless it already has one.

    Args:
        text: The consents.
        name: The name, at most `LONGEST_NAME` characters, as imported games may have longer ones
            that a club does not accept; without one there is nothing to agree to.
        last_game: The number of the table's last game, 0 before the first.
    """
    found = parse_consents(text)
    if not name or len(name) > LONGEST_NAME or name in found:
        return text
    # JSON objects and dicts keep their order, so the first of them is the oldest.
    return _dump(dict([*found.items(), (name, last_game)][-MAX_NAMES:]))


def without_consent(text: str, name: str) -> str:
    return _dump({one: game for one, game in parse_consents(text).items() if one != name})


def read_consents(journal: Journal, table: str, preference: str = CONSENTS) -> dict[str, int]:
    """Return the number of the last game before each consent at a table, by name.

    `preference` is the one with the consents: that of names for the club by default.

    Raises:
        UrpiError: If the journal cannot be read.
    """
    stored = {name: value for owner, name, value, _ in journal.preferences() if owner == table}
    return parse_consents(stored.get(preference, NO_CONSENTS))


def _dump(consents: Mapping[str, int]) -> str:
    return json.dumps(consents, ensure_ascii=False, separators=(",", ":"))
