"""The tables at which the pairings of a tournament play: assigned by the club, or by an arbiter."""

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from urpi.club.server.presence import check_table
from urpi.club.server.tournaments import StoredTournament, existing, locked, match_of
from urpi.club.tournaments.matches import next_game, points_of_games
from urpi.club.tournaments.tournament import Pairing
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection

MAX_LISTED: Final = 1000
"""Maximum number of pairings in the list of all tournaments."""
_LOCK: Final = int.from_bytes(b"tables", "big")
"""The advisory lock with which no two tournaments take the same table."""
_FREE: Final = """
SELECT p.table_id FROM (
    SELECT DISTINCT ON (table_id) table_id, online FROM presence
    WHERE table_id != '' ORDER BY table_id, at DESC
) p
-- A game without an end may have been left on the board; one takes some minutes. One without a
-- throw was begun by the table itself.
LEFT JOIN LATERAL (
    SELECT coalesce(finished, verdict) IS NULL AND received > now() - interval '2 hours'
    AND EXISTS (
        SELECT FROM batches b WHERE (b.table_id, b.history, b.month) = (h.table_id, h.id, h.month)
        AND position('"type":"roll"' IN b.lines) > 0
    ) AS running
    FROM histories h WHERE h.table_id = p.table_id AND current ORDER BY id DESC LIMIT 1
) newest ON true
WHERE p.online AND running IS NOT TRUE AND NOT EXISTS (
    SELECT FROM pairings WHERE pairings.table_id = p.table_id AND result IS NULL)
"""


class TakenError(UrpiError):
    """The table is that of a pairing of another tournament."""


class NoFreeTableError(UrpiError):
    """No table is free for the pairings that have none."""


class AssignedPairing(NamedTuple):
    """An open pairing with a table.

    Attributes:
        table: The table's id.
        tournament: The tournament.
        name: Its name.
        round: The round, from 1.
        board: The pairing in the round, from 1.
        light: Light's name, of a match that in its first game.
        dark: Dark's name.
        rules: The id of the tournament's rule set, None for any.
        games: The number of games of a match, with the extra ones of a knockout.
        game: The number of the next one, from 1.
        light_points: Light's points in the games so far.
        dark_points: Dark's points.
    """

    table: str
    tournament: int
    name: str
    round: int
    board: int
    light: str
    dark: str
    rules: str | None
    games: int
    game: int
    light_points: float
    dark_points: float

    @property
    def sides(self) -> tuple[str, str]:
        """The names of light and dark in the next game, whose sides alternate in a match."""
        return (self.light, self.dark) if self.game % 2 else (self.dark, self.light)


def assign_tables(
    connection: "Connection", number: int, known: int | None = None
) -> StoredTournament:
    """Give each open pairing of the newest round that has no table a free one, by their order.

    A table is free if it is connected, no game runs there, and no other open pairing has it.

    Args:
        connection: The database.
        number: The tournament.
        known: The number of rounds that the arbiter saw; None for as many as there are.

    Raises:
        NoFreeTableError: If pairings have no table, and no table is free.
        UrpiError: If there is no such tournament, or another round is the newest one now.
    """
    with connection.transaction():
        found = _locked(connection, number)
        if known not in {None, len(found.rounds)} or not found.rounds:
            message = f"The newest round is {len(found.rounds)}; look at the tournament again."
            raise UrpiError(message)
        index, newest = len(found.rounds) - 1, found.rounds[-1]
        boards = [
            board
            for board, one in enumerate(newest.pairings)
            if one.dark is not None and one.is_open and board not in newest.tables
        ]
        free = sorted((table for (table,) in connection.execute(_FREE)), key=_natural)
        if boards and not free:
            message = "No table is free: connected, without a game and without a pairing."
            raise NoFreeTableError(message)
        for board, table in zip(boards, free, strict=False):
            _store(connection, (number, index, board), table)
        return existing(connection, number)


def change_table(
    connection: "Connection", number: int, round_: int, board: int, table: str | None
) -> StoredTournament:
    """Let an open pairing play at another table, or with None at none.

    Another pairing of the tournament that has this table gets the one that this pairing had.

    Args:
        connection: The database.
        number: The tournament.
        round_: The round, from 0.
        board: The index of the pairing.
        table: The table's id.

    Raises:
        TakenError: If a pairing of another tournament has the table.
        UnknownTableError: If no such table has been connected.
        UrpiError: If there is no such pairing, or it has a result.
    """
    with connection.transaction():
        found = _locked(connection, number)
        pairings = found.rounds[round_].pairings if 0 <= round_ < len(found.rounds) else ()
        if not 0 <= board < len(pairings) or pairings[board].dark is None:
            message = f"Round {round_ + 1} has no game at board {board + 1}."
            raise UrpiError(message)
        if not pairings[board].is_open:
            message = "A pairing that has a result needs no table."
            raise UrpiError(message)
        if table is not None:
            _free_for(connection, found, table, found.rounds[round_].tables.get(board))
        _store(connection, (number, round_, board), table)
        return existing(connection, number)


def assigned_pairings(connection: "Connection", longest: int = MAX_LISTED) -> list[AssignedPairing]:
    """The open pairings of all tournaments that have a table, by table; at most `longest`."""
    rows = connection.execute(
        "SELECT p.table_id, t.id, t.name, p.round + 1, p.board + 1, a.name, b.name, t.rules,"
        " t.games, p.light, p.dark,"
        " (SELECT json_object_agg(number, json_build_array(light, dark, result)) FROM match_games m"
        " WHERE (m.tournament, m.round, m.board) = (p.tournament, p.round, p.board))"
        " FROM pairings p"
        " JOIN tournaments t ON t.id = p.tournament"
        " JOIN tournament_players a ON (a.tournament, a.number) = (p.tournament, p.light)"
        " JOIN tournament_players b ON (b.tournament, b.number) = (p.tournament, p.dark)"
        " WHERE p.table_id IS NOT NULL AND p.result IS NULL"
        " ORDER BY p.table_id, p.round, p.tournament LIMIT %s",
        (longest,),
    )
    return [_assigned(*row) for row in rows]


def _assigned(*row: Any) -> AssignedPairing:
    *about, games, light, dark, known = row
    match = match_of(
        Pairing(light, dark), {int(number): game for number, game in (known or {}).items()}
    )
    number = next_game(match) + 1
    return AssignedPairing._make((*about, max(games, number), number, *points_of_games(match)))


def _free_for(
    connection: "Connection", found: StoredTournament, table: str, before: str | None
) -> None:
    """Take a table from the pairing that has it, which gets another one."""
    check_table(connection, table)
    owners = connection.execute(
        "SELECT tournament, round, board FROM pairings WHERE table_id = %s AND result IS NULL",
        (table,),
    ).fetchall()
    for owner in owners:
        if owner[0] != found.id:
            message = f"Table {table} is that of a pairing of tournament {owner[0]}."
            raise TakenError(message)
        _store(connection, owner, before)


def _locked(connection: "Connection", number: int) -> StoredTournament:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    return locked(connection, number)


def _store(connection: "Connection", place: tuple[int, int, int], table: str | None) -> None:
    connection.execute(
        "UPDATE pairings SET table_id = %s WHERE (tournament, round, board) = (%s, %s, %s)"
        " AND result IS NULL",
        (table, *place),
    )


def _natural(table: str) -> list[tuple[int, str]]:
    """Sorts lisbon-2 before lisbon-10."""
    return [(int(one or 0), text) for text, one in re.findall(r"(\D*)(\d*)", table)]
