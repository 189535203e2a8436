"""What arbiters decide about games: one is excluded from the ratings, or moved to another player.

The games themselves remain as their tables sent them. The names that the club shows are in the view
`shown_names`: a side that was moved has the other name as long as a player with it is published.
"""

from typing import TYPE_CHECKING

from urpi.club.server.entered_results import ReasonError
from urpi.club.server.security_log import record
from urpi.core.errors import UrpiError
from urpi.rules import Side

if TYPE_CHECKING:
    from psycopg import Connection


class UnpublishedError(UrpiError):
    """The club may not show a name."""


def exclude_game(
    connection: "Connection", number: int, *, excluded: bool, user: str, reason: str
) -> None:
    """Leave a game out of the ratings, or let it count again; a game of two tables, both copies.

    Args:
        connection: The database, in a transaction.
        number: The game's number at the club.
        excluded: Whether it is left out.
        user: The arbiter's name.
        reason: The reason, for the log.

    Raises:
        ReasonError: If the reason is empty.
    """
    _check(reason)
    connection.execute(
        "UPDATE histories h SET excluded = %(excluded)s FROM histories given"
        " WHERE given.id = %(number)s AND (h.id = given.id OR h.shared_id = given.shared_id"
        " AND h.table_id IN (given.table_id, given.shared_table))",
        {"excluded": excluded, "number": number},
    )
    what = "Excluded" if excluded else "Counted again"
    record(connection, "game-excluded", str(number), by=user, about=f"{what}. {reason}")


def move_game(  # noqa: PLR0913 - what the log has
    connection: "Connection", number: int, side: Side, name: str, *, user: str, reason: str
) -> None:
    """Let a side of a game be that of another player; the own name moves it back.

    Args:
        connection: The database, in a transaction.
        number: The game's number at the club.
        side: The side.
        name: The other player's name, in upper or lower case.
        user: The arbiter's name.
        reason: The reason, for the log.

    Raises:
        ReasonError: If the reason is empty.
        UnpublishedError: If the club may show no name of this side, or no player with that name.
    """
    _check(reason)
    row = connection.execute(
        "SELECT n.table_id, n.key, n.name, coalesce(n.moved, n.name) FROM histories h"
        # The player at another table has agreed there.
        " LEFT JOIN histories o ON (o.shared_id, o.table_id) = (h.shared_id, h.shared_table)"
        " AND o.shared_side != h.shared_side AND o.current"
        " JOIN names n ON n.side = %(side)s AND (n.table_id, n.key) = ("
        " CASE WHEN h.shared_side != n.side THEN h.shared_table ELSE h.table_id END,"
        " CASE WHEN h.shared_side != n.side THEN coalesce(o.key, h.claim_key) ELSE h.key END)"
        " WHERE h.id = %(number)s LIMIT 1",
        {"side": side.value, "number": number},
    ).fetchone()
    if row is None:
        message = f"The player of {side.value} in game {number} has not agreed to be named."
        raise UnpublishedError(message)
    table, key, own, before = row
    found = connection.execute(
        "SELECT name FROM names WHERE lower(name) = lower(%s) ORDER BY name = %s DESC LIMIT 1",
        (name.strip(), own),
    ).fetchone()
    if found is None:
        message = f"No player {name!r} with a game at this club has agreed to be named."
        raise UnpublishedError(message)
    (other,) = found
    connection.execute(
        "UPDATE names SET moved = nullif(%s, name) WHERE (table_id, key, side) = (%s, %s, %s)",
        (other, table, key, side.value),
    )
    about = f"{side.value.capitalize()}: {before} > {other}. {reason}"
    record(connection, "game-moved", str(number), by=user, about=about)


def _check(reason: str) -> None:
    if not reason:
        message = "A game that counts differently needs a reason; enter one."
        raise ReasonError(message)
