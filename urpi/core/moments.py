"""Moments as text, ISO 8601 with the offset from UTC, and the clock of everything that waits."""

import time
from datetime import datetime

from urpi.core.errors import UrpiError


def parse_moment(text: str, name: str) -> datetime:
    """The moment of a text.

    Args:
        text: The text.
        name: What the error message calls it.

    Raises:
        UrpiError: If it is not a time with its offset from UTC.

    >>> parse_moment("2026-11-20T19:02:11+01:00", "The time").isoformat()
    '2026-11-20T19:02:11+01:00'
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        message = f"{name} must look like 2026-11-20T19:02:11+01:00; found {text[:60]!r}."
        raise UrpiError(message)
    return moment


def local_now() -> datetime:
    """The local time, with its offset from UTC."""
    return datetime.now().astimezone()


def milliseconds() -> int:
    """The monotonic time in whole milliseconds."""
    return time.monotonic_ns() // 1_000_000
