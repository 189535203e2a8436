"""What happens to the security of a club: logins, changed users, wrong messages, changed games.

In the database, for the club's arbiters. Equal events of one hour are one entry with their number,
and only the newest entries are kept, so that nobody can fill the log.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from psycopg import Connection

SecurityEvent: TypeAlias = Literal[
    "login",
    "login-failed",
    "login-refused",
    "user-added",
    "user-removed",
    "password-changed",
    "message-rejected",
    "games-postponed",
    "game-not-verified",
    "copies-differ",
    "claim-unconfirmed",
    "game-excluded",
    "game-moved",
    "name-entered",
]
MAX_ENTRIES: Final = 10_000
"""Maximum number of entries; the oldest ones are deleted."""
LISTED: Final = 200
"""Number of entries that the page shows, the newest ones."""
MAX_ABOUT: Final = 300
"""Maximum length of the details of an entry, in characters."""


@dataclass(frozen=True, slots=True)
class SecurityEntry:
    """Equal events of one hour.

    Attributes:
        last: When the last one happened.
        event: What happened.
        who: The user or table, empty for a user that does not exist: it could be a password.
        address: Where a login came from, else empty.
        by: The user who did it, empty for the command line.
        about: Details, those of the last event.
        count: Number of events.
    """

    last: datetime
    event: SecurityEvent
    who: str
    address: str
    by: str
    about: str
    count: int


def record(  # noqa: PLR0913 - the columns
    connection: "Connection",
    event: SecurityEvent,
    who: str,
    *,
    address: str = "",
    by: str = "",
    about: str = "",
    count: int = 1,
) -> None:
    """Store an event. The arguments are the attributes of `SecurityEntry`."""
    connection.execute(
        "INSERT INTO security_log (hour, event, who, address, by_user, about, count)"
        " VALUES (date_trunc('hour', now()), %s, %s, %s, %s, %s, %s)"
        " ON CONFLICT (hour, event, who, address, by_user) DO UPDATE SET last = now(),"
        " about = excluded.about, count = security_log.count + excluded.count",
        # PostgreSQL stores no NUL in a text.
        (event, who, address, by, about.replace("\0", "")[:MAX_ABOUT], count),
    )
    connection.execute(
        # By the id, not by a count of rows, which would read all of them.
        "DELETE FROM security_log WHERE id <= (SELECT max(id) FROM security_log) - %s",
        (MAX_ENTRIES,),
    )


def newest_entries(connection: "Connection") -> list[SecurityEntry]:
    """The newest entries, the newest first."""
    rows = connection.execute(
        "SELECT last, event, who, address, by_user, about, count FROM security_log"
        " ORDER BY last DESC, id DESC LIMIT %s",
        (LISTED,),
    )
    return [SecurityEntry(*row) for row in rows]
