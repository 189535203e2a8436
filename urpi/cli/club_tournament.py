"""`urpi club tournament`: run a club's tournaments."""

from typing import TYPE_CHECKING, Any, Final, TextIO, cast

import click

from urpi.cli.club_database import club_database
from urpi.cli.groups import Group
from urpi.cli.output import AS_JSON, ListOutput, echo_json, list_options
from urpi.club.tournaments.tournament import (
    FORMATS,
    MAX_BOARDS,
    MAX_GAMES,
    PAIRING_RESULTS,
    TIE_BREAKS,
    Format,
    PairingResult,
    TieBreak,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urpi.club.server.tournaments import StoredTournament
    from urpi.club.tournaments.tournament import Pairing

_NUMBER: Final = click.argument("number", type=click.IntRange(min=1))


@click.group(cls=Group)
def tournament() -> None:
    """Run a club's tournaments: round robin, Swiss or knockout.

    These commands need the database of [club_server]; everyone who may use it is an arbiter. On the
    page, users do the same (`urpi club user`). Results of verified games between paired players are
    entered by `urpi club serve`.
    """


@tournament.command()
@click.argument("name")
@click.option("--format", "form", type=click.Choice(FORMATS), required=True, help="The format.")
@click.option(
    "--players",
    "file",
    type=click.File(encoding="utf-8"),
    required=True,
    help="A file with a player's name on each line, the strongest first, or a report (TRF) with "
    "the players; - for standard input.",
)
@click.option("--rounds", type=int, help="Number of rounds. [default: enough for one winner]")
@click.option("--rules", metavar="ID", help="Take results only from games of this rule set.")
@click.option(
    "--tie-break",
    "tie_breaks",
    type=click.Choice(TIE_BREAKS),
    multiple=True,
    help="What decides among equal points; give it again for further ones. "
    "[default: buchholz, sonneborn-berger, direct-encounter in a Swiss; direct-encounter, "
    "sonneborn-berger, wins in a round robin]",
)
@click.option("--third-place", is_flag=True, help="A game for third place, in a knockout.")
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    default=1,
    show_default=True,
    help="Games of each pairing: a match, with sides that alternate.",
)
@click.option(
    "--teams",
    "boards",
    type=click.IntRange(2, MAX_BOARDS),
    metavar="BOARDS",
    help="A tournament of teams with so many boards each: in the file, a team's name with a colon "
    "stands above its players, the first board first.",
)
@click.pass_context
def create(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context,
    name: str,
    form: str,
    file: TextIO,
    rounds: int | None,
    rules: str | None,
    tie_breaks: tuple[str, ...],
    third_place: bool,
    games: int,
    boards: int | None,
) -> None:
    """Create a tournament with a NAME, and print its number.

    Names must be written as in the players' games, apart from upper and lower case, and players
    whose results are to be taken from the boards must agree that the club shows their names.

    For example: urpi club tournament create Spring --format swiss --players players.txt
    """
    from urpi.club.server.new_tournaments import create_tournament

    with club_database(ctx) as connection:
        found = create_tournament(
            connection,
            name,
            cast("Format", form),
            file,
            rounds=rounds,
            rules=rules,
            tie_breaks=cast("tuple[TieBreak, ...]", tie_breaks),
            third_place=third_place,
            games=games,
            boards=boards or 0,
        )
    click.echo(
        f"Tournament {found.id}: {found.name}, {_count(found)}, {found.planned} rounds. "
        f"`urpi club tournament pair {found.id}` begins the first one."
    )


@tournament.command("add")
@_NUMBER
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--half-points", is_flag=True, help="Half a point for each round that has begun.")
@click.pass_context
def add_command(
    ctx: click.Context, number: int, players: tuple[str, ...], half_points: bool
) -> None:
    """Add each PLAYER to tournament NUMBER, after the others.

    Before the first round, or in a Swiss before the last one: a late player has no points for the
    rounds that have begun, except with --half-points. With teams, a team's name with a colon stands
    before its players; it may be a new one.

    For example: urpi club tournament add 3 Ann "Bea Jones"
    """
    from urpi.club.server.new_tournaments import add_players

    with club_database(ctx) as connection:
        found = add_players(connection, number, players, half_points=half_points)
    click.echo(f"{found.name} has {_count(found)} and {found.planned} rounds.")


def _count(found: "StoredTournament") -> str:
    teams = f"{len(found.team_names)} teams, " if found.boards else ""
    return f"{teams}{len(found.names)} players"


