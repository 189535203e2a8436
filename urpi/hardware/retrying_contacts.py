"""Contacts that are opened again until their pins are available.

A pin can be held by another program, or its chip appear late after boot. This module decides
when to retry; what is opened is defined in `urpi.hardware.contacts`.
"""

from collections.abc import Callable
from threading import Event
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread
from urpi.hardware.contacts import Contacts
from urpi.hardware.gpio import PinsUnavailableError
from urpi.hardware.watched_chip import OnFault
from urpi.referee.facts import Occupancy

RETRY_S: Final = 1.0
"""Seconds between two attempts to open the contacts."""


class RetryingContacts:
    """Contacts that are opened at once or as soon as their pins are available, until `close`.

    Args:
        open_contacts: Opens the contacts.
        on_fault: Called with the error when the pins are unavailable, and with None once the
            contacts are open. The latter call comes from a thread of this object.
        retry_s: Seconds between two attempts.
    """

    def __init__(
        self,
        open_contacts: Callable[[], Contacts],
        on_fault: OnFault,
        *,
        retry_s: float = RETRY_S,
    ) -> None:
        """Open the contacts, or start the thread that retries.

        Raises:
            UrpiError: If retrying cannot help: a library is missing, or the wiring is invalid.
        """
        self._open_contacts, self._on_fault, self._retry_s = open_contacts, on_fault, retry_s
        self._contacts: Contacts | None = None
        self._closing = Event()
        self._thread = SupervisedThread(self._run, "contacts", affects_players=True)
        try:
            self._contacts = open_contacts()
        # Every other error would be the same at the next attempt, and is raised.
        except PinsUnavailableError as error:
            on_fault(error)
            self._thread.start()

    def read(self) -> Occupancy | None:
        """Return the current level of every square's contact, not debounced.

        None while the contacts are not open.

        Raises:
            UrpiError: If a pin cannot be read.
        """
        return None if self._contacts is None else self._contacts.read()

    def close(self) -> None:
        """Stop retrying and close the contacts. No fact is emitted afterwards."""
        self._closing.set()
        # Before closing the contacts: the thread may just be opening them.
        self._thread.end()
        if self._contacts is not None:
            self._contacts.close()

    def _run(self) -> None:
        while not self._closing.wait(self._retry_s):
            self._thread.part.alive()
            try:
                self._contacts = self._open_contacts()
            except UrpiError:
                continue
            self._on_fault(None)
            return
