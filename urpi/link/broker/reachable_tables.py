"""The other tables of a broker: which are connected, and which can be invited to a game."""

from collections.abc import Callable
from typing import Final

from urpi.link.protocol.message_parsers import parse_free, parse_online
from urpi.link.protocol.topics import parse_topic

MAX_TABLES: Final = 10_000
"""Maximum number of tables that are kept; messages of further ones are ignored."""


class ReachableTables:
    """What the other tables have announced. One thread calls `receive`, any thread reads.

    Args:
        me: The id of this table, whose own messages are ignored.
    """

    def __init__(self, me: str) -> None:
        self._me = me
        self._online: dict[str, bool] = {}
        self._free: dict[str, bool] = {}

    def receive(self, topic: str, data: bytes) -> bool:
        """Process a message, and return whether it is one about tables.

        Raises:
            UrpiError: If it is, and invalid.
        """
        kind = topic.rpartition("/")[2]
        if kind == "online":
            self._note(topic, data, self._online, parse_online)
        elif kind == "free":
            self._note(topic, data, self._free, parse_free)
        else:
            return False
        return True

    def _note(
        self, topic: str, data: bytes, known: dict[str, bool], parse: Callable[[bytes], bool]
    ) -> None:
        table = parse_topic(topic).table
        if table == self._me or (table not in known and len(known) >= MAX_TABLES):
            return
        if data:
            known[table] = parse(data)
        else:
            # The broker's operator has removed the retained message.
            known.pop(table, None)

    def clear(self) -> None:
        """Forget everything, as a new connection brings it again."""
        self._online, self._free = {}, {}

    @property
    def free(self) -> tuple[str, ...]:
        """The ids of the tables that are connected and can be invited, in their order."""
        # Another thread may change them; `copy` of a dict is not interrupted.
        online, free = self._online.copy(), self._free.copy()
        return tuple(sorted(table for table in free if free[table] and online.get(table)))

    def is_offline(self, table: str) -> bool:
        """Return whether a table was connected and is not any more; False if it is not known."""
        return self._online.get(table) is False
