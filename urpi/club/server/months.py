"""The partitions of the lines: one for each month, which exists before the month begins.

Lines whose partition does not exist, as of a month that was removed, are stored in the default
partition.
"""

import logging
from datetime import date
from typing import TYPE_CHECKING, Final

from psycopg import Error, sql

from urpi.club.server.database import one_line_reason

if TYPE_CHECKING:
    from psycopg import Connection

_MONTHS: Final = 3
"""The current month and the next ones, so that an attempt may fail."""
_LOCK: Final = int.from_bytes(b"month", "big")
"""The advisory lock under which one process creates partitions."""
LOCK_TIMEOUT_S: Final = 5.0
"""Default timeout. Creating one waits for transactions in progress, and later ones wait for it."""

# CREATE TABLE ... PARTITION OF would lock all partitions; ATTACH locks the default one only.
_PARTITION: Final = """
CREATE TABLE {name} (LIKE batches INCLUDING ALL);
WITH late AS (DELETE FROM batches_default WHERE month = {month} RETURNING *)
    INSERT INTO {name} SELECT * FROM late;
ALTER TABLE batches ATTACH PARTITION {name} FOR VALUES FROM ({month}) TO ({end});
"""

_log: Final = logging.getLogger(__name__)


def create_months(
    connection: "Connection", today: date, *, lock_timeout_s: float = LOCK_TIMEOUT_S
) -> None:
    """Create the missing partitions of this month and the next ones.

    A failure is logged only, because the default partition accepts all lines, and it is tried again
    at the next start and on the next day.

    Args:
        connection: The database.
        today: The date of UTC.
        lock_timeout_s: Longest time to wait for transactions in progress, in seconds.

    Raises:
        Error: If the connection to the database ends.
    """
    month = today.replace(day=1)
    for _ in range(_MONTHS):
        end = _next_month(month)
        try:
            _create(connection, month, end, lock_timeout_s)
        except Error as error:
            if connection.closed:
                raise
            reason = one_line_reason(error)
            _log.warning("The partition of %s cannot be created now: %s", f"{month:%Y-%m}", reason)
        month = end


def has_partition(connection: "Connection", month: date) -> bool:
    """Whether the partition of a month exists, so that its lines were not removed with it."""
    return _exists(connection, f"batches_{month:%Y_%m}")


def _next_month(month: date) -> date:
    # `timedelta` has no months.
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _create(connection: "Connection", month: date, end: date, lock_timeout_s: float) -> None:
    name = f"batches_{month:%Y_%m}"
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = '{lock_timeout_s}s'")
        if _exists(connection, name):
            return
        # Whoever holds it may be creating another month, and leave this one to us.
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if not _exists(connection, name):
            partition = sql.SQL(_PARTITION).format(
                name=sql.Identifier(name), month=sql.Literal(month), end=sql.Literal(end)
            )
            connection.execute(partition)


def _exists(connection: "Connection", name: str) -> bool:
    # Not to_regclass, which remembers within a transaction that a table does not exist.
    query = "SELECT FROM pg_tables WHERE tablename = %s AND schemaname = current_schema"
    return connection.execute(query, (name,)).rowcount > 0
