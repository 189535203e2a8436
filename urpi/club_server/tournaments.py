"""The tournaments of a club in PostgreSQL, with results from verified games.

The names of a tournament are entered by its arbiter and belong to it. They are not those of games,
which their players publish and withdraw.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from urpi.club_server.players import identity
from urpi.errors import UrpiError
from urpi.tournaments.next_round import next_round
from urpi.tournaments.tournament import (
    Format,
    Pairing,
    TieBreak,
    Tournament,
)

if TYPE_CHECKING:
    from psycopg import Connection

MOST_LISTED: Final = 200
"""Maximum number of tournaments in the list."""


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round that has begun.

    Attributes:
        started: When it began.
        pairings: The pairings in the order of their boards.
        games: The numbers of the games at the club that brought results, by index of the pairing.
    """

    started: datetime
    pairings: tuple[Pairing, ...]
    games: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament.

    Attributes:
        id: Its number.
        name: Its name.
        form: The format.
        rules: The id of the rule set, None for any.
        planned: Number of rounds.
        tie_breaks: The tie-breaks.
        created: When it was created.
        names: The names of the players in the order of their seeding.
        withdrawn: The numbers of players who have withdrawn.
        rounds: The rounds that have begun; empty in a list.
    """

    id: int
    name: str
    form: Format
    rules: str | None
    planned: int
    tie_breaks: tuple[TieBreak, ...]
    created: datetime
    names: tuple[str, ...]
    withdrawn: frozenset[int] = frozenset()
    rounds: tuple[StoredRound, ...] = field(default=())

    @property
    def state(self) -> Tournament:
        """The tournament without its names."""
        return Tournament(
            self.form,
            len(self.names),
            self.planned,
            tuple(each.pairings for each in self.rounds),
            self.withdrawn,
            self.tie_breaks,
        )


def list_tournaments(connection: "Connection") -> list[tuple[StoredTournament, int]]:
    """Return the newest tournaments, each with the number of its rounds that have begun."""
    rows = connection.execute(
        "SELECT id, name, format, rules, rounds, tie_breaks, created,"
        " (SELECT array_agg(p.name ORDER BY number) FROM tournament_players p"
        " WHERE tournament = t.id),"
        " (SELECT count(*) FROM tournament_rounds WHERE tournament = t.id)"
        " FROM tournaments t ORDER BY created DESC, id DESC LIMIT %s",
        (MOST_LISTED,),
    )
    return [
        (_stored(tuple(about), created, tuple(names)), begun)
        for *about, created, names, begun in rows
    ]


def _stored(
    about: tuple[Any, ...],
    created: datetime,
    names: tuple[str, ...],
    withdrawn: frozenset[int] = frozenset(),
    rounds: tuple[StoredRound, ...] = (),
) -> StoredTournament:
    number, name, form, rules, planned, tie_breaks = about
    return StoredTournament(
        number, name, form, rules, planned, tuple(tie_breaks), created, names, withdrawn, rounds
    )


def find_tournament(connection: "Connection", number: int) -> StoredTournament | None:
    """Return a tournament with its rounds, None if there is none with this number."""
    row = connection.execute(
        "SELECT id, name, format, rules, rounds, tie_breaks, created FROM tournaments"
        " WHERE id = %s",
        (number,),
    ).fetchone()
    if row is None:
        return None
    players = connection.execute(
        "SELECT number, name, withdrawn FROM tournament_players WHERE tournament = %s"
        " ORDER BY number",
        (number,),
    ).fetchall()
    return _stored(
        tuple(row[:6]),
        row[6],
        tuple(name for _, name, _ in players),
        frozenset(player for player, _, withdrawn in players if withdrawn),
        _rounds(connection, number),
    )


def _rounds(connection: "Connection", tournament: int) -> tuple[StoredRound, ...]:
    pairings = connection.execute(
        "SELECT round, light, dark, result, played, game FROM pairings WHERE tournament = %s"
        " ORDER BY round, board",
        (tournament,),
    ).fetchall()
    started = connection.execute(
        "SELECT round, started FROM tournament_rounds WHERE tournament = %s ORDER BY round",
        (tournament,),
    )
    found = []
    for number, time in started:
        rows = [row for row in pairings if row[0] == number]
        games = {place: row[5] for place, row in enumerate(rows) if row[5] is not None}
        found.append(StoredRound(time, tuple(Pairing(*row[1:5]) for row in rows), games))
    return tuple(found)


def begin_round(
    connection: "Connection", number: int, begun: int | None = None
) -> StoredTournament:
    """Store the pairings of the next round, and return the tournament.

    Args:
        connection: The database.
        number: The tournament.
        begun: The number of rounds that the arbiter knows: a second request for the same round
            begins none. None begins the next round in any case.

    Raises:
        UrpiError: If there is no such tournament, or no next round now.
    """
    with connection.transaction():
        found = locked(connection, number)
        if begun is not None and begun < len(found.rounds):
            return found
        pairings = next_round(found.state)
        index = len(found.rounds)
        connection.execute(
            "INSERT INTO tournament_rounds (tournament, round) VALUES (%s, %s)", (number, index)
        )
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO pairings (tournament, round, board, light, dark, result, played)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s)",
                [
                    (number, index, board, one.light, one.dark, one.result, one.played)
                    for board, one in enumerate(pairings)
                ],
            )
        return existing(connection, number)


def withdraw_player(connection: "Connection", number: int, player: int) -> None:
    """Store that a player plays no further rounds; open pairings need a result."""
    connection.execute(
        "UPDATE tournament_players SET withdrawn = true WHERE (tournament, number) = (%s, %s)",
        (number, player),
    )


def rename_player(connection: "Connection", number: int, player: int, name: str) -> None:
    """Replace the name of a player in a tournament."""
    connection.execute(
        "UPDATE tournament_players SET name = %s WHERE (tournament, number) = (%s, %s)",
        (name, number, player),
    )


def delete_tournament(connection: "Connection", number: int) -> None:
    """Delete a tournament with its rounds; the games remain."""
    connection.execute("DELETE FROM tournaments WHERE id = %s", (number,))


def existing(connection: "Connection", number: int) -> StoredTournament:
    """Return a tournament.

    Raises:
        UrpiError: If there is none with this number.
    """
    found = find_tournament(connection, number)
    if found is None:
        message = f"There is no tournament {number}; choose one from the list of tournaments."
        raise UrpiError(message)
    return found


def locked(connection: "Connection", number: int) -> StoredTournament:
    """Return a tournament that no other transaction changes until the end of this one.

    Raises:
        UrpiError: If there is none with this number.
    """
    connection.execute("SELECT 1 FROM tournaments WHERE id = %s FOR UPDATE", (number,))
    return existing(connection, number)


def apply_game(connection: "Connection", table: str, history: int) -> None:
    """Store the result of a verified and rated game in the pairings that wait for it.

    A pairing waits for the first such game of its two players that began after its round. If they
    played with exchanged sides, the pairing has the sides of the game. A draw is no result of a
    knockout, where the next game counts. A game of two tables brings its result with the second of
    its copies.
    """
    row = connection.execute(
        "SELECT id, started, split_part(head->>'rules', '[', 1), result, light, dark"
        " FROM counted_games"
        " WHERE rated AND light IS NOT NULL AND dark IS NOT NULL AND (table_id, id) = ("
        # The copy of a game of two tables that is counted.
        " SELECT coalesce(other.table_id, h.table_id), coalesce(other.id, h.id) FROM histories h"
        " LEFT JOIN histories other"
        " ON (other.shared_id, other.table_id) = (h.shared_id, h.shared_table)"
        " AND other.shared_side = 'light' AND other.current AND other.rated"
        " WHERE (h.table_id, h.id) = (%s, %s))",
        (table, history),
    ).fetchone()
    if row is None:
        return
    game, started, rules, result, *names = row
    light, dark = map(identity, names)
    waiting = connection.execute(
        "SELECT p.tournament, p.round, p.board, p.light, p.dark, a.name, b.name"
        " FROM pairings p"
        " JOIN tournaments t ON t.id = p.tournament"
        " JOIN tournament_rounds r ON (r.tournament, r.round) = (p.tournament, p.round)"
        " JOIN tournament_players a ON (a.tournament, a.number) = (p.tournament, p.light)"
        " JOIN tournament_players b ON (b.tournament, b.number) = (p.tournament, p.dark)"
        " WHERE p.result IS NULL AND r.started <= %s AND (t.rules IS NULL OR t.rules = %s)"
        " AND NOT (t.format = 'knockout' AND %s = 'draw')"
        " FOR UPDATE OF p",
        (started, rules, result),
    ).fetchall()
    for tournament, index, board, first, second, *paired in waiting:
        match tuple(map(identity, paired)):
            case (a, b) if (a, b) == (light, dark):
                sides = first, second
            case (a, b) if (a, b) == (dark, light):
                sides = second, first
            case _:
                continue
        connection.execute(
            "UPDATE pairings SET light = %s, dark = %s, result = %s, game = %s"
            " WHERE (tournament, round, board) = (%s, %s, %s)",
            (*sides, result, game, tournament, index, board),
        )
