"""Whether the copies of a game of two tables, of which each sends its own, end in the same way.

Each may be verified by itself, because its decisions follow from its facts. If they end
differently, both are contested, until a later course of one of them agrees.
"""

import logging
from typing import TYPE_CHECKING, Final

from urpi.club.server.security_log import record

if TYPE_CHECKING:
    from psycopg import Connection

_COPIES: Final = (
    " FROM histories WHERE shared_id = %(game)s AND table_id = ANY(%(tables)s)"
    # A table that the other one does not name has no copy of this game.
    " AND shared_table = ANY(%(tables)s) AND shared_table != table_id"
    " AND current AND verdict IN ('verified', 'contested')"
)
_STORE: Final = "UPDATE histories SET verdict = %(verdict)s, verdict_text = %(text)s"
_ENDS: Final = {
    "light": "light has won",
    "dark": "dark has won",
    "draw": "drawn",
    "abandoned": "abandoned",
}
_MOST_NUMBERS: Final = 5
"""Maximum number of histories that an entry of the log names."""
_log: Final = logging.getLogger(__name__)


def lock_copies(connection: "Connection", game: str) -> None:
    """Let no other process decide about copies of a game until the end of the transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (game,))


def compare_copies(connection: "Connection", game: str, table: str, other: str) -> None:
    """Store whether the verified copies of a game of two tables are contested, and tell arbiters.

    Who has locked the row of a copy calls this at the end of the transaction, or marks the copy to
    be checked. So rows that others have locked are left to them, and nobody waits in a circle.

    Args:
        connection: The database.
        game: The identity of the game.
        table: One table's id.
        other: The other one's.
    """
    lock_copies(connection, game)
    values = {"game": game, "tables": [table, other]}
    # The number of copies is not limited, that of different ends is.
    ends = connection.execute(
        f"SELECT table_id, array_agg(DISTINCT result ORDER BY result){_COPIES}"
        " GROUP BY table_id ORDER BY table_id",
        values,
    ).fetchall()
    differ = len(ends) > 1 and len({result for _, results in ends for result in results}) > 1
    text = " ".join(
        f"Table {one}: {', '.join(_ENDS[result] for result in results)}." for one, results in ends
    )
    verdict, text = ("contested", text) if differ else ("verified", "")
    changed = connection.execute(
        f"{_STORE} WHERE table_id = ANY(%(tables)s) AND id IN (SELECT id{_COPIES}"
        " AND (verdict, verdict_text) != (%(verdict)s, %(text)s)"
        " FOR NO KEY UPDATE SKIP LOCKED) RETURNING id",
        {**values, "verdict": verdict, "text": text},
    ).fetchall()
    if differ and changed:
        # A table may have sent any number of copies of one game.
        numbers = ", ".join(str(number) for (number,) in sorted(changed)[:_MOST_NUMBERS])
        about = f"{numbers}. {text}"
        _log.warning("Copies of one game end differently: %s", about)
        record(connection, "copies-differ", ", ".join(sorted({table, other})), about=about)