@tournament.command("list")
@list_options
@click.pass_context
def list_command(ctx: click.Context, to: ListOutput) -> None:
    """List the tournaments, the newest first.

    For example: urpi club tournament list --limit 5
    """
    from urpi.club.server.tournaments import list_tournaments

    with club_database(ctx) as connection:
        found = list_tournaments(connection)
    to.write(found, _values, lambda some: map(_line, some))
    if not found:
        click.echo("There is no tournament.", err=True)


def _line(each: "StoredTournament") -> str:
    round_ = f"round {len(each.rounds)} of {each.planned}"
    return (
        f"{each.id:>4}  {each.created:%Y-%m-%d}  {each.form}, {_count(each)}, "
        f"{'finished' if each.state.is_over else round_}: {each.name}"
    )


def _values(each: "StoredTournament") -> dict[str, Any]:
    from urpi.club.web.tournaments import about_document
    from urpi.show.words import words_for

    return about_document(each, words_for("en"))


@tournament.command()
@_NUMBER
@AS_JSON
@click.pass_context
def show(ctx: click.Context, number: int, as_json: bool) -> None:
    """Show the newest round and the standings of tournament NUMBER.

    For example: urpi club tournament show 3
    """
    from urpi.club.server.tournaments import existing

    with club_database(ctx) as connection:
        found = existing(connection, number)
    if as_json:
        from urpi.club.web.tournaments import tournament_document
        from urpi.show.words import words_for

        echo_json(tournament_document(found, words_for("en")))
    else:
        click.echo("\n".join(lines_of(found)))


@tournament.command()
@_NUMBER
@click.pass_context
def export(ctx: click.Context, number: int) -> None:
    """Print tournament NUMBER as a report for FIDE's programs (TRF).

    It contains the rounds up to the first one in which a result is missing.

    For example: urpi club tournament export 3 > cup.trf
    """
    from urpi.club.server.tournaments import existing
    from urpi.club.web.tournaments import report_of

    with club_database(ctx) as connection:
        click.echo(report_of(existing(connection, number)), nl=False)


@tournament.command()
@_NUMBER
@click.pass_context
def pair(ctx: click.Context, number: int) -> None:
    """Begin the next round of tournament NUMBER, and print its pairings.

    All results of the round before must be known, except in a round robin.

    For example: urpi club tournament pair 3
    """
    from urpi.club.server.tournaments import begin_round

    with club_database(ctx) as connection:
        found = begin_round(connection, number)
    click.echo("\n".join(round_lines(found)))


@tournament.command()
@_NUMBER
@click.confirmation_option(prompt="Remove the newest round with its results?")
@click.pass_context
def unpair(ctx: click.Context, number: int) -> None:
    """Remove the newest round of tournament NUMBER with its results, as if it had not begun.

    Its games remain at the club, but bring no results to a round that begins after them.

    For example: urpi club tournament unpair 3
    """
    from urpi.club.server.entered_results import remove_round

    with club_database(ctx) as connection:
        found = remove_round(connection, number)
    click.echo(f"Round {len(found.rounds) + 1} of {found.name} is removed.")


@tournament.command()
@_NUMBER
@click.argument("light")
@click.argument("dark", required=False)
@click.option("--reason", required=True, help="The reason, for the log on the tournament's page.")
@click.option("--again", is_flag=True, help="Also if they have met, or for a second bye.")
@click.pass_context
def pair_by_hand(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context, number: int, light: str, dark: str | None, reason: str, again: bool
) -> None:
    """Pair LIGHT with DARK in the newest round of the Swiss NUMBER, before their games begin.

    The two who lose their opponents meet instead; one who is left over plays the player with the
    bye, or has it. Without DARK, LIGHT has a bye with half a point.

    For example: urpi club tournament pair-by-hand 3 Ann Bob --reason "Sisters in round 1"
    """
    from urpi.club.server.changed_pairings import change_pairing

    with club_database(ctx) as connection:
        found = change_pairing(connection, number, light, dark, reason=reason, again=again)
    click.echo("\n".join(round_lines(found)))


@tournament.command()
@_NUMBER
@click.pass_context
def tables(ctx: click.Context, number: int) -> None:
    """Give each pairing of the newest round of tournament NUMBER a free table, if it has none.

    A table is free if it is connected, no game runs there, and no other open pairing has it.

    For example: urpi club tournament tables 3
    """
    from urpi.club.server.assigned_tables import assign_tables

    with club_database(ctx) as connection:
        found = assign_tables(connection, number)
    click.echo("\n".join(round_lines(found)))


