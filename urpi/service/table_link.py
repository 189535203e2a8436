"""The connection to other tables, as the service uses it."""

from typing import Protocol

from urpi.link.broker.state_message import ClubStatus


class TableLink(Protocol):
    """The connection to other tables, such as `urpi.link.broker.club_link.ClubLink`."""

    @property
    def can_send(self) -> bool:
        """Whether the broker is connected. Thread-safe."""

    @property
    def status(self) -> ClubStatus | None:
        """The state of the connection to the club, None without one. Thread-safe."""

    def look_for_tables(self) -> tuple[str, ...]:
        """The ids of the tables that can be invited, as far as they are known. Thread-safe.

        They arrive soon after the first call, and are kept up to date for a minute after the last.
        """

    def is_offline(self, table: str) -> bool:
        """Whether the table of a common game is known to have left the broker. Thread-safe."""

    def announce_free(self, free: bool) -> None:
        """Publish soon whether this table can be invited. Never waits; thread-safe."""

    def send(self, table: str, message: bytes) -> None:
        """Send a message to another table soon, or never. Never waits; thread-safe."""
