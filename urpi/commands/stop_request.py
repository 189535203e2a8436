"""The request to end a program, by Ctrl-C or SIGTERM."""

import signal
from collections.abc import Mapping
from types import FrameType
from typing import Any


class StopRequest:
    """Whether a signal has requested the end of the program."""

    def __init__(self) -> None:
        self.requested = False

    def handle_signals(self) -> Mapping[int, Any]:
        """Handle SIGINT and SIGTERM from now on, and return their handlers before."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        return {number: signal.signal(number, self._on_signal) for number in numbers}

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.requested = True
