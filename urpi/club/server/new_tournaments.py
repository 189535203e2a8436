"""New tournaments: what an arbiter enters on the command line or the page is checked and stored."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from urpi.club.server.players import identity
from urpi.club.server.tournaments import StoredTournament, existing, locked, store_pairings
from urpi.club.tournaments.teams import lineup
from urpi.club.tournaments.tournament import (
    MAX_BOARDS,
    MAX_GAMES,
    MAX_PLAYERS,
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


class EnteredPlayers(NamedTuple):
    """Players of a tournament as they were entered.

    Attributes:
        names: Their names.
        of: The number of each one's team, None without teams.
        teams: The names of all teams of the tournament, none without teams.
    """

    names: list[str]
    of: Sequence[int | None]
    teams: list[str]


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
    boards: int = 0,
) -> StoredTournament:
    """Store a new tournament without rounds, and return it.

    Args:
        connection: The database.
        name: The name.
        form: The format.
        lines: The names of its players in the order of their seeding; empty ones are left out. With
            teams, each team's name with a colon, followed by its players.
        rounds: Number of rounds, None for the default of the format.
        rules: The id of the rule set of its games, None for any.
        tie_breaks: The tie-breaks, by default those of the format, after the game points if there
            are several games.
        third_place: Whether a knockout has a game for the third place.
        games: Number of games of each pairing.
        boards: Number of boards on which two teams meet, 0 without teams.

    Raises:
        UrpiError: If something of it is not valid.
    """
    entered = entered_players(lines, boards=boards)
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
    if boards and not 2 <= boards <= MAX_BOARDS:
        message = f"A team has 2 to {MAX_BOARDS} boards, or there are no teams (0); found {boards}."
        raise UrpiError(message)
    if boards and form == "knockout":
        message = "Teams play a Swiss or a round robin: a knockout has no rule for level boards."
        raise UrpiError(message)
    state = Tournament(
        form,
        len(entered.names),
        planned_rounds(form, len(entered.teams or entered.names), rounds),
        tie_breaks=tuple(tie_breaks) or default_tie_breaks(form, games * max(boards, 1)),
        third_place=third_place,
        games=games,
        boards=boards,
    )
    title = checked_name(name, "The tournament's name")
    with connection.transaction():
        number = _insert(connection, title, state, known_rules)
        _insert_players(connection, number, 0, entered)
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
        added = entered_players(lines, found.names, found.team_names, found.boards)
        count = len(found.names)
        entrants = len(added.teams) if found.boards else count + len(added.names)
        planned = rounds_for(found, entrants)
        connection.execute("UPDATE tournaments SET rounds = %s WHERE id = %s", (planned, number))
        _insert_players(connection, number, count, added)
        if half_points:
            late = existing(connection, number)
            if found.boards:
                teams = range(len(found.team_names), len(late.team_names))
                players = [player for team in teams for player in lineup(late.state, team)]
            else:
                players = list(range(count, len(late.names)))
            byes = [Pairing(player, None, "draw") for player in players]
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
    """The number of rounds that a tournament has with another number of players, or of teams.

    Raises:
        UrpiError: If it cannot have so many, or so few.
    """
    if found.rounds:
        return planned_rounds(found.form, players, found.planned)
    default = planned_rounds(found.form, players)
    if found.form != "swiss" or found.planned == planned_rounds(found.form, len(found.entrants)):
        return default
    return min(found.planned, (players + 1) // 2)


def _insert(connection: "Connection", name: str, state: Tournament, rules: str | None) -> int:
    row = connection.execute(
        "INSERT INTO tournaments (name, format, rules, rounds, tie_breaks, third_place, games,"
        " boards) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
        (
            *(name, state.format, rules, state.planned, list(state.tie_breaks)),
            *(state.third_place, state.games, state.boards),
        ),
    ).fetchone()
    assert row is not None
    return int(row[0])


def _insert_players(
    connection: "Connection", number: int, first: int, entered: EnteredPlayers
) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO tournament_teams (tournament, number, name) VALUES (%s, %s, %s)"
            " ON CONFLICT DO NOTHING",
            [(number, place, each) for place, each in enumerate(entered.teams)],
        )
        cursor.executemany(
            "INSERT INTO tournament_players (tournament, number, name, team)"
            " VALUES (%s, %s, %s, %s)",
            [
                (number, place, name, team)
                for place, (name, team) in enumerate(
                    zip(entered.names, entered.of, strict=True), first
                )
            ],
        )


def entered_players(
    lines: Iterable[str],
    present: Sequence[str] = (),
    teams: Sequence[str] = (),
    boards: int = 0,
) -> EnteredPlayers:
    """Return the players in some lines, with teams those below each name of a team with a colon.

    Args:
        lines: The lines.
        present: The names of the players that the tournament has already.
        teams: The names of the teams that it has already.
        boards: Number of boards on which two teams meet, 0 without teams.

    Raises:
        UrpiError: As `player_names`; or if a player is in no team, a team is too small, or there
            are too many players.
    """
    if not boards:
        names = player_names(lines, present)
        return EnteredPlayers(names, [None] * len(names), [])
    known, found, of = list(teams), list[str](), list[int | None]()
    team: int | None = None
    for line in map(str.strip, lines):
        if line.endswith(":"):
            team = _add_team(known, checked_name(line.removesuffix(":"), "A team's name"), present)
        elif line and team is None:
            message = f"{line!r} is in no team; a team's name with a colon comes first."
            raise UrpiError(message)
        elif line:
            of.append(team)
        # An error names a line by its number.
        found.append("" if line.endswith(":") else line)
    names = player_names(found, [*present, *known])
    for number, name in enumerate(known[len(teams) :], len(teams)):
        if of.count(number) < boards:
            message = f"Team {name!r} needs {boards} players; found {of.count(number)}."
            raise UrpiError(message)
    if len(present) + len(names) > MAX_PLAYERS:
        message = f"The teams may have {MAX_PLAYERS} players; found {len(present) + len(names)}."
        raise UrpiError(message)
    return EnteredPlayers(names, of, known)


def _add_team(known: list[str], name: str, players: Sequence[str]) -> int:
    """Add a team to the names of those that are known, unless it is one, and return its number."""
    if identity(name) in map(identity, players):
        message = f"{name!r} is a player; a team needs another name."
        raise UrpiError(message)
    if identity(name) not in map(identity, known):
        known.append(name)
    return [identity(each) for each in known].index(identity(name))


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
