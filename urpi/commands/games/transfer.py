"""`urpi games export` and `import`."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from urpi.commands.games.choice import choosing_games
from urpi.commands.games.group import journal_path, open_journal

if TYPE_CHECKING:
    from urpi.journal import Choice

_FILE: Final = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("numbers", metavar="[GAME]...", type=int, nargs=-1)
@choosing_games
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    help="The record of one game, or the archive of any: every fact and decision as JSON lines. "
    "One game is written as text, several as json, unless told.",
)
@click.option("--output", metavar="FILE", type=_FILE, help="Write it there, whole or not at all.")
@click.pass_context
def export(
    ctx: click.Context,
    numbers: tuple[int, ...],
    choice: "Choice",
    form: str | None,
    output: Path | None,
) -> None:
    """Write games to be kept elsewhere: those named, else those chosen, else every one."""
    from urpi.commands.games.transferring import export_games

    export_games(open_journal(ctx), numbers, choice, form, output)


@click.command("import")
@click.argument("file", metavar="FILE", type=_FILE)
@click.pass_context
def import_(ctx: click.Context, file: Path) -> None:
    """Read games from FILE, an archive or a record, into the journal: all of them or none.

    Games of an archive that the journal has already are left out. FILE is read once, and may be a
    pipe.
    """
    from urpi.commands.games.transferring import import_file

    import_file(journal_path(ctx), file)
