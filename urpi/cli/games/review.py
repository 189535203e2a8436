"""`urpi games review`: the luck of every throw and the loss of every move of a game."""

from pathlib import Path

import click

from urpi.cli.evaluators import Evaluators, evaluator_option
from urpi.cli.games.group import GAME, open_journal
from urpi.cli.options import settings_of as config_of
from urpi.cli.output import AS_JSON, FILE, LANGUAGE


@click.command()
@GAME
@AS_JSON
@click.option("--html", metavar="FILE", type=FILE, help="Write a page to this file.")
@evaluator_option
@click.option(
    "--tables",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the tables of exact values.  [default: the installed ones]",
)
@LANGUAGE
@click.option(
    "--progress",
    is_flag=True,
    help="Write the number of reviewed throws and of all to standard error, a line for each throw.",
)
@click.pass_context
def review(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    game: int,
    as_json: bool,
    html: Path | None,
    evaluator: str,
    tables: Path | None,
    language: str | None,
    progress: bool,
) -> None:
    """Review GAME: how lucky each throw was, and what each move gave away.

    Values are probabilities to win under best play: exact ones if a table of the rule set is
    installed (`urpi tables`), else estimated by its network. Moves that were taken back do not
    count. A move is doubtful if it gives away 2 % or more, bad from 4 % and very bad from 8 % on;
    a throw is lucky or unlucky from 5 % and very much so from 10 % on. The game may still be
    running.

    For example: urpi games review 12 --html review.html
    """
    from urpi.cli.games.review_output import print_review
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed
    from urpi.show.words import words_for

    words = words_for(language or config_of(ctx).config.table.language)
    folder = tables or tables_folder(config_of(ctx).config.journal.file)
    evaluators = Evaluators(Installed(folder), evaluator)
    journal = open_journal(ctx)
    print_review(journal, game, evaluators, words, as_json=as_json, html=html, lines=progress)
