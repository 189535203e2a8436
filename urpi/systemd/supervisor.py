"""What a service says to systemd: ready, alive, stopping (sd_notify(3)).

A datagram to the socket that ``NOTIFY_SOCKET`` names. Without one, nothing is said.
"""

import socket
from collections.abc import Callable, Mapping
from typing import Final

SHARE: Final = 3
"""Alive is said so many times in the time that systemd waits."""


class Supervisor:
    """Tells systemd how the service is. `clock` gives milliseconds, never decreasing."""

    def __init__(self, environment: Mapping[str, str], clock: Callable[[], int]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._every_ms = int(environment.get("WATCHDOG_USEC") or 0) // 1000 // SHARE
        self._clock, self._due = clock, 0

    def ready(self, status: str) -> None:
        """The service plays; `status` is shown by ``systemctl status``."""
        self._say(f"READY=1\nSTATUS={_one_line(status)}")

    def status(self, status: str) -> None:
        """What the service does now."""
        self._say(f"STATUS={_one_line(status)}")

    def alive(self) -> None:
        """The service has just done its work. To be called where it does it, and nowhere else."""
        now = self._clock()
        if self._every_ms and now >= self._due:
            self._due = now + self._every_ms
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """The service has been told to stop, and stores what is left."""
        self._say("STOPPING=1")

    def _say(self, words: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the zero byte of an abstract address.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
                wire.connect(address)
                wire.send(words.encode())
        except OSError:
            # Nobody listens; the game is more than its supervision.
            return


def _one_line(text: str) -> str:
    return " ".join(text.split())
