"""Which language a browser's reader is served: pure, from what the browser says of it."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

_RANGE: Final = re.compile(
    r"\s*(?P<tag>[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*"
    r"(?:;\s*[qQ]\s*=\s*(?P<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?"
)
"""One of the header's parts (RFC 9110, 12.4.2 and 12.5.4)."""


def best_language(accept_language: str, available: Sequence[str]) -> str | None:
    """The available language that a browser wants most; None where it wants none of them.

    A region is left out where only the language itself is there: ``pt-BR`` takes ``pt``
    (RFC 4647, 3.4, Lookup). Of equal wishes the first said holds. ``*`` takes the first
    available one that is not refused by a weight of 0. A part that cannot be read is passed
    over, for it is not the reader's fault.

    >>> best_language("fr-CH, fr;q=0.9, en;q=0.8", ("en", "fr", "pt"))
    'fr'
    >>> best_language("de;q=0.7, *;q=0.1", ("en", "fr")), best_language("de", ("en",))
    ('en', None)
    """
    wishes = [_wish(part) for part in accept_language.split(",")]
    known = [(tag, weight) for tag, weight in wishes if tag]
    refused = {tag for tag, weight in known if weight == 0}
    left = [language for language in available if language.lower() not in refused]
    for tag, weight in sorted(known, key=lambda wish: -wish[1]):
        found = _found(tag, left) if weight else None
        if found is not None:
            return found
    return None


def _wish(part: str) -> tuple[str, float]:
    match = _RANGE.fullmatch(part)
    return (match["tag"].lower(), float(match["weight"] or 1)) if match else ("", 0.0)


def _found(tag: str, available: Iterable[str]) -> str | None:
    by_tag = {language.lower(): language for language in available}
    if tag == "*":
        return next(iter(by_tag.values()), None)
    while tag:
        if tag in by_tag:
            return by_tag[tag]
        tag = tag.rpartition("-")[0]
    return None
