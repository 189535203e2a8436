"""`urpi games stats` and `figures`: statistics of the games, and computing what they need."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from urpi.cli.evaluators import Evaluators
from urpi.cli.games.group import (
    JOBS,
    VIRTUAL,
    filter_options,
    journal_path,
    of_boards,
    open_journal,
    that_count,
)
from urpi.cli.options import settings_of
from urpi.cli.output import AS_JSON, FILE, form_of

if TYPE_CHECKING:
    from urpi.cli.games.stats_output import StatisticsForm
    from urpi.journal import Choice


@click.command()
@filter_options
@VIRTUAL
@AS_JSON
@click.option(
    "--svg", metavar="FILE", type=FILE, help="Write the charts to this file, as one picture."
)
@click.option(
    "--html", metavar="FILE", type=FILE, help="Write a page of charts and tables to this file."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl", "csv", "tsv"]),
    help="Tables for people, one JSON object, or a row for each number as JSON lines, CSV or TSV.  "
    "[default: the suffix of --output, else text]",
)
@click.option(
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write to this file; a suffix .txt, .json, .jsonl, .csv or .tsv selects the format.",
)
@JOBS
@click.pass_context
def stats(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    choice: "Choice",
    virtual: bool,
    as_json: bool,
    svg: Path | None,
    html: Path | None,
    form: "StatisticsForm | None",
    output: Path | None,
    jobs: int,
) -> None:
    """Print statistics by player, pair and die, the longest games, and what reviews have shown.

    Reviews are those that are stored; `urpi games figures` computes the missing ones.

    For example: urpi games stats --rules finkel --output finkel.csv
    """
    from urpi.cli.games.stats_output import FORMS, draw_figures, print_figures, statistics_of
    from urpi.show.words import words_for

    chosen = form_of(output, FORMS, "text", chosen="json" if as_json else form)
    words = words_for(settings_of(ctx).config.table.language)
    journal = open_journal(ctx)
    choice = that_count(journal, of_boards(journal, choice, virtual=virtual))
    figures, reviews = statistics_of(journal, journal_path(ctx), choice, jobs)
    if svg is not None or html is not None:
        draw_figures(figures, reviews, words, svg, html)
        if output is None and form is None and not as_json:
            return
    print_figures(figures, reviews, words, chosen, output)


@click.command()
@click.argument("game", metavar="[GAME]", type=int, required=False)
@AS_JSON
@click.option(
    "--tables",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the tables.  [default: the installed ones]",
)
@VIRTUAL
@click.pass_context
def figures(
    ctx: click.Context, game: int | None, as_json: bool, tables: Path | None, virtual: bool
) -> None:
    """Review all ended games, or GAME, and store the figures for statistics.

    Games whose figures are stored already are left out, so that the command can be interrupted.
    The newest games come first. With `--json`, a line is printed for each game.

    For example: urpi games figures
    """
    from urpi.cli.games.figures_output import compute_figures
    from urpi.cli.games.stats_output import readable_games
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed
    from urpi.journal import Choice, check_rules, find_game, list_games

    folder = tables or tables_folder(settings_of(ctx).config.journal.file)
    installed = Installed(folder)
    evaluators = Evaluators(installed, "best")
    journal = open_journal(ctx)
    if game is None:
        choice = that_count(journal, of_boards(journal, Choice(), virtual=virtual))
        found = readable_games(journal, list_games(journal, choice))
    else:
        found = (find_game(journal, game),)
        check_rules(journal, game)
    compute_figures(journal, journal_path(ctx), found, installed, evaluators, as_json=as_json)
