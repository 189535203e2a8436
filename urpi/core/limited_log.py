"""Warnings about what others send, of which a flood must not fill the log."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

INTERVAL_S: Final = 60.0
"""Shortest time between two lines about the same sender."""
MAX_SENDERS: Final = 256
"""Maximum number of senders that are remembered, the newest ones."""


@dataclass(slots=True)
class _Sender:
    logged: float
    left_out: int = 0


class LimitedLog:
    """Logs at most one line about a sender a minute, with the number left out. Thread-safe.

    Args:
        log: The log.
        clock: Returns seconds, never decreasing.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._clock = log, clock
        self._senders: OrderedDict[str, _Sender] = OrderedDict()
        self._lock = Lock()

    def warning(self, sender: str, text: str, error: Exception | None = None) -> int:
        """Log a sentence about what a sender has sent, with the traceback of an error.

        Returns:
            The number of warnings that the line stands for, 0 if this one was left out.
        """
        now = self._clock()
        with self._lock:
            known = self._senders.pop(sender, None)
            if known is not None and now - known.logged < INTERVAL_S:
                known.left_out += 1
                self._senders[sender] = known
                return 0
            self._senders[sender] = _Sender(now)
            if len(self._senders) > MAX_SENDERS:
                self._senders.popitem(last=False)
        left_out = 0 if known is None else known.left_out
        more = f" ({left_out} more since the last such line)" if left_out else ""
        # Outside of the lock: writing a line to a slow log must not hold up other threads.
        self._log.warning("%s%s", text, more, exc_info=error)
        return left_out + 1
