"""Choice of a language by a browser's Accept-Language header. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

_RANGE: Final = re.compile(
    r"\s*(?P<tag>[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*"
    r"(?:;\s*[qQ]\s*=\s*(?P<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?"
)
"""One element of the header (RFC 9110, 12.4.2 and 12.5.4)."""


def best_language(accept_language: str, available: Sequence[str]) -> str | None:
    """Return the available language that a browser prefers, None if it accepts none of them.

    A region is ignored if only the language itself is available: ``pt-BR`` matches ``pt``
    (RFC 4647, 3.4, Lookup). Of languages with the same weight the first one wins. ``*`` matches
    the first available one that is not excluded by a weight of 0. Invalid elements are ignored.

    >>> best_language("fr-CH, fr;q=0.9, en;q=0.8", ("en", "fr", "pt"))
    'fr'
    >>> best_language("de;q=0.7, *;q=0.1", ("en", "fr")), best_language("de", ("en",))
    ('en', None)
    """
    ranges = [_language_range(part) for part in accept_language.split(",")]
    valid = [(tag, weight) for tag, weight in ranges if tag]
    excluded = {tag for tag, weight in valid if weight == 0}
    allowed = [language for language in available if language.lower() not in excluded]
    for tag, weight in sorted(valid, key=lambda language: -language[1]):
        found = _lookup(tag, allowed) if weight else None
        if found is not None:
            return found
    return None


def _language_range(part: str) -> tuple[str, float]:
    match = _RANGE.fullmatch(part)
    return (match["tag"].lower(), float(match["weight"] or 1)) if match else ("", 0.0)


def _lookup(tag: str, available: Iterable[str]) -> str | None:
    by_tag = {language.lower(): language for language in available}
    if tag == "*":
        return next(iter(by_tag.values()), None)
    while tag:
        if tag in by_tag:
            return by_tag[tag]
        tag = tag.rpartition("-")[0]
    return None
