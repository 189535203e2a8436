"""`urpi club install`: set a club up, and print what its tables and its first user need."""

import os
from pathlib import Path, PurePosixPath

import click

from urpi.config.address_kinds import Broker
from urpi.core.errors import UrpiError
from urpi.core.names import check_table
from urpi.install.club_obstacles import PORT, Plan
from urpi.install.club_setup import AUTHORITY, Outcome, set_up


def install_club(  # noqa: PLR0913, PLR0917 - one for every option
    host: str,
    tables: tuple[str, ...],
    listen: str,
    user: str,
    certificate: str | None,
    key: str | None,
) -> None:
    """Set a club up on this machine; see `urpi.install.club_setup`.

    Raises:
        UrpiError: If an argument is invalid, something is in the way, or a step fails.
    """
    if (certificate is None) != (key is None):
        message = "--certificate and --key belong together; give both or none."
        raise UrpiError(message)
    files = _absolute(certificate), _absolute(key)
    plan = Plan(_checked(host), tuple(map(check_table, tables)), listen)
    if files[0] is not None and files[1] is not None:
        plan = Plan(plan.host, plan.tables, listen, (files[0], files[1]))
    if os.geteuid() != 0:
        message = "`urpi club install` writes below /etc, which requires root; run it with sudo."
        raise UrpiError(message)
    for line in report(plan, user, set_up(plan, user)):
        click.echo(line)


def report(plan: Plan, user: str, outcome: Outcome) -> list[str]:
    """Return what a run has made, line by line."""
    lines = []
    if outcome.is_new:
        lines += [f"The club runs. Its broker is at {plan.host}:{PORT}, its page at {plan.listen}."]
    if outcome.user:
        lines += [f"The first user is {user}, with the password {outcome.user}, shown only now."]
    option = f" --ca-file {AUTHORITY.name}" if outcome.has_authority else ""
    if outcome.passwords and option:
        lines += [f"Copy {AUTHORITY} to each new table, and run there:"]
    for table, password in outcome.passwords.items():
        lines += [f"urpi club join {plan.host} {table}{option}  # Password: {password}"]
    return lines or ["The club is installed already, with these tables."]


def _checked(host: str) -> str:
    """Return a host without a port, in lower case."""
    try:
        found = Broker().parse(host)
    except ValueError:
        found = ":"
    if ":" in found and found.count(":") == 1:
        message = f"HOST must be a name such as club.example.org, or an address; found {host!r}."
        raise UrpiError(message)
    return found.strip("[]")


def _absolute(path: str | None) -> PurePosixPath | None:
    return PurePosixPath(Path(path).expanduser().absolute()) if path else None