@tournament.command()
@_NUMBER
@click.argument("board", type=click.IntRange(min=1))
@click.argument("table", required=False)
@click.option("--round", "round_", type=click.IntRange(min=1), help="[default: the newest]")
@click.pass_context
def table(
    ctx: click.Context, number: int, board: int, table: str | None, round_: int | None
) -> None:
    """Let pairing BOARD of tournament NUMBER play at TABLE, or without one at none.

    Another pairing of the tournament that has this table gets the one that this pairing had.

    For example: urpi club tournament table 3 1 lisbon-2
    """
    from urpi.club.server.assigned_tables import change_table
    from urpi.club.server.tournaments import existing

    with club_database(ctx) as connection:
        index = (len(existing(connection, number).rounds) if round_ is None else round_) - 1
        found = change_table(connection, number, index, board - 1, table)
    click.echo("\n".join(round_lines(found, index)))


@tournament.command()
@_NUMBER
@click.argument("player")
@click.option("--round", "round_", type=click.IntRange(min=1), help="[default: the next one]")
@click.option("--undo", is_flag=True, help="Let the player play in that round after all.")
@click.pass_context
def bye(ctx: click.Context, number: int, player: str, round_: int | None, undo: bool) -> None:
    """Give PLAYER of the Swiss NUMBER a bye with half a point in a round that has not begun.

    A player of a team does not play in that round: the next one of the team does.

    For example: urpi club tournament bye 3 Ann --round 2
    """
    from urpi.club.server.tournament_players import request_bye

    with club_database(ctx) as connection:
        chosen = request_bye(connection, number, player, round_, undo=undo)
    click.echo(f"{player} {'plays' if undo else 'has a bye'} in round {chosen}.")


@tournament.command()
@_NUMBER
@click.argument("board", type=click.IntRange(min=1))
@click.argument("result", type=click.Choice([*PAIRING_RESULTS, "open"]))
@click.option("--round", "round_", type=click.IntRange(min=1), help="[default: the newest]")
@click.option("--reason", default="", help="The reason, for the log on the tournament's page.")
@click.option("--forfeit", is_flag=True, help="A player won without a game.")
@click.option("--game", type=click.IntRange(min=1), help="A game of a match. [default: all of it]")
@click.pass_context
def result(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context,
    number: int,
    board: int,
    result: str,
    round_: int | None,
    reason: str,
    forfeit: bool,
    game: int | None,
) -> None:
    """Enter a result of tournament NUMBER: the winner's side, draw, none or open.

    With none, both players lose, as if neither came; open removes a result, so that the next game
    counts. A game of a match (--game) has its own sides, which `show` prints.

    For example: urpi club tournament result 3 1 light
    """
    from urpi.club.server.entered_results import Entry, enter_result
    from urpi.club.server.tournaments import existing

    entered = None if result == "open" else cast("PairingResult", result)
    with club_database(ctx) as connection:
        index = (len(existing(connection, number).rounds) if round_ is None else round_) - 1
        number_ = None if game is None else game - 1
        entry = Entry(index, board - 1, entered, "", reason, not forfeit, number_)
        enter_result(connection, number, entry)
        found = existing(connection, number)
    click.echo("\n".join(round_lines(found, index)))


@tournament.command()
@_NUMBER
@click.argument("player")
@click.option("--undo", is_flag=True, help="Let a withdrawn player play again.")
@click.pass_context
def withdraw(ctx: click.Context, number: int, player: str, undo: bool) -> None:
    """Leave PLAYER, or a team, out of all further rounds of tournament NUMBER.

    An open result of the player has to be entered. In a round robin and a knockout, later opponents
    win without a game.

    For example: urpi club tournament withdraw 3 Ann
    """
    from urpi.club.server.players import identity
    from urpi.club.server.tournament_players import withdraw_player

    with club_database(ctx) as connection:
        found = withdraw_player(connection, number, player, undo=undo)
    names = (*found.team_names, *found.names)
    name = next(each for each in names if identity(each) == identity(player))
    click.echo(f"{name} plays {'again from the next round on' if undo else 'no further rounds'}.")


@tournament.command()
@_NUMBER
@click.argument("player")
@click.argument("name")
@click.pass_context
def rename(ctx: click.Context, number: int, player: str, name: str) -> None:
    """Replace the name of PLAYER, or of a team, in tournament NUMBER, as when a player asks for it.

    For example: urpi club tournament rename 3 Ann "Ann Smith"
    """
    from urpi.club.server.tournament_players import rename_player

    with club_database(ctx) as connection:
        new = rename_player(connection, number, player, name)
    click.echo(f"{player} is {new} now.")


@tournament.command()
@_NUMBER
@click.argument("player")
@click.pass_context
def remove(ctx: click.Context, number: int, player: str) -> None:
    """Remove PLAYER from tournament NUMBER, which has not begun.

    For example: urpi club tournament remove 3 Ann
    """
    from urpi.club.server.tournament_players import remove_player

    with club_database(ctx) as connection:
        found = remove_player(connection, number, player)
    click.echo(f"{found.name} has {len(found.names)} players and {found.planned} rounds.")


