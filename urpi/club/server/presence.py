"""When tables were connected to the broker, by the club's clock, and what follows for claims."""

import json
from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING, Final

from urpi.club.claims import Batch, Presence, claim_of, judge
from urpi.club.server.verification import is_rated
from urpi.core.errors import UrpiError
from urpi.link.protocol.message_parsers import parse_online
from urpi.rules import Side

if TYPE_CHECKING:
    from psycopg import Connection

CLUB: Final = ""
"""In place of a table's id: the club has connected to the broker, and knew nothing before."""
MAX_WAITING: Final = 10_000
"""Maximum number of changes that wait for the database."""
_INSERT: Final = """
INSERT INTO presence (table_id, online)
SELECT %(table)s, %(online)s WHERE NOT %(retained)s OR %(online)s IS DISTINCT FROM (
    SELECT online FROM presence WHERE table_id = %(table)s ORDER BY at DESC LIMIT 1)"""
_PRUNE: Final = """
DELETE FROM presence WHERE table_id = %(table)s AND at < (SELECT max(at) FROM presence
    WHERE table_id = %(table)s AND at < now() - interval '7 days')"""
"""Deletes old changes, except the newest of them: it may still be valid."""

_OTHERS: Final = (
    "SELECT h.id, h.key FROM histories h JOIN batches b"
    " ON (b.table_id, b.history, b.month, b.first) = (h.table_id, h.id, h.month, 1)"
    " WHERE h.table_id = %s AND h.current AND h.received > %s - interval '1 day'"
    # Other games are not parsed: anything may have been written there.
    " AND CASE WHEN position(%s IN b.lines) > 0"
    " THEN split_part(b.lines, E'\\n', 1)::jsonb @> %s::jsonb ELSE false END"
)
"""The other table's copies of a game, which need not have an end."""
_NEWEST: Final = " ORDER BY h.id DESC LIMIT 5"


class UnknownTableError(UrpiError):
    """No such table has been connected to the club."""


def check_table(connection: "Connection", table: str) -> None:
    """Check that a table has ever been connected.

    Raises:
        UnknownTableError: If it has not.
    """
    # The empty id is the club's own.
    row = connection.execute(
        "SELECT WHERE EXISTS (SELECT FROM tables WHERE id = %(table)s)"
        " OR EXISTS (SELECT FROM presence WHERE table_id = %(table)s)",
        {"table": table or None},
    ).fetchone()
    if row is None:
        message = f"No table {table!r} has been connected to this club; check its id."
        raise UnknownTableError(message)


class PresenceLog:
    """Stores which tables are connected. `note` and `connect` are called by the broker's thread."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, bool, bool]] = deque()

    def connect(self) -> None:
        """Note that the club has connected to the broker."""
        self._waiting.append((CLUB, True, False))

    def note(self, table: str, data: bytes, *, retained: bool) -> None:
        """Note a message about a table's connection.

        Raises:
            UrpiError: If it is invalid.
        """
        if not data:
            return
        online = parse_online(data)
        if len(self._waiting) >= MAX_WAITING:
            # What is lost must not look like a connection that lasted.
            self._waiting.clear()
            self.connect()
        self._waiting.append((table, online, retained))

    def store(self, connection: "Connection") -> None:
        """Store what has changed. Any of the club's threads may call it."""
        while self._waiting:
            try:
                first = self._waiting.popleft()
            except IndexError:
                return
            table, online, retained = first
            values = {"table": table, "online": online, "retained": retained}
            try:
                with connection.transaction():
                    connection.execute(_INSERT, values)
                    connection.execute(_PRUNE, values)
            except Exception:
                self._waiting.appendleft(first)
                raise


