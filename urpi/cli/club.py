"""`urpi club`: connect a table to a club, or run a club."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from urpi.cli.club_database import club_database
from urpi.cli.club_player import player
from urpi.cli.club_tournament import tournament
from urpi.cli.club_user import user
from urpi.cli.groups import Group
from urpi.cli.options import NumberIn, parse_listen, settings_of
from urpi.cli.output import AS_JSON, echo_json
from urpi.core.errors import UrpiError


@click.group(cls=Group)
def club() -> None:
    """Connect this table to a club, or run a club."""


club.add_command(tournament)
club.add_command(user)
club.add_command(player)


@club.command()
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    help="Log text, or a JSON object in each line.  [default: `log` in [club_server]]",
)
@click.pass_context
def serve(ctx: click.Context, log: str | None) -> None:
    """Run a club: receive the games of its tables, store them, referee them again, review them.

    The section [club_server] specifies the broker, the PostgreSQL database, and the address of the
    page with the wall. Several of these programs may run at once and share the work. It stops on
    SIGTERM or Ctrl-C.

    For example: urpi club serve
    """
    from urpi.cli.club_serve import serve_club
    from urpi.engine.exact.folder import tables_folder

    config = settings_of(ctx).config
    section = config.club_server
    serve_club(replace(section, log=log or section.log), tables_folder(config.journal.file))


@club.command()
@click.argument("host")
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option(
    "--listen",
    metavar="ADDRESS",
    default="127.0.0.1:8032",
    show_default=True,
    callback=lambda _ctx, _param, listen: parse_listen(listen),
    help="Address of the page.",
)
@click.option("--user", default="arbiter", show_default=True, help="Name of the first user.")
@click.option("--certificate", metavar="FILE", help="The broker's own certificate, in PEM.")
@click.option("--key", metavar="FILE", help="The key of the certificate, in PEM.")
def install(  # noqa: PLR0913, PLR0917 - one for every option
    host: str,
    tables: tuple[str, ...],
    listen: str,
    user: str,
    certificate: str | None,
    key: str | None,
) -> None:
    """Set a club up on this machine, with the Debian package urpi-club. Requires root.

    HOST is the name or address at which tables reach the club, and each TABLE the id of one. It
    configures mosquitto and PostgreSQL, starts the club and its nightly backups, and prints what
    each table needs. Run it again to add tables; what is there remains.

    For example: sudo urpi club install club.example.org lisbon-1 lisbon-2
    """
    from urpi.cli.club_install import install_club

    install_club(host, tables, listen, user, certificate, key)


@club.command()
@click.option(
    "--tables",
    type=click.IntRange(1, 24),
    default=8,
    show_default=True,
    help="Number of tables.",
)
@click.option(
    "--listen",
    metavar="ADDRESS",
    default="127.0.0.1:8032",
    show_default=True,
    callback=lambda _ctx, _param, listen: parse_listen(listen),
    help="Address of the page.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The seed of dice and players."
)
@click.option(
    "--speed",
    type=NumberIn(0.1, 20),
    default=1.0,
    show_default=True,
    help="Speed of the games, relative to a real table.",
)
def demo(tables: int, listen: str, seed: int, speed: float) -> None:
    """Show a wall with virtual tables at which simulated players play.

    It starts mosquitto, PostgreSQL, `urpi club serve` and a program for each table, on this machine
    only and in a temporary folder. Ctrl-C ends all of them and removes the folder. The Debian
    packages mosquitto and postgresql must be installed.

    For example: urpi club demo --tables 4
    """
    from urpi.cli.club_demo.demo import show_club

    show_club(tables, listen, seed, speed)


@club.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="FILE is a folder: write a new file in it, and keep this many there.",
)
@click.pass_context
def backup(ctx: click.Context, file: Path, keep: int | None) -> None:
    """Write the database of a club to a new FILE, and read it again.

    The club may run meanwhile. It needs pg_dump, of the Debian package postgresql-client, in the
    database's version or a later one.

    For example: urpi club backup club.dump
    """
    from urpi.club.server.backup import back_up, back_up_in

    database = settings_of(ctx).config.club_server.database
    if keep is None:
        back_up(database, file)
    else:
        file = back_up_in(database, file, keep, datetime.now().astimezone())
    click.echo(f"{file}: written, {file.stat().st_size} bytes.")


@club.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def restore(ctx: click.Context, file: Path, yes: bool) -> None:
    """Replace the database of a club by the backup in FILE, and upgrade it if it is an older one.

    Stop `urpi club serve` before, and start it afterwards: tables then send the games that the
    backup does not contain, and withdraw names again.

    For example: urpi club restore club.dump
    """
    from urpi.club.server.backup import restore as restore_from

    if not yes:
        click.confirm("Everything in the club's database is replaced. Go on?", abort=True)
    restore_from(settings_of(ctx).config.club_server.database, file)
    click.echo(f"{file}: restored; start `urpi club serve`.")


@club.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.pass_context
def export(ctx: click.Context, folder: Path) -> None:
    """Write the games, players, ratings and tournaments of a club as files to a new FOLDER.

    It is complete, or does not exist. The club may run meanwhile. Users, sessions and logs are only
    in a backup.

    For example: urpi club export club-2026
    """
    from urpi.club.web.export import export_club

    with club_database(ctx) as connection:
        found = export_club(connection, folder, datetime.now().astimezone())
    click.echo(
        f"{folder}: {found.games} games, {found.players} players, {found.tournaments} tournaments."
    )


@club.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def forget(ctx: click.Context, name: str, yes: bool) -> None:
    """Forget a player: delete NAME from all games, and replace it in tournaments.

    The games and results remain, without the name. Backups from before contain it.

    For example: urpi club forget "Ann Smith"
    """
    from urpi.club.server.forgotten_players import forget_player

    if not yes:
        click.confirm(f"{name} is deleted from all games and tournaments. Go on?", abort=True)
    with club_database(ctx) as connection:
        found = forget_player(connection, name)
    counts = f"sides of games: {found.sides}, tournaments: {len(found.tournaments)}"
    click.echo(f"{name} is forgotten ({counts}).")
    if found.tables:
        click.echo(
            f"Withdraw the name at {', '.join(found.tables)}, too (`urpi games anonymise`): a "
            "table sends it with its next games."
        )


@club.command()
@AS_JSON
@click.pass_context
def check(ctx: click.Context, as_json: bool) -> None:
    """Check all verified games again: compare their lines with the tables' checksums, and referee.

    Each game that is no longer verified, or that ends differently at its two tables, is
    printed, and the exit status is 1. `urpi club serve` does the same every night, and may run
    meanwhile.

    For example: urpi club check
    """
    from urpi.club.server.checks import check_all

    count, wrong = 0, []
    with club_database(ctx) as connection:
        for one in check_all(connection):
            count += 1
            if one.verdict.code == "verified":
                continue
            code, text = one.verdict.code, one.verdict.text
            wrong.append({"game": one.history, "table": one.table, "verdict": code, "text": text})
            if not as_json:
                click.echo(f"Game {one.history} of table {one.table} is {code}. {text}")
    if as_json:
        echo_json({"checked": count, "games": wrong})
    else:
        click.echo(f"{count} games checked, {len(wrong)} of them are not verified.")
    ctx.exit(1 if wrong else 0)


@club.command("broker-files")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
def broker_files(folder: Path, tables: tuple[str, ...]) -> None:
    """Write the files with which mosquitto serves a club and its tables.

    Each TABLE is the id of a table. FOLDER receives the access control list, the
    passwords' hashes, and a file with the password of each user that has none yet. Give all tables
    every time: one that is missing can no longer connect.

    For example: urpi club broker-files broker lisbon-1 lisbon-2
    """
    from urpi.club.server.broker_files import write_broker_files

    for name in write_broker_files(folder, tables):
        click.echo(f"{folder / name}: created")
    click.echo(f"{folder}: acl, passwords and mosquitto.conf are written; reload mosquitto.")


@club.command()
@click.argument("broker")
@click.argument("table")
@click.option(
    "--password-file",
    metavar="FILE",
    help="The file with the table's password. If there is none, the password is asked for, and "
    "stored in it if the broker accepts it. [default: as configured]",
)
@click.option("--tls/--no-tls", default=None, help="Whether the connection is encrypted.")
@click.option(
    "--ca-file", metavar="FILE", help="The certificate of the club's own authority, in PEM."
)
@click.option(
    "--home-assistant", is_flag=True, help="Announce the table to Home Assistant as well."
)
@click.option("--force", is_flag=True, help="Store the settings even if the connection fails.")
@click.pass_context
def join(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context,
    broker: str,
    table: str,
    password_file: str | None,
    tls: bool | None,
    ca_file: str | None,
    home_assistant: bool,
    force: bool,
) -> None:
    """Connect this table to a club: try the connection, and store it in the configuration.

    BROKER is the host of the club's MQTT broker, with a port if it is not the usual one; TABLE is
    the id that the club has given this table. The settings are stored only if the broker accepts
    the table; an earlier section [club] is replaced.

    For example: urpi club join broker.example.org lisbon-1
    """
    from urpi.cli.club_join import join_club
    from urpi.config.address_kinds import Broker, TableId
    from urpi.config.sections import ClubSection

    loaded = settings_of(ctx)
    section = ClubSection(
        _parsed(Broker(), "BROKER", broker),
        _parsed(TableId(), "TABLE", table),
        _absolute(password_file) or loaded.config.club.password_file,
        tls,
        _absolute(ca_file),
        home_assistant,
    )
    join_club(loaded, section, force=force)


def _absolute(path: str | None) -> str | None:
    """A path that does not depend on the working directory, which a service lacks."""
    return str(Path(path).expanduser().absolute()) if path else None


def _parsed(kind: object, name: str, value: str) -> str:
    try:
        return str(kind.parse(value))  # type: ignore[attr-defined]
    except ValueError as error:
        message = f"{name} must be {error}; found {value!r}."
        raise UrpiError(message) from error
