"""Whether the copies of a game of two tables, of which each sends its own, end in the same way.

Each may be verified by itself, because its decisions follow from its facts. If they end
differently, both are contested, until a later course of one of them agrees. A resignation of the
side at the table that sends it counts alone, because nobody else gains by it, and so does a claim
that the club confirms; one that it does not confirm is contested.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from urpi.club.claims import ClaimCode
from urpi.club.server.presence import find_winner
from urpi.club.server.security_log import SecurityEvent, record
from urpi.referee.decisions import GameResult

if TYPE_CHECKING:
    from psycopg import Connection

_COPIES: Final = (
    " FROM histories WHERE shared_id = %(game)s AND table_id = ANY(%(tables)s)"
    # A table that the other one does not name has no copy of this game.
    " AND shared_table = ANY(%(tables)s) AND shared_table != table_id"
    " AND current AND verdict IN ('verified', 'contested')"
)
_STORE: Final = "UPDATE histories SET verdict = %(verdict)s, verdict_text = %(text)s"
_CHANGED: Final = (
    " AND (table_id, shared_side, result) = (%(table)s, %(side)s, %(result)s)"
    " AND claim_text = %(claim_text)s"
    " AND claim IS NOT DISTINCT FROM %(claim)s"
    " AND (verdict, verdict_text) != (%(verdict)s, %(text)s) FOR NO KEY UPDATE SKIP LOCKED"
)
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
    resigned = connection.execute(
        f"SELECT table_id, id{_COPIES} AND rated AND claim = 'confirmed' AND result != shared_side"
        " FOR NO KEY UPDATE SKIP LOCKED",
        values,
    ).fetchall()
    for sender, number in resigned:
        find_winner(connection, sender, number)
    # The number of copies is not limited, that of different ends is.
    ends = [
        _End(*row)
        for row in connection.execute(
            "SELECT DISTINCT table_id, shared_side, result, claim, claim_text"
            f"{_COPIES} ORDER BY 1, 2, 3, 4, 5",
            values,
        )
    ]
    event, verdicts = _verdicts(ends)
    changed: list[int] = []
    for end, text in zip(ends, verdicts, strict=True):
        rows = connection.execute(
            f"{_STORE} WHERE table_id = %(table)s AND id IN (SELECT id{_COPIES}{_CHANGED})"
            " RETURNING id",
            {
                **(values | end._asdict()),
                "verdict": "contested" if text else "verified",
                "text": text,
            },
        )
        changed += [number for (number,) in rows] if text else []
    if changed:
        # A table may have sent any number of copies of one game.
        numbers = ", ".join(map(str, sorted(changed)[:_MOST_NUMBERS]))
        about = f"{numbers}. {next(filter(None, verdicts))}"
        _log.warning("Copies of one game are contested: %s", about)
        record(connection, event, ", ".join(sorted({table, other})), about=about)


class _End(NamedTuple):
    """How copies of a table end, and what the club has found if the table has claimed the game.

    The side is that at the table; if it has lost by its own resignation, that is confirmed.
    """

    table: str
    side: str
    result: GameResult
    claim: ClaimCode | None
    claim_text: str


def _verdicts(ends: Sequence[_End]) -> tuple[SecurityEvent, list[str]]:
    """Why each copy is contested, empty for one that is not, with the event for the arbiters."""
    tables = {one.table for one in ends}
    results = {
        table: sorted({one.result for one in ends if one.table == table}) for table in tables
    }
    texts = (f"Table {one}: {', '.join(_ENDS[end] for end in results[one])}." for one in results)
    differ = " ".join(sorted(texts)) if len({one.result for one in ends}) > 1 else ""
    confirmed = [one for one in ends if one.claim == "confirmed"]
    # A table that says it was at the other one's side could resign in its place.
    resigned = [
        one
        for one in confirmed
        if one.result != one.side
        and all(end.table == one.table for end in ends if end.side == one.side)
    ]
    claimed = [one for one in confirmed if one.result == one.side]
    deciding = {one.result for one in resigned or claimed}
    if len(deciding) == 1:
        # Who resigned or was silent cannot avoid the loss by another end.
        return "copies-differ", ["" if one.result in deciding else differ for one in ends]
    if differ and len(tables) > 1:
        return "copies-differ", [differ] * len(ends)
    # The other table's agreement is enough, unless the club knows better.
    doubts = [
        f"Table {one.table} has claimed the game. {one.claim_text}"
        for one in ends
        if one.claim == "contradicted" or (one.claim == "unknown" and len(tables) == 1)
    ]
    return "claim-unconfirmed", ["".join(doubts[:1])] * len(ends)
