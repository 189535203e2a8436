"""Requests about positions: JSON objects, one on each line of standard input."""

import json
from typing import Final

from urpi.core.errors import UrpiError

MAX_LINE_BYTES: Final = 4096
"""Maximum length of a request in bytes, ten times that of the longest position."""


def parse_request(line: bytes) -> dict[str, object]:
    """The object of a line.

    Raises:
        UrpiError: If the line is too long or is not valid JSON object.
    """
    if len(line) > MAX_LINE_BYTES:
        message = f"A request must be at most {MAX_LINE_BYTES} bytes long; found a longer line."
        raise UrpiError(message)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f'A request must be a JSON object, {{"position": TEXT, "faces": TEXT}}; {error}.'
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A request must be a JSON object; found {type(found).__name__}."
        raise UrpiError(message)
    return found


def text_of(request: dict[str, object], key: str) -> str:
    """The text of a key.

    Raises:
        UrpiError: If there is none.
    """
    value = request.get(key)
    if not isinstance(value, str):
        message = f"A request must have {key!r} with a text; found {value!r:.60}."
        raise UrpiError(message)
    return value
