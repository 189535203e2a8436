"""The link of a running program to its club, if one is configured."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from urpi.config import ClubSection
from urpi.core.errors import UrpiError
from urpi.core.moments import local_now
from urpi.link.broker.broker_settings import broker_settings
from urpi.link.broker.state_message import ClubStatus, TableState

if TYPE_CHECKING:
    from urpi.link.broker.connection import ClubConnection

_log: Final = logging.getLogger(__name__)


class ClubLink:
    """Publishes a table while `opened`, if the configuration has a broker.

    Args:
        section: The configuration.
        journal: The journal.
        table: The name of the table in the journal.
    """

    def __init__(self, section: ClubSection, journal: Path, table: str) -> None:
        self._section, self._journal, self._table = section, journal, table
        self._connection: ClubConnection | None = None
        self._free = False
        self.on_message: Callable[[str, bytes], None] | None = None
        """Called with another table's id and its message; to be assigned before `opened`."""
        self.on_connected: Callable[[], None] = lambda: None
        """Called when the broker is connected; to be assigned before `opened`."""
        self.on_next: Callable[[bytes], None] = lambda _message: None
        """Called with the club's message about the next game here, empty if there is none; to be
        assigned before `opened`."""

    @property
    def is_open(self) -> bool:
        """Whether states are published."""
        return self._connection is not None

    @property
    def status(self) -> ClubStatus | None:
        """The state of the connection, None if there is none. Thread-safe."""
        return None if self._connection is None else self._connection.status

    @property
    def can_send(self) -> bool:
        """Whether the broker is connected. Thread-safe."""
        return self._connection is not None and self._connection.is_connected

    def send(self, table: str, message: bytes) -> None:
        """Send a message to another table soon, or never. Never waits; thread-safe."""
        if self._connection is not None:
            self._connection.send_to(table, message)

    def look_for_tables(self) -> tuple[str, ...]:
        """As `ClubConnection.look_for_tables`; none without a connection."""
        return () if self._connection is None else self._connection.look_for_tables()

    def is_offline(self, table: str) -> bool:
        """As `ClubConnection.is_offline`; False without a connection."""
        return self._connection is not None and self._connection.is_offline(table)

    def announce_free(self, free: bool) -> None:
        """Publish soon whether this table can be invited. Never waits; thread-safe."""
        # The service calls this only for changes, and may do so before the connection is opened.
        self._free = free
        if self._connection is not None:
            self._connection.announce_free(free)

    def publish(self, state: TableState) -> None:
        """Publish a state of the table soon. Never waits; thread-safe."""
        if self._connection is not None:
            self._connection.publish(state)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Connect, if there is a broker. If that is impossible, the reason is logged."""
        self._connection = self._make_connection() if self._section.broker else None
        try:
            if self._connection is not None:
                # Before `open`: paho's thread may call them as soon as it is started.
                self._connection.on_message_of_table = self.on_message
                self._connection.on_connected = self.on_connected
                self._connection.on_next = self.on_next
                self._connection.announce_free(self._free)
                self._connection.open()
            yield
        finally:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def _make_connection(self) -> "ClubConnection | None":
        # Imported here: without a broker no library of MQTT is needed.
        from urpi.link.broker.connection import ClubConnection  # noqa: PLC0415

        try:
            return ClubConnection(
                broker_settings(self._section),
                self._journal,
                self._table,
                clock=lambda: time.monotonic_ns() // 1_000_000,
                now=local_now,
                home_assistant=self._section.home_assistant,
            )
        except UrpiError as error:
            _log.warning("Nothing is sent to the club. %s", error)
            return None
