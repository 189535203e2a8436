"""`urpi club player`: names that are entered at tables, so that their games are rated."""

from datetime import datetime
from typing import TYPE_CHECKING

import click

from urpi.cli.club_database import club_database
from urpi.cli.groups import Group
from urpi.cli.output import ListOutput, list_options

if TYPE_CHECKING:
    from urpi.club.server.entered_names import EnteredName

_SINCE = click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="The first day, such as 2026-11-20. [default: from now on]",
)


@click.group(cls=Group)
def player() -> None:
    """Enter names at tables, so that their games are rated.

    A game is rated if both names are entered at the tables where they play. In place of a name or a
    table, '*' stands for all of them. These commands need the database of [club_server].
    """


@player.command()
@click.argument("name")
@click.argument("table")
@_SINCE
@click.pass_context
def enter(ctx: click.Context, name: str, table: str, since: datetime | None) -> None:
    """Enter NAME at TABLE: its games there are rated.

    A club that trusts all its tables enters '*' '*' once.

    For example: urpi club player enter Ann lisbon-1
    """
    _change(ctx, name, table, since, entered=True)


@player.command()
@click.argument("name")
@click.argument("table")
@_SINCE
@click.pass_context
def leave(ctx: click.Context, name: str, table: str, since: datetime | None) -> None:
    """Remove NAME at TABLE: its games there are no longer rated.

    Games that were received before remain rated, or those before the day of --since.

    For example: urpi club player leave Ann lisbon-1
    """
    _change(ctx, name, table, since, entered=False)


def _change(
    ctx: click.Context, name: str, table: str, since: datetime | None, *, entered: bool
) -> None:
    from urpi.club.server.entered_names import enter_name

    start = since and since.astimezone()
    with club_database(ctx) as connection:
        stored = enter_name(connection, name, table, start, entered=entered)
    what = "is entered" if entered else "is not entered"
    click.echo(
        f"{stored} {what} at {table}, {f'from {start:%Y-%m-%d}' if start else 'from now'} on."
    )


@player.command()
@click.argument("name")
@click.pass_context
def pin(ctx: click.Context, name: str) -> None:
    """Print a new PIN for NAME, with which the player enters the name on the club's page (/names).

    An earlier PIN is no longer valid. The club stores only its hash.

    For example: urpi club player pin Ann
    """
    from urpi.club.server.entered_names import new_pin

    with club_database(ctx) as connection:
        click.echo(new_pin(connection, name))


@player.command("list")
@list_options
@click.pass_context
def list_command(ctx: click.Context, to: ListOutput) -> None:
    """List the names that are entered at tables, or were.

    For example: urpi club player list
    """
    from urpi.club.server.entered_names import list_entered

    with club_database(ctx) as connection:
        found = list_entered(connection)
    to.write(found, _values, lambda some: map(_line, some))
    if not found:
        click.echo("No name is entered; `urpi club player enter` enters one.", err=True)


def _line(one: "EnteredName") -> str:
    since, until = (f"{at:%Y-%m-%d}" if at else "" for at in (one.since, one.until))
    return f"{since:<10} - {until:<10}  {one.table:<12}  {one.name}"


def _values(one: "EnteredName") -> dict[str, str | None]:
    since, until = (at.isoformat() if at else None for at in (one.since, one.until))
    return {"name": one.name, "table": one.table, "since": since, "until": until}
