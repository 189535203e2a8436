"""`urpi games stats`: how the games went."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from urpi.commands.choosing import settings_of
from urpi.commands.games.choice import choosing_games
from urpi.commands.games.group import AS_JSON, JOBS, journal_path, open_journal

if TYPE_CHECKING:
    from urpi.journal import Choice

_FILE: Final = click.Path(path_type=Path, dir_okay=False)


@click.command()
@choosing_games
@AS_JSON
@click.option("--svg", metavar="FILE", type=_FILE, help="Draw the charts there, as one picture.")
@click.option("--html", metavar="FILE", type=_FILE, help="Write a page of charts and tables there.")
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
    """Tell how the games went: by player, by pair, by die, and what was longest."""
    from urpi.commands.games.stats_report import print_figures, summed_up
    from urpi.words import words_for

    words = words_for(settings_of(ctx).config.table.language)
    figures = summed_up(open_journal(ctx), journal_path(ctx), choice, jobs)
    print_figures(figures, words, as_json=as_json, svg=svg, html=html)
