"""The request to end a program, by Ctrl-C or SIGTERM."""

import faulthandler
import signal
import socket
from collections.abc import Mapping
from threading import Thread
from types import FrameType
from typing import Any, Final

STOP_S: Final = 20.0
"""Seconds from a signal until the process ends in any case."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Whether a signal has requested the end of the program.

    The program then closes its devices, the page and the journal. If anything of that does not
    end, the process prints where each thread is and ends after `stop_s` nevertheless, with status
    1. Every decision that was shown is in the journal by then.

    Args:
        stop_s: Seconds from the first signal until the process ends in any case.
    """

    def __init__(self, stop_s: float = STOP_S) -> None:
        self.requested = False
        self._stop_s = stop_s

    def handle_signals(self) -> Mapping[int, Any]:
        """Handle SIGINT and SIGTERM from now on, and return their handlers before."""
        # Open for the life of the process: Python prints a traceback for each signal that it cannot
        # write, such as a second Ctrl-C.
        self._receiver, sender = socket.socketpair()
        sender.setblocking(False)
        # Python's handlers run in the main thread, which may be what hangs. This works without it.
        signal.set_wakeup_fd(sender.detach(), warn_on_full_buffer=False)
        Thread(target=self._watch, args=(self._receiver,), name="urpi-stop", daemon=True).start()
        return {number: signal.signal(number, self._on_signal) for number in _SIGNALS}

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.requested = True

    def _watch(self, receiver: socket.socket) -> None:
        """Limit the time to stop once a signal has arrived."""
        while not set(receiver.recv(16)) & {int(number) for number in _SIGNALS}:
            pass
        # A thread in C, which ends the process even while the interpreter is shutting down.
        faulthandler.dump_traceback_later(self._stop_s, exit=True, file=2)
