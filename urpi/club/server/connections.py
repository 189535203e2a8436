"""Which tables are connected to the broker, and which are silent."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from urpi.club.server.presence import CLUB

if TYPE_CHECKING:
    from psycopg import Connection


class TableConnection(NamedTuple):
    """What the club knows of a table's connection.

    Attributes:
        table: The table's id.
        online: Whether it is connected to the broker.
        since: When it was connected or lost, as far as the club was there; None if it has sent
            games, but nothing about its connection in the last days that are kept.
        received: When the newest lines of a game were received, None if there are none.
    """

    table: str
    online: bool
    since: datetime | None
    received: datetime | None


def table_connections(connection: "Connection") -> list[TableConnection]:
    """Return all tables: those that are not connected first, of these the last lost one first."""
    rows = connection.execute(
        "SELECT t.id, coalesce(p.online, false), (SELECT min(s.at) FROM presence s"
        " WHERE s.table_id = t.id AND s.at > coalesce((SELECT max(o.at) FROM presence o"
        " WHERE o.table_id = t.id AND o.online != p.online), '-infinity')), b.received"
        " FROM (SELECT id FROM tables UNION SELECT table_id FROM presence"
        " WHERE table_id != %s) t (id)"
        " LEFT JOIN LATERAL (SELECT online FROM presence"
        " WHERE table_id = t.id ORDER BY at DESC LIMIT 1) p ON true"
        " LEFT JOIN LATERAL (SELECT id, month FROM histories"
        " WHERE table_id = t.id ORDER BY id DESC LIMIT 1) h ON true"
        " LEFT JOIN LATERAL (SELECT received FROM batches WHERE table_id = t.id"
        " AND history = h.id AND month = h.month ORDER BY first DESC LIMIT 1) b ON true"
        " ORDER BY 2, 3 DESC NULLS LAST, 1",
        (CLUB,),
    )
    return [TableConnection(*row) for row in rows]
