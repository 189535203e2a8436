"""Waiting for what another thread or another process does."""

import time
from collections.abc import Callable
from typing import TypeVar

DEADLINE_S = 240.0
"""Default timeout. A busy machine may not run the other thread for a long time."""
LONGEST_PAUSE_S = 0.05
"""Longest pause between two checks; it begins with a millisecond and doubles."""

_T = TypeVar("_T")


def wait_until(condition: Callable[[], _T], what: str, timeout_s: float = DEADLINE_S) -> _T:
    """Wait until a condition holds, and return its value.

    Args:
        condition: Checked repeatedly; it must not depend on how often.
        what: What is awaited, for the error: a noun phrase, or a clause.
        timeout_s: Longest time to wait, in seconds.

    Raises:
        AssertionError: If the condition does not hold in time.
    """
    deadline = time.monotonic() + timeout_s
    pause_s = 0.001
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {timeout_s:.0f} s: {what}"
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
    return found