@tournament.command()
@_NUMBER
@click.confirmation_option(prompt="Delete the tournament? Its games remain")
@click.pass_context
def delete(ctx: click.Context, number: int) -> None:
    """Delete tournament NUMBER with its rounds and results.

    For example: urpi club tournament delete 3
    """
    from urpi.club.server.tournaments import delete_tournament, existing

    with club_database(ctx) as connection:
        found = existing(connection, number)
        delete_tournament(connection, number)
    click.echo(f"Tournament {number} is deleted: {found.name}.")


_RESULTS: Final = {"light": "1 - 0", "dark": "0 - 1", "draw": "½ - ½", "none": "0 - 0", None: "-"}


def _result_text(found: "StoredTournament", pairing: "Pairing") -> str:
    """The result of a pairing; of a match the game points, and while it is open the next game."""
    from urpi.club.tournaments.matches import is_by_hand, next_game, score

    points = score(found.state, pairing)
    if points is None:
        return _RESULTS[pairing.result]
    text = "{:g} - {:g}".format(*points)
    if is_by_hand(found.state, pairing):
        return f"{text} (entered: {_RESULTS[pairing.result]})"
    if not pairing.is_open:
        return text
    number = next_game(pairing) + 1
    return f"{text}, game {number} of {max(found.games, number)}"


def round_lines(found: "StoredTournament", index: int = -1) -> list[str]:
    """A round as text, by default the newest one."""
    from urpi.club.tournaments.knockout import is_for_third_place

    number = index % len(found.rounds) + 1
    lines = [f"Round {number} of {found.planned} (light first)"]
    for board, one in enumerate(found.rounds[index].pairings, 1):
        if found.boards and (board - 1) % found.boards == 0:
            lines.append(_team_line(found, number - 1, (board - 1) // found.boards))
        light = found.names[one.light]
        if one.dark is None:
            half = " (half a point)" if one.result else ""
            lines.append(f"      {light}: bye{half}")
        else:
            played = "" if one.played else " (without a game)"
            dark, text = found.names[one.dark], _result_text(found, one)
            third = is_for_third_place(found.state, number - 1, one)
            about = " (for third place)" if third else ""
            at = found.rounds[index].tables.get(board - 1) if one.is_open else None
            where = "" if at is None else f" (table {at})"
            lines.append(f"{board:>4}  {light} - {dark}  {text}{played}{about}{where}")
            lines += (f"      {game}" for game in _game_lines(found, one))
    return lines


def _team_line(found: "StoredTournament", round_: int, place: int) -> str:
    """The pairing of two teams, above its boards."""
    from urpi.club.tournaments.matches import score
    from urpi.club.tournaments.teams import team_tournament

    state = team_tournament(found.state)
    one = state.rounds[round_][place]
    points = score(state, one)
    light = found.team_names[one.light]
    if one.dark is None or points is None:
        return f"{light}: bye"
    return f"{light} - {found.team_names[one.dark]}  " + "{:g} - {:g}".format(*points)


def _game_lines(found: "StoredTournament", match: "Pairing") -> "Iterator[str]":
    """Yield the games of a match that have been played."""
    for number, one in enumerate(match.games, 1):
        assert one.dark is not None
        played = "" if one.played else " (without a game)"
        sides = f"{found.names[one.light]} - {found.names[one.dark]}"
        yield f"game {number}: {sides}  {_RESULTS[one.result]}{played}"


def lines_of(found: "StoredTournament") -> list[str]:
    """The newest round and the standings as text."""
    from urpi.club.tournaments.standings import standings
    from urpi.club.tournaments.teams import board_result, team_tournament

    entrants = team_tournament(found.state) if found.boards else found.state
    lines = [found.name, ""]
    if found.rounds:
        lines += [*round_lines(found), ""]
    first = "Standings: match points" if found.boards else "Standings: points"
    lines.append("   ".join((first, *found.tie_breaks)))
    for each in standings(found.state):
        gone = " (withdrawn)" if each.player in entrants.withdrawn else ""
        values = "   ".join(f"{value:g}" for value in each.tie_breaks)
        name = found.entrants[each.player]
        lines.append(f"{each.place:>4}  {name}{gone}  {each.points:g}   {values}".rstrip())
    if found.boards:
        lines += ["", "Players: points, games"]
    for player, of in enumerate(found.teams):
        points, games = board_result(found.state, player)
        lines.append(f"      {found.names[player]} ({found.team_names[of]})  {points:g}   {games}")
    return lines
