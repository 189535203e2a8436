"""New tournaments: what an arbiter enters on the command line or the page is checked and stored."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from urpi.club.server.players import identity
from urpi.club.server.tournaments import StoredTournament, existing, locked, store_pairings
from urpi.club.tournaments.tournament import (
    MAX_GAMES,
    Format,
    Pairing,
    TieBreak,
    Tournament,
    default_tie_breaks,
    planned_rounds,
)
from urpi.club.tournaments.trf import trf_names
from urpi.core.errors import UrpiError
from urpi.core.names import MAX_NAME, normalised_name
from urpi.rules import rule_set

if TYPE_CHECKING:
    from psycopg import Connection


def create_tournament(  # noqa: PLR0913 - what a tournament is
    connection: "Connection",
    name: str,
    form: Format,
    lines: Iterable[str],
    *,
    rounds: int | None = None,
    rules: str | None = None,
    tie_breaks: Sequence[TieBreak] = (),
    third_place: bool = False,
    games: int = 1,
) -> StoredTournament:
    """Store a new tournament without rounds, and return it.

    Args:
        connection: The database.
        name: The name.
        form: The format.
        lines: The names of its players in the order of their seeding; empty ones are left out.
        rounds: Number of rounds, None for the default of the format.
        rules: The id of the rule set of its games, None for any.
        tie_breaks: The tie-breaks, by default those of the format, after the game points if there
            are several games.
        third_place: Whether a knockout has a game for the third place.
        games: Number of games of each pairing.

    Raises:
        UrpiError: If something of it is not valid.
    """
    names = player_names(lines)
    known_rules = None if rules is None else rule_set(rules).id
    if form == "knockout" and tie_breaks:
        message = "A knockout has no tie-breaks; choose none."
        raise UrpiError(message)
    if third_place and form != "knockout":
        message = f"Only a knockout has a game for third place; found {form}."
        raise UrpiError(message)
    if len(set(tie_breaks)) < len(tie_breaks):
        message = "A tie-break is given twice; choose each once."
        raise UrpiError(message)
    if not 1 <= games <= MAX_GAMES:
        message = f"A pairing has 1 to {MAX_GAMES} games; found {games}."
        raise UrpiError(message)
    state = Tournament(
        form,
        len(names),
        planned_rounds(form, len(names), rounds),
        tie_breaks=tuple(tie_breaks) or default_tie_breaks(form, games),
        third_place=third_place,
        games=games,
    )
    title = checked_name(name, "The tournament's name")
    with connection.transaction():
        number = _insert(connection, title, state, known_rules)
        _insert_players(connection, number, 0, names)
        return existing(connection, number)


def add_players(
    connection: "Connection", number: int, lines: Iterable[str], *, half_points: bool = False
) -> StoredTournament:
    """Add players to a tournament, after the others, and return it.

    Before the first round, it then has as many rounds as a new one with so many players, unless it
    is a Swiss tournament with another number of rounds than the default. A Swiss that has begun
    keeps its number of rounds; its new players have no points for those that have begun, or with
    `half_points` a bye with half a point in each.

    Raises:
        UrpiError: If the tournament has begun and is no Swiss, all its rounds have begun, a name is
            not valid, or there are too many players.
    """
    with connection.transaction():
        found = locked(connection, number)
        _check_open(found)
        added = player_names(lines, found.names)
        count = len(found.names)
        planned = rounds_for(found, count + len(added))
        connection.execute("UPDATE tournaments SET rounds = %s WHERE id = %s", (planned, number))
        _insert_players(connection, number, count, added)
        if half_points:
            byes = [Pairing(player, None, "draw") for player in range(count, count + len(added))]
            for index, each in enumerate(found.rounds):
                store_pairings(connection, (number, index), byes, first=len(each.pairings))
        return existing(connection, number)


def _check_open(found: StoredTournament) -> None:
    """Raise an error if the tournament cannot have further players."""
    if found.rounds and found.form != "swiss":
        message = (
            f"The {found.form} has begun, and its pairings depend on the number of players; only a "
            "Swiss tournament has further ones then."
        )
        raise UrpiError(message)
    if len(found.rounds) >= found.planned:
        message = f"All {found.planned} rounds have begun; nothing is left to play for others."
        raise UrpiError(message)


def rounds_for(found: StoredTournament, players: int) -> int:
    """The number of rounds that a tournament has with another number of players.

    Raises:
        UrpiError: If it cannot have so many, or so few.
    """
    if found.rounds:
        return planned_rounds(found.form, players, found.planned)
    default = planned_rounds(found.form, players)
    if found.form != "swiss" or found.planned == planned_rounds(found.form, len(found.names)):
        return default
    return min(found.planned, (players + 1) // 2)


def _insert(connection: "Connection", name: str, state: Tournament, rules: str | None) -> int:
    row = connection.execute(
        "INSERT INTO tournaments (name, format, rules, rounds, tie_breaks, third_place, games)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id",
        (
            *(name, state.format, rules, state.planned, list(state.tie_breaks)),
            *(state.third_place, state.games),
        ),
    ).fetchone()
    assert row is not None
    return int(row[0])


def _insert_players(
    connection: "Connection", number: int, first: int, names: Sequence[str]
) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO tournament_players (tournament, number, name) VALUES (%s, %s, %s)",
            [(number, place, each) for place, each in enumerate(names, first)],
        )


def player_names(lines: Iterable[str], present: Sequence[str] = ()) -> list[str]:
    """Return the names in some lines; empty lines are left out.

    Args:
        lines: The lines: a name on each, or those of a report file (TRF).
        present: The names of the players that the tournament has already.

    Raises:
        UrpiError: If a name is invalid, too long, or given twice.
    """
    known = {identity(name) for name in present}
    lines = list(lines)
    found: dict[str, str] = {}
    for number, line in enumerate(trf_names(lines) or lines, 1):
        if not line.strip():
            continue
        name = checked_name(line, f"Line {number}")
        if identity(name) in known or identity(name) in found:
            message = f"Line {number}: {name!r} is given twice; names must differ."
            raise UrpiError(message)
        found[identity(name)] = name
    return list(found.values())


def checked_name(text: str, what: str) -> str:
    """A name as `urpi.core.names.normalised_name` does.

    Args:
        text: The name as entered.
        what: What the error message calls it.

    Raises:
        UrpiError: If it is empty, too long, or cannot be seen.
    """
    try:
        name = normalised_name(text)
    except UrpiError as error:
        message = f"{what}: {error}"
        raise UrpiError(message) from error
    if not 1 <= len(name) <= MAX_NAME:
        message = f"{what} must have 1 to {MAX_NAME} characters; found {len(name)}."
        raise UrpiError(message)
    return name
