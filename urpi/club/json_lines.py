"""JSON objects received from a broker: without duplicate keys, and with text that can be stored."""

import json
from typing import Any, NoReturn

from urpi.errors import UrpiError


def parse_object(line: str) -> dict[str, Any]:
    """Return the object of a line.

    Raises:
        UrpiError: If it is not one JSON object.
    """
    try:
        found = json.loads(line, object_pairs_hook=_unique, parse_constant=_reject_constant)
        # A lone surrogate passes json.loads, but no file could store it.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        message = "duplicate key"
        raise ValueError(message)
    return found


def _reject_constant(name: str) -> NoReturn:
    message = f"{name} is not valid JSON"
    raise ValueError(message)
