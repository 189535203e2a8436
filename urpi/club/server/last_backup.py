"""The last backup of the club that was written in a folder, as every night, or why it failed."""

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from psycopg import Error

from urpi.club.server.database import DatabaseError, connect

if TYPE_CHECKING:
    from psycopg import Connection

MAX_AGE: Final = "36 hours"
"""The age of the last backup that is too old. One is written each night, and may take hours."""


class LastBackup(NamedTuple):
    """What is known of the backups that are written in a folder.

    Attributes:
        written: When the last complete one was written, None if none was.
        problem: Why a later one failed, empty if none did.
        is_old: Whether the last complete one is older than `MAX_AGE`.
    """

    written: datetime | None = None
    problem: str = ""
    is_old: bool = False

    @property
    def is_in_order(self) -> bool:
        """Whether the backups are in order, as they are before the first one."""
        return not self.problem and not self.is_old


def note_backup(database: str, problem: str = "") -> None:
    """Note in the database that a backup was written, or why it failed.

    Nothing is noted in a database that does not respond, or that an earlier version has made.
    """
    with suppress(DatabaseError, Error), connect(database) as connection:
        connection.execute(
            "INSERT INTO last_backup (written, problem)"
            " VALUES (CASE WHEN %(problem)s = '' THEN now() END, %(problem)s)"
            " ON CONFLICT (one) DO UPDATE SET problem = excluded.problem,"
            " written = coalesce(excluded.written, last_backup.written)",
            {"problem": problem.replace("\0", "")},
        )


def read_last_backup(connection: "Connection") -> LastBackup:
    """Return what is known of the backups."""
    row = connection.execute(
        "SELECT written, problem, coalesce(written < now() - %s::interval, false) FROM last_backup",
        (MAX_AGE,),
    ).fetchone()
    return LastBackup(*row) if row else LastBackup()
