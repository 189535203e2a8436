"""`urpi club user`: the users of the club's page."""

import sys
from typing import TYPE_CHECKING, cast

import click

from urpi.cli.club_database import club_database
from urpi.cli.groups import Group
from urpi.cli.output import ListOutput, list_options
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from urpi.club.server.users import Role, User


@click.group(cls=Group)
def user() -> None:
    """Manage the users of the club's page: arbiters and admins.

    Anyone may watch the page without a login. An arbiter runs tournaments, and an admin also
    manages users. These commands need the database of [club_server].
    """


def _read_password(name: str) -> str:
    """Return a password that is typed twice, or the first line of standard input."""
    if sys.stdin.isatty():
        prompt = f"Password of {name}"
        return str(click.prompt(prompt, hide_input=True, confirmation_prompt=True))
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        message = "There is no password on standard input; write it there, or use a terminal."
        raise UrpiError(message)
    return password


@user.command()
@click.argument("name")
@click.option(
    "--role", type=click.Choice(["arbiter", "admin"]), default="arbiter", show_default=True
)
@click.pass_context
def add(ctx: click.Context, name: str, role: str) -> None:
    """Add a user with a NAME.

    The password is asked for, or is the first line of standard input.

    For example: urpi club user add ann --role admin
    """
    from urpi.club.server.users import add_user

    password = _read_password(name)
    with club_database(ctx) as connection:
        found = add_user(connection, name, cast("Role", role), password)
    click.echo(f"{found.name} is {found.role} now.")


@user.command("list")
@list_options
@click.pass_context
def list_command(ctx: click.Context, to: ListOutput) -> None:
    """List the users.

    For example: urpi club user list
    """
    from urpi.club.server.users import list_users

    with club_database(ctx) as connection:
        found = list_users(connection)
    to.write(found, _values, lambda some: map(_line, some))
    if not found:
        click.echo("There is no user; `urpi club user add NAME` adds one.", err=True)


def _line(one: "User") -> str:
    return f"{one.created:%Y-%m-%d}  {one.role:<7}  {one.name}"


def _values(one: "User") -> dict[str, str]:
    return {"name": one.name, "role": one.role, "created": one.created.isoformat()}


@user.command()
@click.argument("name")
@click.pass_context
def remove(ctx: click.Context, name: str) -> None:
    """Remove the user NAME and end the user's sessions.

    For example: urpi club user remove ann
    """
    from urpi.club.server.users import named_user, remove_user

    with club_database(ctx) as connection:
        found = named_user(connection, name)
        remove_user(connection, found.id)
    click.echo(f"{found.name} is removed.")


@user.command()
@click.argument("name")
@click.pass_context
def password(ctx: click.Context, name: str) -> None:
    """Replace the password of the user NAME and end the user's sessions.

    The new password is asked for, or is the first line of standard input.

    For example: urpi club user password ann
    """
    from urpi.club.server.users import named_user, set_password

    with club_database(ctx) as connection:
        found = named_user(connection, name)
        set_password(connection, found.id, _read_password(found.name))
    click.echo(f"{found.name} has a new password, and no session any more.")
