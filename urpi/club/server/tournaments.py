"""The tournaments of a club in PostgreSQL, with results from verified games.

The names of a tournament are entered by its arbiter and belong to it. They are not those of games,
which their players publish and withdraw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, LiteralString

from urpi.club.tournaments.matches import game_of
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


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round that has begun.

    Attributes:
        started: When it began.
        pairings: The pairings in the order of their boards.
        games: The numbers of the games at the club that brought results, by index of the pairing,
            and in a match with the index of the game.
        tables: The ids of the tables at which pairings play, by index of the pairing.
    """

    started: datetime
    pairings: tuple[Pairing, ...]
    games: Mapping[tuple[int, int], int]
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
        games: Number of games of each pairing.
        boards: Number of boards on which two teams meet, 0 without teams.
        teams: The numbers of the players' teams.
        team_names: The names of the teams in the order of their seeding.
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
    games: int = 1
    boards: int = 0
    teams: tuple[int, ...] = ()
    team_names: tuple[str, ...] = ()

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of those who are in the standings: the teams, or without teams the players."""
        return self.team_names if self.boards else self.names

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
            self.games,
            self.boards,
            self.teams,
        )


_SELECT: Final = (
    "SELECT id, name, format, rules, rounds, tie_breaks, created, third_place, games, boards"
    " FROM tournaments"
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
    teams: dict[int, list[str]] = {each: [] for each in ids}
    for tournament, name in connection.execute(
        "SELECT tournament, name FROM tournament_teams WHERE tournament = ANY(%s) ORDER BY number",
        (ids,),
    ):
        teams[tournament].append(name)
    players: dict[int, list[tuple[str, bool, list[int], int]]] = {each: [] for each in ids}
    for tournament, *player in connection.execute(
        "SELECT tournament, name, withdrawn, byes, team FROM tournament_players"
        " WHERE tournament = ANY(%s) ORDER BY tournament, number",
        (ids,),
    ):
        players[tournament].append((player[0], player[1], player[2], player[3]))
    return [
        StoredTournament(
            number,
            name,
            form,
            rules,
            planned,
            tuple(tie_breaks),
            created,
            tuple(player for player, *_ in players[number]),
            frozenset(place for place, (_, gone, *_) in enumerate(players[number]) if gone),
            tuple(rounds[number]),
            tuple(frozenset(byes) for _, _, byes, _ in players[number]),
            third_place,
            games,
            boards,
            teams=tuple(team for *_, team in players[number]) if teams[number] else (),
            team_names=tuple(teams[number]),
        )
        for number, name, form, rules, planned, tie_breaks, created, *options in rows
        for third_place, games, boards in [options]
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
    matches: dict[tuple[int, int], dict[int, dict[int, tuple[Any, ...]]]] = {}
    for tournament, number, board, index, *game in connection.execute(
        "SELECT tournament, round, board, number, light, dark, result, played, game"
        " FROM match_games WHERE tournament = ANY(%s)",
        (ids,),
    ):
        of_round = matches.setdefault((tournament, number), {})
        of_round.setdefault(board, {})[index] = tuple(game)
    found: dict[int, list[StoredRound]] = {each: [] for each in ids}
    for tournament, number, time in connection.execute(
        "SELECT tournament, round, started FROM tournament_rounds WHERE tournament = ANY(%s)"
        " ORDER BY tournament, round",
        (ids,),
    ):
        rows = boards.get((tournament, number), [])
        tables = {place: row[5] for place, row in enumerate(rows) if row[5] is not None}
        played = matches.get((tournament, number), {})
        pairings = tuple(
            match_of(Pairing(*row[:4]), played.get(place, {})) for place, row in enumerate(rows)
        )
        games = {
            (place, index): one[4]
            for place, row in enumerate(rows)
            for index, one in (played.get(place) or {0: row}).items()
            if one[4] is not None
        }
        found[tournament].append(StoredRound(time, pairings, games, tables))
    return found


def match_of(pairing: Pairing, known: Mapping[int, Sequence[Any]]) -> Pairing:
    """A pairing with its games of which, by their indexes, sides and result are known."""
    games = tuple(
        Pairing(*known[number][:4]) if number in known else game_of(pairing, number)
        for number in range(max(known, default=-1) + 1)
    )
    return replace(pairing, games=games)


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
    kept: Mapping[int, tuple[Mapping[int, int], str | None]] | None = None,
    first: int = 0,
) -> None:
    """Store pairings.

    Args:
        connection: The database.
        place: The tournament and the round, from 0.
        pairings: The pairings.
        kept: The numbers of the games that brought results, by their indexes, and the table, by
            the number of light's player.
        first: The board of the first pairing.
    """
    rows: list[tuple[object, ...]] = []
    for board, one in enumerate(pairings, first):
        games, table = (kept or {}).get(one.light, ({}, None))
        game = None if one.games else games.get(0)
        rows.append((*place, board, *_values(one), game, table))
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO pairings (tournament, round, board, light, dark, result, played, game,"
            " table_id) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            rows,
        )
    for board, one in enumerate(pairings, first):
        games, _ = (kept or {}).get(one.light, ({}, None))
        for index, each in enumerate(one.games):
            if not each.is_open:
                store_match_game(connection, (*place, board, index), each, games.get(index))


def store_match_game(
    connection: "Connection",
    place: tuple[int, int, int, int],
    game: Pairing,
    number: int | None = None,
) -> None:
    """Store a game of a match, or remove it if it is open.

    Args:
        connection: The database.
        place: The tournament, the round, the board, and the index of the game.
        game: The game.
        number: Its number at the club, None for a result that was entered.
    """
    connection.execute(
        "DELETE FROM match_games WHERE (tournament, round, board, number) = (%s, %s, %s, %s)",
        place,
    )
    if not game.is_open:
        connection.execute(
            "INSERT INTO match_games (tournament, round, board, number, light, dark, result,"
            " played, game) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (*place, *_values(game), number),
        )


def _values(pairing: Pairing) -> tuple[int, int | None, str | None, bool]:
    return pairing.light, pairing.dark, pairing.result, pairing.played


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
