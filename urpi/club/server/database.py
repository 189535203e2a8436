"""The histories of a table in PostgreSQL: `urpi.link.protocol.archive.Store`."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from urpi.club.server.copies import compare_copies, lock_copies
from urpi.club.server.presence import judge_claim
from urpi.club.server.verification import Examined
from urpi.core.errors import UrpiError
from urpi.core.extras import installation
from urpi.journal.stats import GameReview, review_values
from urpi.link.protocol.archive import History, Store
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import FinishedGame, GameHead
from urpi.rules import Side

if TYPE_CHECKING:
    from psycopg import Connection


WORK_S: Final = 60.0
"""Longest time in seconds that the database takes for a message or for what is stored of a game."""
_KEEP_ALIVE: Final[Mapping[str, Any]] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
"""Without these, a database whose machine has lost its power would be waited for, for hours."""


class DatabaseError(UrpiError):
    """The database does not respond, or refuses the connection."""


def one_line_reason(error: BaseException | None) -> str:
    """Return an error's message in one line; those of PostgreSQL have several."""
    return " ".join(str(error).split())


def connect(url: str) -> "Connection":
    """Connect to a database.

    Raises:
        DatabaseError: If there is no connection.
        UrpiError: If psycopg is not installed.
    """
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError:
        message = f"The club needs the library psycopg 3; run {installation('club-server')}."
        raise UrpiError(message) from None
    try:
        # Autocommit: otherwise every SELECT would open a transaction and keep old rows from being
        # cleaned up. No prepared statements: a pooler gives the next transaction another session.
        return psycopg.connect(url, autocommit=True, prepare_threshold=None, **_KEEP_ALIVE)
    except psycopg.Error as error:
        reason = one_line_reason(error)
        message = (
            f"No connection to the club's database: {reason}; check `database` in [club_server]."
        )
        raise DatabaseError(message) from error


class StoredGame(NamedTuple):
    """A history that has to be refereed again, or reviewed.

    Attributes:
        table: The table's id.
        history: Its number.
        head: What is known of the game since its beginning.
        lines: The lines.
    """

    table: str
    history: int
    head: GameHead
    lines: tuple[str, ...]


# One statement for both, because the time of a message is mostly that of its statements.
_INSERT: Final = (
    "INSERT INTO batches (table_id, history, month, first, last, before, lines)"
    " VALUES (%(table)s, %(id)s, %(month)s, %(first)s, %(last)s, %(before)s, %(text)s)"
)
_UPDATE: Final = (
    "UPDATE histories SET lines = %(last)s, chain = %(chain)s"
    " WHERE table_id = %(table)s AND id = %(id)s"
)
_INSERT_AND_UPDATE: Final = f"WITH inserted AS ({_INSERT}) {_UPDATE}"


