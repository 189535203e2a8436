"""Strict JSON: an object has each of its keys once, and NaN and the infinities are invalid.

The decoder of the standard library accepts both by default. Pure: no I/O.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NoReturn

from urpi.core.errors import UrpiError


def parse(text: str, parse_float: Callable[[str], Any] | None = None) -> Any:
    """Parse a text whose values can be stored.

    Args:
        text: The text, of a limited length.
        parse_float: Converts a number with a fraction or an exponent; by default `float`.

    Raises:
        ValueError: If it is not strict JSON, is nested too deeply for the decoder, or has an
            escaped lone surrogate, which no file could store.

    >>> parse('{"a":1}')
    {'a': 1}
    """
    try:
        found = decode(text) if parse_float is None else _decoder(parse_float).decode(text)
        # Fails for a lone surrogate, which JSON can escape and UTF-8 has no bytes for.
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        message = "nested too deeply"
        raise ValueError(message) from error
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        message = "a key occurs twice"
        raise ValueError(message)
    return found


def _reject_constant(name: str) -> NoReturn:
    message = f"{name} is not valid JSON"
    raise ValueError(message)


def _decoder(parse_float: Callable[[str], Any] | None = None) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_unique, parse_constant=_reject_constant, parse_float=parse_float
    )


decode: Final = _decoder().decode
"""Parse a text without testing whether its values can be stored.

Raises:
    ValueError: If it is not strict JSON.
    RecursionError: If it is nested too deeply.
"""


def parse_object(line: str) -> dict[str, Any]:
    """The object of a line received from elsewhere.

    Raises:
        UrpiError: If it is not one JSON object.
    """
    try:
        found = parse(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message)
    return found
