"""Contacts that may not be there yet: a pin that another program holds, a chip that is late.

Owns when they are opened again; what they are is `urpi.devices.contacts`'.
"""

from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from urpi.devices.contacts import Contacts
from urpi.devices.gpio import PinsUnavailableError
from urpi.devices.watched_chip import OnFault
from urpi.errors import UrpiError
from urpi.referee.facts import Occupancy

RETRY_S: Final = 1.0
"""They are opened again so often."""


class RetryingContacts:
    """Opens contacts, at once or as soon as they can be, and watches them until `close`.

    `open_contacts` opens them. While their pins are away, `on_fault` has been told why, and it
    is told None when they are there; later from a thread of our own.
    """

    def __init__(
        self,
        open_contacts: Callable[[], Contacts],
        on_fault: OnFault,
        *,
        retry_s: float = RETRY_S,
    ) -> None:
        """Open them, or begin to try.

        Raises:
            UrpiError: when they never can be: a library is missing, or the wiring is wrong.
        """
        self._open_contacts, self._on_fault, self._retry_s = open_contacts, on_fault, retry_s
        self._contacts: Contacts | None = None
        self._closing = Event()
        self._thread = Thread(target=self._run, name="urpi-contacts", daemon=True)
        try:
            self._contacts = open_contacts()
        except PinsUnavailableError as error:
            on_fault(error)
            self._thread.start()

    def read(self) -> Occupancy | None:
        """Every square's contact as it is now, bounce included; None while nobody can look.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        return None if self._contacts is None else self._contacts.read()

    def close(self) -> None:
        """Give everything back; nothing is emitted afterwards."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._contacts is not None:
            self._contacts.close()

    def _run(self) -> None:
        while not self._closing.wait(self._retry_s):
            try:
                self._contacts = self._open_contacts()
            except UrpiError:
                continue
            self._on_fault(None)
            return
