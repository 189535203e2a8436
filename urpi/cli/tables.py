"""`urpi tables`: list, check, install and remove tables of exact values."""

from pathlib import Path

import click

from urpi.cli.groups import Group
from urpi.cli.options import rules_option, settings_of
from urpi.cli.output import AS_JSON, ListOutput, echo_json, list_options
from urpi.engine.exact.folder import tables_folder
from urpi.engine.exact.installed import Installed
from urpi.engine.exact.values import ValuesHeader, check, read_header
from urpi.rules import RuleSet


@click.group(cls=Group)
def tables() -> None:
    """List, check, install and remove the tables of exact values."""


def _installed(ctx: click.Context) -> Installed:
    return Installed(tables_folder(settings_of(ctx).config.journal.file))


@tables.command("list")
@list_options
@click.pass_context
def list_tables(ctx: click.Context, to: ListOutput) -> None:
    """List the installed tables: rule set, positions, size, and the value of the start.

    For example: urpi tables list
    """
    found = ((path, read_header(path)) for path in _installed(ctx).files())
    to.write(found, _values, lambda some: (_line(*each) for each in some))


@tables.command("check")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@AS_JSON
@click.pass_context
def check_tables(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Compare the checksums of tables; without a file, of all that are installed.

    For example: urpi tables check
    """
    for path in files or _installed(ctx).files():
        header = check(path)
        if as_json:
            echo_json(_values((path, header)))
        else:
            click.echo(f"{_line(path, header)}, checksum correct")


@tables.command("install")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def install_table(ctx: click.Context, file: Path) -> None:
    """Check a table and copy it to the installed ones.

    For example: urpi tables install finkel.urpi
    """
    header = _installed(ctx).install(file)
    click.echo(f"Installed the table for {header.rules}.")


@tables.command("remove")
@rules_option
@click.pass_context
def remove_table(ctx: click.Context, rules: RuleSet) -> None:
    """Delete the installed table of a rule set.

    For example: urpi tables remove --rules finkel
    """
    _installed(ctx).remove(rules)
    click.echo(f"Removed the table for {rules.text}.")


def _values(table: tuple[Path, ValuesHeader]) -> dict[str, object]:
    path, header = table
    return {
        "file": str(path),
        "rules": header.rules,
        "positions": header.positions,
        "size": path.stat().st_size,
        "start": header.start,
    }


def _line(path: Path, header: ValuesHeader) -> str:
    size = path.stat().st_size / 1e6
    return (
        f"{header.rules}: {header.positions:,} positions, {size:.1f} MB, start {header.start:.9f}"
    )
