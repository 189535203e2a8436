"""Verified games are compared again with the checksums of their tables, and refereed again.

What was changed in the database afterwards is found: lines, the head, or what the lists show. With
new checksums and decisions that fit, it would be another game; its table offers its own one when it
connects, and the club stores that as a second history.
"""

import logging
import operator
from collections.abc import Hashable, Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from psycopg import OperationalError

from urpi.club.server.copies import compare_copies
from urpi.club.server.database import read_lines, store_verdict
from urpi.club.server.game_worker import Call
from urpi.club.server.log_lines import log_about
from urpi.club.server.months import has_partition
from urpi.club.server.security_log import record
from urpi.club.server.verification import Examined, Verdict, VerdictCode, examine
from urpi.core.supervision import Quarantine
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import GameHead

if TYPE_CHECKING:
    from psycopg import Connection

_NEXT: Final = """
SELECT table_id, id, head, key, lines, chain, month, verdict, dice,
    result, rated, shared_id, shared_table, shared_side
FROM histories
WHERE verdict IN ('verified', 'altered', 'contested') AND id != ALL(%s::bigint[])
    -- Since the last three o'clock of the database's time zone. A time that is still to come was
    -- not stored by this program.
    AND (checked > now() OR checked
        < coalesce(%s, date_trunc('day', now() - interval '3 hours') + interval '3 hours'))
ORDER BY checked LIMIT 1 FOR NO KEY UPDATE"""

_log: Final = logging.getLogger(__name__)


class Checked(NamedTuple):
    """A game that was checked.

    Attributes:
        table: The table's id.
        history: Its number, as in the address of its page.
        verdict: The verdict now.
        is_new: Whether it was another one before.
    """

    table: str
    history: int
    verdict: Verdict
    is_new: bool


def check_all(connection: "Connection") -> Iterator[Checked]:
    """Check all verified games, in this process."""
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None
    broken, since = Quarantine("game"), row[0]
    while (found := check_next(operator.call, connection, broken, since, waits=True)) is not None:
        yield found


class _Row(NamedTuple):
    """What the database has of a history besides its lines."""

    table: str
    id: int
    head: dict[str, Any]
    key: str
    last: int
    chain: str
    month: date
    verdict: VerdictCode
    dice: list[Any] | None
    listed: tuple[str | None, bool, str | None, str | None, str | None]


def check_next(
    call: Call,
    connection: "Connection",
    broken: Quarantine,
    since: datetime | None = None,
    *,
    waits: bool = False,
) -> Checked | None:
    """Check the verified game that was checked longest ago; return None if all were.

    A game that is as its table sent it again, as after a restore, is verified again. Copies of a
    game of two tables are compared.

    Args:
        call: Calls a function, as in a process of its own.
        connection: The database.
        broken: The games that are set aside.
        since: Games that were checked since this time are left out, by default since this night.
        waits: Whether to wait for games on which other processes work, or to leave them out.
    """
    with connection.transaction():
        row = _next_row(connection, broken.items(), since, waits=waits)
        if row is None:
            return None
        with log_about(table=row.table), broken.trying(row.id, (OperationalError,)):
            lines = read_lines(connection, row.table, row.id)
            # Unless the club's operator has removed the lines of that month.
            if any(lines[:1]) or has_partition(connection, row.month):
                _check(call, connection, row, lines)
            _, _, shared, other, _ = row.listed
            if shared is not None and other is not None:
                compare_copies(connection, shared, row.table, other)
            stored = connection.execute(
                "UPDATE histories SET checked = now() WHERE table_id = %s AND id = %s"
                " RETURNING verdict, verdict_text",
                (row.table, row.id),
            ).fetchone()
            assert stored is not None
            found = Checked(row.table, row.id, Verdict(*stored), stored[0] != row.verdict)
            if found.is_new:
                _report(connection, found)
    return found


def _next_row(
    connection: "Connection", excluded: Sequence[Hashable], since: datetime | None, *, waits: bool
) -> _Row | None:
    query = _NEXT if waits else f"{_NEXT} SKIP LOCKED"
    row = connection.execute(query.encode(), (list(excluded), since)).fetchone()
    return None if row is None else _Row(*(*row[:9], row[9:]))


def _check(call: Call, connection: "Connection", row: _Row, lines: Sequence[str]) -> None:
    """Examine a history, and store what is found unless the database has the same."""
    found, text = None, ""
    try:
        head = GameHead(row.head["game"], **{k: v for k, v in row.head.items() if k != "game"})
        text = _difference(connection, row, head)
        if not text:
            found = call(examine, head, lines)
    # Anything may have been written there.
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        text = f"It cannot be read: {error}"[:500]
    # Whether it is contested does not follow from this copy alone.
    before = "verified" if row.verdict == "contested" else row.verdict
    if found is not None and found.verdict.code == before:
        result, rated, *copy = row.listed
        other, table, side = found.shared or (None, None, None)
        same = (result, copy) == (found.result, [other, table, side and side.value])
        if not same or rated > found.rated:
            found, text = None, "The lists show another result or opponent than its lines."
        elif row.dice == found.dice:
            return
    if found is None:
        found = Examined(Verdict("altered", text), None, rated=False)
    store_verdict(connection, row.table, row.id, found)


def _difference(connection: "Connection", row: _Row, head: GameHead) -> str:
    """What differs between a history and its checksums, empty if nothing does."""
    if head.key != row.key:
        return "What was known at its beginning is not what its table sent."
    batches = connection.execute(
        "SELECT first, before, lines FROM batches"
        " WHERE table_id = %s AND history = %s AND month = %s ORDER BY first",
        (row.table, row.id, row.month),
    ).fetchall()
    begin, after, last = 1, row.key, 0
    for first, before, text in [*batches, (row.last + 1, row.chain, "")]:
        if (first, before) != (last + 1, after):
            return f"Its lines {begin} to {first - 1} are not those that its table sent."
        lines = text.split("\n")
        begin, after, last = first, next_chain(before, lines), last + len(lines)
    return ""


def _report(connection: "Connection", found: Checked) -> None:
    verdict = found.verdict
    text = f"game {found.history} is {verdict.code} now. {verdict.text}".rstrip()
    _log.warning("Checked again, %s", text)
    # Of contested ones, the log has an entry for both copies.
    if verdict.code not in {"verified", "contested"}:
        record(connection, "game-not-verified", found.table, about=text)
