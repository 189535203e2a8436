"""JSON objects received from a broker: strict JSON, with text that can be stored."""

from typing import Any

from urpi.core import strict_json
from urpi.core.errors import UrpiError


def parse_object(line: str) -> dict[str, Any]:
    """The object of a line.

    Raises:
        UrpiError: If it is not one JSON object.
    """
    try:
        found = strict_json.parse(line)
    except ValueError as error:
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message)
    return found
