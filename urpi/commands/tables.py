"""`urpi tables`: list, check, install and remove tables of exact values."""

from pathlib import Path

import click

from urpi.commands.groups import Group
from urpi.commands.options import rules_option, settings_of
from urpi.rules import RuleSet
from urpi.tables.installed import Installed
from urpi.tables.table import Header, check, read_header


@click.group(cls=Group)
@click.pass_context
def tables(ctx: click.Context) -> None:
    """List, check, install and remove the tables of exact values."""
    ctx.obj = Installed(settings_of(ctx).config.journal.file.parent / "tables")


@tables.command("list")
@click.pass_obj
def list_tables(installed: Installed) -> None:
    """List the installed tables: rule set, positions, size, and the value of the start."""
    for path in installed.files():
        click.echo(_line(path, read_header(path)))


@tables.command("check")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.pass_obj
def check_tables(installed: Installed, files: tuple[Path, ...]) -> None:
    """Compare the checksums of tables; without a file, of all that are installed."""
    for path in files or installed.files():
        click.echo(f"{_line(path, check(path))}, checksum correct")


@tables.command("install")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def install_table(installed: Installed, file: Path) -> None:
    """Check a table and copy it to the installed ones."""
    header = installed.install(file)
    click.echo(f"Installed the table for {header.rules}.")


@tables.command("remove")
@rules_option
@click.pass_obj
def remove_table(installed: Installed, rules: RuleSet) -> None:
    """Delete the installed table of a rule set."""
    installed.remove(rules)
    click.echo(f"Removed the table for {rules.text}.")


def _line(path: Path, header: Header) -> str:
    size = path.stat().st_size / 1e6
    return (
        f"{header.rules}: {header.positions:,} positions, {size:.1f} MB, start {header.start:.9f}"
    )
