"""Names that are entered at tables: by arbiters, or by their players with a PIN.

A game is rated if both names were entered at their tables when the club began to receive it
(`shown_names`). So a table moves no rating of a name that nobody entered there. The name `*` is
every name, and the table `*` every table.
"""

import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from urpi.club.server.players import identity
from urpi.club.server.presence import check_table
from urpi.club.server.security_log import record
from urpi.club.server.users import hash_password, is_hash_of
from urpi.core.errors import UrpiError
from urpi.core.names import MAX_NAME, normalised_name

if TYPE_CHECKING:
    from psycopg import Connection

ALL: Final = "*"
PIN_DIGITS: Final = 10
MAX_LISTED: Final = 1000
"""Maximum number of names in each list."""

_REMOVE: Final = (
    "DELETE FROM entered_names WHERE table_id = %(table)s"
    " AND name_key(name) = name_key(%(name)s)"
    " AND (since > %(start)s OR since = %(start)s AND NOT %(entered)s)"
)
_CONTINUE: Final = (
    "UPDATE entered_names SET until = CASE WHEN NOT %(entered)s THEN %(start)s END"
    " WHERE table_id = %(table)s AND name_key(name) = name_key(%(name)s)"
    " AND (until IS NULL OR until >= %(start)s)"
)
_ENTER: Final = "INSERT INTO entered_names VALUES (%(table)s, %(name)s, %(start)s, NULL)"


class InvalidNameError(UrpiError):
    """No player can have this name."""


class EnteredName(NamedTuple):
    """A period in which games of a name at a table are rated.

    Attributes:
        table: The table's id.
        name: The name as it was entered.
        since: Its beginning, None if it includes all earlier games.
        until: Its end, None if it has none.
    """

    table: str
    name: str
    since: datetime | None
    until: datetime | None


class MissingName(NamedTuple):
    """A name whose games at a table would be rated if it were entered there.

    Attributes:
        table: The table's id.
        name: The name.
        games: The number of these games.
        since: When the club began to receive the first of them.
    """

    table: str
    name: str
    games: int
    since: datetime


def enter_name(  # noqa: PLR0913 - what the log has
    connection: "Connection",
    name: str,
    table: str,
    since: datetime | None = None,
    *,
    entered: bool = True,
    user: str = "",
    pin: bool = False,
) -> str:
    """Enter a name at a table from a time on, or with `entered` false remove it from then on.

    Args:
        connection: The database.
        name: The name, in upper or lower case.
        table: The table's id.
        since: The time by the club's clock, None for now.
        entered: Whether its games are rated from then on.
        user: The arbiter, for the log; empty for the command line or the player.
        pin: Whether the player did it with the PIN.

    Returns:
        The name as it is stored.

    Raises:
        InvalidNameError: If nobody can have this name.
        UnknownTableError: If there is no such table.
    """
    name = checked_player(name)
    with connection.transaction():
        if table != "*":
            check_table(connection, table)
        row = connection.execute("SELECT coalesce(%s::timestamptz, now())", (since,)).fetchone()
        assert row is not None
        values = {"table": table, "name": name, "start": row[0], "entered": entered}
        connection.execute("LOCK TABLE entered_names IN SHARE ROW EXCLUSIVE MODE")
        connection.execute(_REMOVE, values)
        changed = connection.execute(_CONTINUE, values).rowcount
        if entered and not changed:
            connection.execute(_ENTER, values)
        what = f"{'Entered' if entered else 'Removed'} at {table}{' with the PIN' * pin}"
        about = what + (f", from {since:%Y-%m-%d} on" if since else "")
        record(connection, "name-entered", name, by=user, about=about)
    return name


def checked_player(text: str) -> str:
    """A player's name as it is stored.

    Raises:
        InvalidNameError: If nobody can have this name.
    """
    try:
        name = normalised_name(text)
    except UrpiError:
        name = ""
    if not 1 <= len(name) <= MAX_NAME:
        message = f"A player's name must have 1 to {MAX_NAME} characters; found {text[:60]!r}."
        raise InvalidNameError(message)
    return name


def list_entered(connection: "Connection") -> list[EnteredName]:
    """The names that are entered, or were, by name and table."""
    rows = connection.execute(
        "SELECT table_id, name, CASE WHEN isfinite(since) THEN since END, until"
        " FROM entered_names ORDER BY name_key(name), table_id, entered_names.since LIMIT %s",
        (MAX_LISTED,),
    )
    return [EnteredName(*row) for row in rows]


def list_missing(connection: "Connection") -> list[MissingName]:
    """The names that are not entered where they have verified games that could be rated.

    Those with the most games come first.
    """
    rows = connection.execute(
        "SELECT n.table_id, min(n.name), count(*), min(h.received)"
        " FROM histories h JOIN shown_names n ON (n.table_id, n.key) = (h.table_id, h.key)"
        " WHERE h.current AND h.verdict = 'verified' AND h.rated AND NOT h.excluded"
        " AND (h.shared_side IS NULL OR h.shared_side = n.side) AND NOT n.entered"
        " GROUP BY n.table_id, name_key(n.name) ORDER BY 3 DESC, 1, 2 LIMIT %s",
        (MAX_LISTED,),
    )
    return [MissingName(*row) for row in rows]


def new_pin(connection: "Connection", name: str, user: str = "") -> str:
    """Store a new PIN of a player, with which the player enters the own name, and return it.

    Raises:
        InvalidNameError: If nobody can have this name.
    """
    name = checked_player(name)
    if name == ALL:
        message = f"A PIN belongs to one player; found {name!r}."
        raise InvalidNameError(message)
    pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
    connection.execute(
        "INSERT INTO player_pins VALUES (%s, %s) ON CONFLICT (identity)"
        " DO UPDATE SET pin = excluded.pin",
        (identity(name), hash_password(pin)),
    )
    record(connection, "name-entered", name, by=user, about="New PIN")
    return pin


def check_pin(connection: "Connection", name: str, pin: str) -> bool:
    """Whether a player has this PIN. It takes the same time if the player has none."""
    row = connection.execute(
        "SELECT pin FROM player_pins WHERE identity = %s", (identity(name),)
    ).fetchone()
    return is_hash_of(None if row is None else str(row[0]), pin)


def forget_name(connection: "Connection", name: str) -> bool:
    """Delete a name, its PIN and what the log has about them; return whether there was any."""
    gone = 0
    for select, delete in (
        (
            "SELECT DISTINCT name FROM entered_names",
            "DELETE FROM entered_names WHERE name = ANY(%s)",
        ),
        ("SELECT identity FROM player_pins", "DELETE FROM player_pins WHERE identity = ANY(%s)"),
        (
            "SELECT DISTINCT who FROM security_log WHERE event = 'name-entered'",
            "DELETE FROM security_log WHERE event = 'name-entered' AND who = ANY(%s)",
        ),
    ):
        rows = connection.execute(select.encode()).fetchall()
        spellings = [one for (one,) in rows if identity(one) == identity(name)]
        gone += connection.execute(delete.encode(), (spellings,)).rowcount
    return gone > 0
