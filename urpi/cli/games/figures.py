"""`urpi games figures`: compute what `urpi games stats` and the page's statistics need."""

from pathlib import Path

import click

from urpi.cli.evaluators import Evaluators
from urpi.cli.games.group import AS_JSON, journal_path, open_journal
from urpi.cli.options import settings_of as config_of


@click.command()
@click.argument("game", metavar="[GAME]", type=int, required=False)
@AS_JSON
@click.option(
    "--tables",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the tables.  [default: the installed ones]",
)
@click.pass_context
def figures(ctx: click.Context, game: int | None, as_json: bool, tables: Path | None) -> None:
    """Review all ended games, or GAME, and store the figures for statistics.

    Games whose figures are stored already are left out, so that the command can be interrupted.
    The newest games come first. With `--json`, a line is printed for each game.
    """
    from urpi.cli.games.figures_output import compute_figures
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed

    folder = tables or tables_folder(config_of(ctx).config.journal.file)
    installed = Installed(folder)
    evaluators = Evaluators(installed, "best")
    compute_figures(
        open_journal(ctx), journal_path(ctx), game, installed, evaluators, as_json=as_json
    )