class TableStore(Store):
    """The histories of one table; use it in `store_of`."""

    def __init__(self, connection: "Connection", table: str) -> None:
        self._connection, self._table = connection, table
        self._months: dict[int, date] = {}
        """The month of each history, with which PostgreSQL looks in one partition only."""
        self._current: set[int] = set()
        """The histories that were current when they were read."""

    def histories(self, keys: Collection[str]) -> Mapping[str, Sequence[History]]:
        rows = self._connection.execute(
            "SELECT key, id, month, current, lines, chain, finished FROM histories"
            " WHERE table_id = %s AND key = ANY(%s) ORDER BY id DESC",
            (self._table, list(keys)),
        )
        found: dict[str, list[History]] = {}
        for key, *about in rows:
            found.setdefault(key, []).append(self._history(*about))
        return found

    def finished_games(self, first: int, last: int) -> Iterator[FinishedGame]:
        rows = self._connection.execute(
            "SELECT h.game, h.key, h.lines, h.chain, jsonb_object_agg(n.side, n.name)"
            " FILTER (WHERE n.side IS NOT NULL) FROM histories h"
            " LEFT JOIN names n ON (n.table_id, n.key) = (h.table_id, h.key)"
            " WHERE h.table_id = %s AND h.game BETWEEN %s AND %s"
            " AND h.current AND h.finished IS NOT NULL"
            " GROUP BY h.id, h.game, h.key, h.lines, h.chain",
            (self._table, first, last),
        )
        for number, key, lines, chain, names in rows:
            yield FinishedGame(number, key, lines, chain, names or {})

    def _history(self, number: int, month: date, current: bool, *others: Any) -> History:
        self._months[number] = month
        if current:
            self._current.add(number)
        return History(number, *others)

    def chain_at(self, history: History, line: int) -> str | None:
        # The usual case, which needs no query.
        if line == history.lines:
            return history.chain
        # The batch with the line after it, whose beginning has a checksum.
        row = self._connection.execute(
            "SELECT first, before, lines FROM batches WHERE table_id = %s AND history = %s"
            " AND month = %s AND first <= %s ORDER BY first DESC LIMIT 1",
            (self._table, history.id, self._months[history.id], line + 1),
        ).fetchone()
        if row is None:
            return None
        first, before, text = row
        return next_chain(before, text.split("\n")[: line + 1 - first])

    def create(self, key: str, head: GameHead, names: Mapping[str, str]) -> History:
        about = {"game": head.number, **head.about}
        self._connection.execute(
            "INSERT INTO tables (id) VALUES (%s) ON CONFLICT DO NOTHING", (self._table,)
        )
        for side, name in names.items():
            self._connection.execute(
                "INSERT INTO names (table_id, key, side, name) VALUES (%s, %s, %s, %s)",
                (self._table, key, side, name),
            )
        return self._insert(key, head.number, head.started, about)

    def fork(self, history: History, lines: int, chain: str) -> History:
        row = self._connection.execute(
            "SELECT key, game, started, head FROM histories WHERE table_id = %s AND id = %s",
            (self._table, history.id),
        ).fetchone()
        assert row is not None
        copy = self._insert(*row)
        batches = self._connection.execute(
            "SELECT first, before, lines FROM batches"
            " WHERE table_id = %s AND history = %s AND month = %s AND first <= %s",
            (self._table, history.id, self._months[history.id], lines),
        ).fetchall()
        for first, before, text in batches:
            # The last batch may continue beyond the lines that both histories have.
            part = text.split("\n")[: lines - first + 1]
            self._connection.execute(_INSERT, self._batch(copy, first, before, part))
        values = {"table": self._table, "id": copy.id, "last": lines, "chain": chain}
        self._connection.execute(_UPDATE, values)
        return History(copy.id, lines, chain)

    def _insert(self, key: str, game: int, started: object, head: Mapping[str, Any]) -> History:
        from psycopg.types.json import Jsonb  # noqa: PLC0415 - an extra

        row = self._connection.execute(
            "INSERT INTO histories (table_id, key, game, started, head, lines, chain, current)"
            " VALUES (%s, %s, %s, %s, %s, 0, %s, false) RETURNING id, month",
            (self._table, key, game, started, Jsonb(head), key),
        ).fetchone()
        assert row is not None
        number, month = row
        history = self._history(number, month, False, 0, key)
        self.make_current(history)
        return history

    def append(self, history: History, lines: Sequence[str], chain: str) -> History:
        if not lines:
            return history
        batch = self._batch(history, history.lines + 1, history.chain, lines)
        self._connection.execute(_INSERT_AND_UPDATE, {**batch, "chain": chain})
        return History(history.id, history.lines + len(lines), chain, history.finished)

    def _batch(
        self, history: History, first: int, before: str, lines: Sequence[str]
    ) -> dict[str, object]:
        return {
            "table": self._table,
            "id": history.id,
            "month": self._months[history.id],
            "first": first,
            "last": first + len(lines) - 1,
            "before": before,
            "text": "\n".join(lines),
        }

    def make_current(self, history: History) -> None:
        if history.id in self._current:
            return
        self._current.add(history.id)
        self._connection.execute(
            # To be checked, by which the copies of a game of two tables are compared again.
            "UPDATE histories SET current = id = %(id)s, checked = 'epoch'"
            " WHERE table_id = %(table)s AND key ="
            " (SELECT key FROM histories WHERE table_id = %(table)s AND id = %(id)s)"
            " AND current != (id = %(id)s)",
            {"table": self._table, "id": history.id},
        )

    def finish(self, history: History, at: str) -> None:
        self._connection.execute(
            "UPDATE histories SET finished = %s WHERE table_id = %s AND id = %s",
            (at, self._table, history.id),
        )

    def withdraw_names(self, kept: Mapping[str, Mapping[str, str]]) -> None:
        from psycopg.types.json import Jsonb  # noqa: PLC0415 - an extra

        names = {key: dict(names) for key, names in kept.items()}
        self._connection.execute(
            "DELETE FROM names WHERE table_id = %s AND key = ANY(%s)"
            " AND name IS DISTINCT FROM %s -> key ->> side",
            (self._table, list(names), Jsonb(names)),
        )

    def withdraw_all_but(self, names: Collection[str]) -> None:
        self._connection.execute(
            "DELETE FROM names WHERE table_id = %s AND NOT name = ANY(%s)",
            (self._table, list(names)),
        )


@contextmanager
def store_of(connection: "Connection", table: str) -> Iterator[TableStore]:
    """The store of a table, in a transaction in which no other process stores in it."""
    # Without psycopg's pipeline, which costs more processor time than it saves round trips.
    with connection.transaction():
        # A lock of the table's row would write to the disk.
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (table,))
        yield TableStore(connection, table)


