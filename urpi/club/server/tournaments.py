"""The tournaments of a club in PostgreSQL, with results from verified games.

The names of a tournament are entered by its arbiter and belong to it. They are not those of games,
which their players publish and withdraw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, LiteralString

from urpi.club.server.players import identity
from urpi.club.tournaments.next_round import next_round
from urpi.club.tournaments.tournament import (
    Format,
    Pairing,
    TieBreak,
    Tournament,
)
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection

MAX_LISTED: Final = 200
"""Maximum number of tournaments in the list."""

SLOW: Final = timedelta(minutes=15)
"""How slow a table's clock may be without losing the results of its tournament."""


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round that has begun.

    Attributes:
        started: When it began.
        pairings: The pairings in the order of their boards.
        games: The numbers of the games at the club that brought results, by index of the pairing.
        tables: The ids of the tables at which pairings play, by index of the pairing.
    """

    started: datetime
    pairings: tuple[Pairing, ...]
    games: Mapping[int, int]
    tables: Mapping[int, str] = field(default_factory=dict)


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
        rounds: The rounds that have begun.
        byes: For each player the rounds, from 0, in which the player has asked for a bye.
        third_place: Whether a knockout has a game for the third place.
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
    byes: tuple[frozenset[int], ...] = ()
    third_place: bool = False

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
            frozenset(
                player for player, rounds in enumerate(self.byes) if len(self.rounds) in rounds
            ),
            self.third_place,
        )


_SELECT: Final = (
    "SELECT id, name, format, rules, rounds, tie_breaks, created, third_place FROM tournaments"
)


def list_tournaments(connection: "Connection") -> list[StoredTournament]:
    return _loaded(connection, " ORDER BY created DESC, id DESC LIMIT %s", MAX_LISTED)


def all_tournaments(connection: "Connection") -> list[StoredTournament]:
    """Return all tournaments, the oldest first, however many they are."""
    return _loaded(connection, " WHERE id >= %s ORDER BY id", 0)


def find_tournament(connection: "Connection", number: int) -> StoredTournament | None:
    """A tournament, None if there is none with this number."""
    return next(iter(_loaded(connection, " WHERE id = %s", number)), None)


def _loaded(connection: "Connection", which: LiteralString, value: int) -> list[StoredTournament]:
    rows = connection.execute(_SELECT + which, (value,)).fetchall()
    # One query for the rounds and one for the players of all of them, in place of two for each.
    ids = [row[0] for row in rows]
    rounds = _rounds(connection, ids)
    players: dict[int, list[tuple[str, bool, list[int]]]] = {each: [] for each in ids}
    for tournament, *player in connection.execute(
        "SELECT tournament, name, withdrawn, byes FROM tournament_players"
        " WHERE tournament = ANY(%s) ORDER BY tournament, number",
        (ids,),
    ):
        players[tournament].append((player[0], player[1], player[2]))
    return [
        StoredTournament(
            number,
            name,
            form,
            rules,
            planned,
            tuple(tie_breaks),
            created,
            tuple(player for player, _, _ in players[number]),
            frozenset(place for place, (_, gone, _) in enumerate(players[number]) if gone),
            tuple(rounds[number]),
            tuple(frozenset(byes) for _, _, byes in players[number]),
            third_place,
        )
        for number, name, form, rules, planned, tie_breaks, created, third_place in rows
    ]


def _rounds(connection: "Connection", ids: list[int]) -> dict[int, list[StoredRound]]:
    boards: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    for tournament, number, *board in connection.execute(
        "SELECT tournament, round, light, dark, result, played, game, table_id"
        " FROM pairings"
        " WHERE tournament = ANY(%s) ORDER BY tournament, round, board",
        (ids,),
    ):
        boards.setdefault((tournament, number), []).append(tuple(board))
    found: dict[int, list[StoredRound]] = {each: [] for each in ids}
    for tournament, number, time in connection.execute(
        "SELECT tournament, round, started FROM tournament_rounds WHERE tournament = ANY(%s)"
        " ORDER BY tournament, round",
        (ids,),
    ):
        rows = boards.get((tournament, number), [])
        games = {place: row[4] for place, row in enumerate(rows) if row[4] is not None}
        tables = {place: row[5] for place, row in enumerate(rows) if row[5] is not None}
        pairings = tuple(Pairing(*row[:4]) for row in rows)
        found[tournament].append(StoredRound(time, pairings, games, tables))
    return found


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
        store_pairings(connection, (number, index), pairings)
        return existing(connection, number)


def store_pairings(
    connection: "Connection",
    place: tuple[int, int],
    pairings: Sequence[Pairing],
    kept: Mapping[int, tuple[int | None, str | None]] | None = None,
    first: int = 0,
) -> None:
    """Store pairings.

    Args:
        connection: The database.
        place: The tournament and the round, from 0.
        pairings: The pairings.
        kept: The number of the game that brought the result, and the table, by the number of
            light's player.
        first: The board of the first pairing.
    """
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO pairings (tournament, round, board, light, dark, result, played, game,"
            " table_id) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                (
                    *place,
                    board,
                    one.light,
                    one.dark,
                    one.result,
                    one.played,
                    *(kept or {}).get(one.light, (None, None)),
                )
                for board, one in enumerate(pairings, first)
            ],
        )


def delete_tournament(connection: "Connection", number: int) -> None:
    """Delete a tournament with its rounds; the games remain."""
    connection.execute("DELETE FROM tournaments WHERE id = %s", (number,))


def existing(connection: "Connection", number: int) -> StoredTournament:
    """A tournament.

    Raises:
        UrpiError: If there is none with this number.
    """
    found = find_tournament(connection, number)
    if found is None:
        message = f"There is no tournament {number}; choose one from the list of tournaments."
        raise UrpiError(message)
    return found


def locked(connection: "Connection", number: int) -> StoredTournament:
    """A tournament that no other transaction changes until the end of this one.

    Raises:
        UrpiError: If there is none with this number.
    """
    connection.execute("SELECT 1 FROM tournaments WHERE id = %s FOR UPDATE", (number,))
    return existing(connection, number)


def apply_game(connection: "Connection", table: str, history: int) -> None:
    """Store the result of a verified and rated game in the pairings that wait for it.

    A pairing waits for the first such game of its two players that reached the club after its round
    had begun, and that began after it or at most `SLOW` before by the clock of its table. If they
    played with exchanged sides, the pairing has the sides of the game. A draw is no result of a
    knockout, where the next game counts. A game of two tables brings its result with the second of
    its copies, or with a resignation or a claim that counts alone.
    """
    row = connection.execute(
        "SELECT c.id, least(c.started + %s, g.received), split_part(c.head->>'rules', '[', 1),"
        " c.result, light, dark"
        " FROM counted_games c JOIN histories g ON (g.table_id, g.id) = (c.table_id, c.id)"
        " WHERE c.rated AND light IS NOT NULL AND dark IS NOT NULL AND (c.table_id, c.id) = ("
        # The copy of a game of two tables that is counted.
        " SELECT coalesce(other.table_id, h.table_id), coalesce(other.id, h.id) FROM histories h"
        " LEFT JOIN histories other"
        " ON (other.shared_id, other.table_id) = (h.shared_id, h.shared_table)"
        " AND other.current AND other.rated"
        " AND (other.shared_side = 'light' AND other.result = h.result"
        " OR h.verdict = 'contested' AND other.claim = 'confirmed')"
        " WHERE (h.table_id, h.id) = (%s, %s))",
        (SLOW, table, history),
    ).fetchone()
    if row is None:
        return
    game, latest, rules, result, *names = row
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
        (latest, rules, result),
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
        # The tournament's arbiter has entered both names. What a table withdraws now is left out.
        connection.execute(
            "UPDATE names SET paired = true WHERE (table_id, key, side) IN ("
            " SELECT n.table_id, n.key, n.side FROM histories g"
            " LEFT JOIN histories o ON (o.shared_id, o.table_id) = (g.shared_id, g.shared_table)"
            " AND o.current AND o.rated"
            " JOIN names n ON (n.table_id, n.key) IN ((g.table_id, g.key),"
            " (g.shared_table, coalesce(o.key, g.claim_key)))"
            " WHERE g.id = %s AND (g.shared_side IS NULL"
            " OR (n.side = g.shared_side) = (n.table_id = g.table_id))"
            " FOR NO KEY UPDATE OF n SKIP LOCKED)",
            (game,),
        )
