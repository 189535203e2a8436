"""The players of a tournament: an arbiter withdraws, renames and removes them, or grants byes."""

from typing import TYPE_CHECKING

from urpi.club.server.new_tournaments import checked_name, rounds_for
from urpi.club.server.players import identity
from urpi.club.server.tournaments import StoredTournament, existing, locked
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection


class NoPlayerError(UrpiError):
    """The tournament has no such player."""


def withdraw_player(
    connection: "Connection", number: int, player: str, *, undo: bool = False
) -> StoredTournament:
    """Store that a player plays no further rounds, or with `undo` plays again in the next ones.

    Rounds that have begun remain as they are; open pairings need a result.

    Raises:
        NoPlayerError: If the tournament has no such player.
    """
    with connection.transaction():
        places = player_numbers(locked(connection, number), player)
        connection.execute(
            "UPDATE tournament_players SET withdrawn = %s"
            " WHERE tournament = %s AND number = ANY(%s)",
            (not undo, number, places),
        )
        return existing(connection, number)


def request_bye(
    connection: "Connection",
    number: int,
    player: str,
    round_: int | None = None,
    *,
    undo: bool = False,
) -> int:
    """Store that a player has asked for a bye with half a point, and return the round.

    Args:
        connection: The database.
        number: The tournament.
        player: The player's name.
        round_: The round, from 1, which has not begun. None is the next one.
        undo: Whether the player plays in that round after all.

    Raises:
        NoPlayerError: If the tournament has no such player.
        UrpiError: If it is no Swiss, or the round has begun or does not exist.
    """
    with connection.transaction():
        found = locked(connection, number)
        places = player_numbers(found, player)
        if found.form != "swiss" and not found.boards:
            message = f"Players ask for byes in a Swiss; tournament {number} is a {found.form}."
            raise UrpiError(message)
        next_one = len(found.rounds) + 1
        chosen = next_one if round_ is None else round_
        if not next_one <= chosen <= found.planned:
            message = f"Round {chosen} cannot have a bye; of {found.planned}, {next_one - 1} began."
            raise UrpiError(message)
        for place in places:
            byes = found.byes[place] - {chosen - 1} if undo else found.byes[place] | {chosen - 1}
            connection.execute(
                "UPDATE tournament_players SET byes = %s WHERE (tournament, number) = (%s, %s)",
                (sorted(byes), number, place),
            )
        return chosen


def rename_player(connection: "Connection", number: int, player: str, name: str) -> str:
    """Replace the name of a player in a tournament, and return the new one.

    Raises:
        NoPlayerError: If the tournament has no such player.
        UrpiError: If the name is not valid, or that of another player.
    """
    new = checked_name(name, "The name")
    with connection.transaction():
        found = locked(connection, number)
        team = _team_number(found, player)
        place = player_number(found, player) if team is None else team
        names, other_names = found.names, found.team_names
        if team is not None:
            names, other_names = other_names, names
        others = (each for other, each in enumerate(names) if other != place)
        if identity(new) in map(identity, (*others, *other_names)):
            message = f"Tournament {number} has a player {new!r} already."
            raise UrpiError(message)
        connection.execute(
            "UPDATE tournament_players SET name = %s WHERE (tournament, number) = (%s, %s)"
            if team is None
            else "UPDATE tournament_teams SET name = %s WHERE (tournament, number) = (%s, %s)",
            (new, number, place),
        )
    return new


def remove_player(connection: "Connection", number: int, player: str) -> StoredTournament:
    """Remove a player from a tournament that has not begun, and return it.

    It then has as many rounds as after `add_players` with so many players.

    Raises:
        NoPlayerError: If the tournament has no such player.
        UrpiError: If the tournament has begun, or has two players only.
    """
    with connection.transaction():
        found = locked(connection, number)
        place = player_number(found, player)
        if found.rounds:
            message = "The tournament has begun; withdraw the player instead."
            raise UrpiError(message)
        if found.boards and found.teams.count(found.teams[place]) <= found.boards:
            message = f"The team needs a player for each of its {found.boards} boards."
            raise UrpiError(message)
        planned = rounds_for(found, len(found.team_names) if found.boards else len(found.names) - 1)
        connection.execute("UPDATE tournaments SET rounds = %s WHERE id = %s", (planned, number))
        connection.execute(
            "DELETE FROM tournament_players WHERE (tournament, number) = (%s, %s)", (number, place)
        )
        # In two steps: each number must be unique after every row.
        connection.execute(
            "UPDATE tournament_players SET number = -number WHERE tournament = %s AND number > %s",
            (number, place),
        )
        connection.execute(
            "UPDATE tournament_players SET number = -number - 1 WHERE tournament = %s"
            " AND number < 0",
            (number,),
        )
        return existing(connection, number)


def player_numbers(found: StoredTournament, name: str) -> list[int]:
    """The numbers of the players of a team with this name, or that of the player.

    Raises:
        NoPlayerError: If the tournament has neither.
    """
    team = _team_number(found, name)
    if team is None:
        return [player_number(found, name)]
    return [player for player, of in enumerate(found.teams) if of == team]


def _team_number(found: StoredTournament, name: str) -> int | None:
    names = [identity(each) for each in found.team_names]
    return names.index(identity(name)) if identity(name) in names else None


def player_number(found: StoredTournament, name: str) -> int:
    """The number of a player in a tournament.

    Raises:
        NoPlayerError: If the tournament has no such player.
    """
    names = [identity(each) for each in found.names]
    if identity(name) not in names:
        message = f"Tournament {found.id} has no player {name!r}; it has {', '.join(found.names)}."
        raise NoPlayerError(message)
    return names.index(identity(name))