def judge_claim(connection: "Connection", table: str, history: int) -> None:
    """Judge the end of a verified copy of a game of two tables, if its own side has claimed it.

    What the club received until the claim does not change any more, so this is done once.
    """
    own = _batches(connection, table, history)
    claim = claim_of(own)
    row = connection.execute(
        "SELECT shared_id, shared_table, shared_side FROM histories"
        " WHERE table_id = %s AND id = %s",
        (table, history),
    ).fetchone()
    assert row is not None
    shared, other, side = row
    if claim is None or claim.side is not Side(side):
        return
    claimed = claim.at
    others = connection.execute(
        f"{_OTHERS} AND h.received <= %s{_NEWEST}".encode(),
        (other, claimed, shared, _opening(shared, table, claim.side), claimed),
    ).fetchall()
    found = judge(
        own,
        [_batches(connection, other, number) for number, _ in others],
        (_presence(connection, table, claimed), _presence(connection, other, claimed)),
        _watched(connection, claimed),
    )
    connection.execute(
        "UPDATE histories SET claim = %s, claim_text = %s, claim_key = %s"
        " WHERE table_id = %s AND id = %s",
        (found.code, found.text, others[0][1] if others else None, table, history),
    )


def find_winner(connection: "Connection", table: str, history: int) -> None:
    """Store which copy of the other table has the winner's name, of one whose own side resigned.

    It may have no end, or another one. None has it if one of them cannot be rated, as with advice.
    """
    row = connection.execute(
        "SELECT shared_id, shared_table, shared_side, result, received, head->>'rules'"
        " FROM histories WHERE table_id = %s AND id = %s",
        (table, history),
    ).fetchone()
    assert row is not None
    shared, other, side, result, received, rules = row
    others = connection.execute(
        f"{_OTHERS} AND h.head->>'rules' = %s{_NEWEST}".encode(),
        (other, received, shared, _opening(shared, table, Side(side)), rules),
    ).fetchall()
    # A name that was found stays known when its month's lines are removed.
    if not others:
        return
    lines = [
        [line for _, text in _batches(connection, other, number) for line in text.split("\n")]
        for number, _ in others
    ]
    try:
        key = others[0][1] if all(is_rated(copy, result) for copy in lines) else None
    except (UrpiError, AttributeError, LookupError, TypeError, ValueError):
        key = None
    connection.execute(
        "UPDATE histories SET claim_key = %s WHERE table_id = %s AND id = %s"
        " AND claim_key IS DISTINCT FROM %s",
        (key, table, history, key),
    )


def _opening(shared: str, table: str, side: Side) -> str:
    """What the first line of the other table's copy contains."""
    seats = {side.value: "remote", side.other.value: "person"}
    return json.dumps({"type": "game", "shared": {"id": shared, "table": table}, "seats": seats})


def _batches(connection: "Connection", table: str, history: int) -> list[Batch]:
    return connection.execute(
        "SELECT b.received, b.lines FROM histories h JOIN batches b"
        " ON (b.table_id, b.history, b.month) = (h.table_id, h.id, h.month)"
        " WHERE h.table_id = %s AND h.id = %s ORDER BY b.first",
        (table, history),
    ).fetchall()


def _presence(connection: "Connection", table: str, at: datetime) -> Presence | None:
    row = connection.execute(
        "SELECT p.online, (SELECT min(s.at) FROM presence s WHERE s.table_id = p.table_id"
        " AND s.at > coalesce((SELECT max(o.at) FROM presence o WHERE o.table_id = p.table_id"
        " AND o.at <= %(at)s AND o.online != p.online), '-infinity'))"
        " FROM presence p WHERE p.table_id = %(table)s AND p.at <= %(at)s"
        " ORDER BY p.at DESC LIMIT 1",
        {"table": table, "at": at},
    ).fetchone()
    return None if row is None else Presence(*row)


def _watched(connection: "Connection", at: datetime) -> datetime:
    row = connection.execute(
        "SELECT coalesce(max(at), %(at)s) FROM presence WHERE table_id = %(club)s AND at <= %(at)s",
        {"club": CLUB, "at": at},
    ).fetchone()
    assert row is not None
    found: datetime = row[0]
    return found
