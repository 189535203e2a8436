"""Notifications to systemd about the state of the service (sd_notify(3)).

Each is a datagram to the socket that ``NOTIFY_SOCKET`` names. Without one, nothing is sent.
"""

import socket
from collections.abc import Callable, Mapping
from typing import Final

KEEP_ALIVES_PER_TIMEOUT: Final = 3
"""Keep-alive messages per watchdog timeout. sd_watchdog_enabled(3) recommends two."""


class Supervisor:
    """Sends the state of the service to systemd.

    Args:
        environment: environment variables of the process.
        clock: monotonic time in milliseconds.
    """

    def __init__(self, environment: Mapping[str, str], clock: Callable[[], int]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        timeout_ms = int(environment.get("WATCHDOG_USEC") or 0) // 1000
        self._every_ms = timeout_ms // KEEP_ALIVES_PER_TIMEOUT
        self._clock, self._due = clock, 0
        self._status = self._problem = ""
        self.is_present = bool(self._address)
        """Whether systemd supervises this process."""

    def ready(self, status: str) -> None:
        """Report that the service has started; ``systemctl status`` shows the status."""
        self._status, self._problem = status, ""
        self._send(f"READY=1\nSTATUS={_one_line(status)}")

    def report_problem(self, problem: str) -> None:
        """Report what is wrong, empty for nothing; `systemctl status` shows it with the status."""
        if problem != self._problem:
            self._problem = problem
            text = f"{self._status}; {problem}" if problem else self._status
            self._send(f"STATUS={_one_line(text)}")

    def alive(self) -> None:
        """Send a keep-alive message if one is due.

        Call it only where the service does its work: a keep-alive from another thread would hide
        that the work has stopped.
        """
        now = self._clock()
        if self._every_ms and now >= self._due:
            self._due = now + self._every_ms
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Report that the service is shutting down."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the zero byte of an abstract address.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
                end.connect(address)
                end.send(message.encode())
        except OSError:
            # A lost notification must not interrupt the game; systemd restarts the service if
            # keep-alives stay away.
            return


def _one_line(text: str) -> str:
    return " ".join(text.split())