def name_of(connection: "Connection", table: str, key: str, side: Side) -> str | None:
    """The name of a game's player, None if the player does not agree that it is shown.

    Args:
        connection: The database.
        table: The table's id.
        key: The game's key.
        side: The player's side.
    """
    row = connection.execute(
        "SELECT name FROM shown_names WHERE table_id = %s AND key = %s AND side = %s",
        (table, key, side.value),
    ).fetchone()
    return None if row is None else str(row[0])


def read_lines(connection: "Connection", table: str, history: int) -> list[str]:
    """Return all lines of a history; those that the club or the table has removed are empty."""
    rows = connection.execute(
        "SELECT month, lines FROM histories WHERE table_id = %s AND id = %s", (table, history)
    ).fetchall()
    found: list[str] = []
    for month, count in rows:
        batches = connection.execute(
            "SELECT first, lines FROM batches"
            " WHERE table_id = %s AND history = %s AND month = %s ORDER BY first",
            (table, history, month),
        )
        for first, text in batches:
            found += [""] * (first - 1 - len(found))
            found += text.split("\n")
        found += [""] * (count - len(found))
    return found


def next_to_verify(
    connection: "Connection", excluded: Sequence[Hashable] = ()
) -> StoredGame | None:
    """Return a finished history without a verdict that no other process works on.

    Call it in a transaction that ends with the verdict. The numbers of `excluded` are left out.
    """
    row = connection.execute(
        "SELECT table_id, id, head FROM histories"
        " WHERE finished IS NOT NULL AND verdict IS NULL AND id != ALL(%s::bigint[])"
        " ORDER BY received LIMIT 1 FOR UPDATE SKIP LOCKED",
        (list(excluded),),
    ).fetchone()
    return None if row is None else _stored_game(connection, *row)


def store_verdict(
    connection: "Connection", table_id: str, history: int, examined: Examined
) -> None:
    """Store what refereeing a history again has found.

    A copy of a game of two tables is not rated if the table has another one, and contested if the
    other table's ends differently or the club cannot confirm a claim; not if its own side resigned.
    """
    from psycopg.types.json import Jsonb  # noqa: PLC0415 - an extra

    verdict, result, rated, shared, gave_up, dice = examined
    if shared is not None:
        # Of two processes that verify copies of one game, the second one sees the first one's.
        lock_copies(connection, shared.id)
    id_, table, side = (None, None, None) if shared is None else shared
    connection.execute(
        "UPDATE histories h SET verdict = %s, verdict_text = %s, result = %s,"
        " rated = %s AND NOT EXISTS (SELECT 1 FROM histories o WHERE o.table_id = h.table_id"
        " AND o.shared_id = %s AND o.key != h.key AND o.rated),"
        " shared_id = %s, shared_table = %s, shared_side = %s, dice = %s, checked = now(),"
        # A resignation is believed of the resigning side's own table, as a claim is if confirmed.
        " claim = CASE WHEN %s THEN 'confirmed' ELSE claim END"
        " WHERE table_id = %s AND id = %s",
        (
            *(verdict.code, verdict.text, result, rated, id_, id_),
            *(table, side and side.value, None if dice is None else Jsonb(dice)),
            *(gave_up, table_id, history),
        ),
    )
    if shared is not None:
        judge_claim(connection, table_id, history)
        compare_copies(connection, shared.id, table_id, shared.table)


def next_to_review(
    connection: "Connection", excluded: Sequence[Hashable] = ()
) -> StoredGame | None:
    """Return a verified history to review that no other process works on, a newest one first.

    Call it in a transaction that ends with the review. The numbers of `excluded` are left out.
    """
    row = connection.execute(
        "SELECT table_id, id, head FROM histories"
        " WHERE current AND verdict = 'verified' AND result != 'abandoned' AND review IS NULL"
        " AND id != ALL(%s::bigint[])"
        " ORDER BY received DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED",
        (list(excluded),),
    ).fetchone()
    return None if row is None else _stored_game(connection, *row)


def store_review(connection: "Connection", game: StoredGame, review: GameReview | None) -> None:
    """Store the luck and loss of a history, None if it cannot be reviewed."""
    from psycopg.types.json import Jsonb  # noqa: PLC0415 - an extra

    rows = connection.execute(
        "UPDATE histories SET review = %s WHERE table_id = %s AND id = %s"
        " RETURNING shared_id, shared_table",
        (Jsonb(None if review is None else review_values(review)), game.table, game.history),
    ).fetchall()
    for shared, other in rows:
        if shared is not None:
            compare_copies(connection, shared, game.table, other)


def _stored_game(
    connection: "Connection", table: str, history: int, about: dict[str, Any]
) -> StoredGame:
    number = about.pop("game")
    lines = tuple(read_lines(connection, table, history))
    return StoredGame(table, history, GameHead(number, **about), lines)
