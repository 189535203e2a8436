"""`urpi games export` and `import`: archives and records."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from urpi.cli.games.group import filter_options, journal_path, open_journal
from urpi.cli.output import FILE

if TYPE_CHECKING:
    from urpi.journal import Choice
    from urpi.journal.formats import Rows


@click.command()
@click.argument("numbers", metavar="[GAME]...", type=int, nargs=-1)
@filter_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "rgn", "csv", "tsv"]),
    help="The record of one game as text, an archive of all facts and decisions as JSON lines, one "
    "game for RoyalUr (rgn), or a table.  [default: the suffix of --output, else text for "
    "one game, json for several]",
)
@click.option(
    "--rows",
    type=click.Choice(["games", "turns"]),
    help="A table with a row for each game, or for each throw, as csv, tsv or json.",
)
@click.option(
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write to this file, completely or not at all; a suffix .txt, .jsonl, .json, .rgn, .csv "
    "or .tsv selects the format.",
)
@click.pass_context
def export(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    numbers: tuple[int, ...],
    choice: "Choice",
    form: str | None,
    rows: "Rows | None",
    output: Path | None,
) -> None:
    """Export the given games, or those selected, or all.

    For example: urpi games export 12 --rows turns --output turns.csv
    """
    from urpi.cli.games.transfer_files import export_games

    export_games(open_journal(ctx), numbers, choice, form, rows, output)


@click.command("import")
@click.argument("file", metavar="FILE", type=FILE)
@click.option(
    "--rules",
    metavar="RULES",
    help="The rule set of a record that names none, as those of RoyalUr; `urpi rules` lists them.",
)
@click.pass_context
def import_(ctx: click.Context, file: Path, rules: str | None) -> None:
    """Import all games of FILE, an archive or a record, or none if one is invalid.

    A record may also be a game of RoyalUr, as RGN or as JSON.

    Games that the journal already has are skipped. FILE is read once, and may be a pipe.

    For example: urpi games import game.rgn --rules finkel
    """
    from urpi.cli.games.transfer_files import import_file
    from urpi.rules import parse_rules

    import_file(journal_path(ctx), file, None if rules is None else parse_rules(rules))
