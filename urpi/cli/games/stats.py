"""`urpi games stats`: statistics of the games."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.games.filters import filter_options
from urpi.cli.games.group import AS_JSON, JOBS, journal_path, open_journal
from urpi.cli.options import settings_of

if TYPE_CHECKING:
    from urpi.journal import Choice

_FILE: Final = click.Path(path_type=Path, dir_okay=False)


@click.command()
@filter_options
@AS_JSON
@click.option(
    "--svg", metavar="FILE", type=_FILE, help="Write the charts to this file, as one picture."
)
@click.option(
    "--html", metavar="FILE", type=_FILE, help="Write a page of charts and tables to this file."
)
@JOBS
@click.pass_context
def stats(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    choice: "Choice",
    as_json: bool,
    svg: Path | None,
    html: Path | None,
    jobs: int,
) -> None:
    """Print statistics by player, pair and die, the longest games, and what reviews have shown.

    Reviews are those that are stored; `urpi games figures` computes the missing ones.
    """
    from urpi.cli.games.stats_output import print_figures, statistics_of
    from urpi.show.words import words_for

    words = words_for(settings_of(ctx).config.table.language)
    figures, reviews = statistics_of(open_journal(ctx), journal_path(ctx), choice, jobs)
    print_figures(figures, reviews, words, as_json=as_json, svg=svg, html=html)
