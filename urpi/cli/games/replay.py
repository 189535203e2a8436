"""`urpi games replay` and `check`: compare stored decisions with those of this version."""

from typing import TYPE_CHECKING

import click

from urpi.cli.games.group import GAME, JOBS, filter_options, journal_path, open_journal
from urpi.cli.options import settings_of as config_of
from urpi.cli.output import AS_JSON

if TYPE_CHECKING:
    from urpi.journal import Choice


@click.command("replay")
@GAME
@AS_JSON
@click.pass_context
def replay_(ctx: click.Context, game: int, as_json: bool) -> None:
    """Referee the facts of GAME again, and compare the decisions.

    Every decision that differs is printed, as stored and as it is now. The exit status is then 1.

    For example: urpi games replay 12
    """
    from urpi.cli.games.replay_report import replay_game

    journal = open_journal(ctx)
    replay_game(journal, game, lambda: config_of(ctx).config.table.language, as_json=as_json)


@click.command()
@filter_options
@AS_JSON
@JOBS
@click.pass_context
def check(ctx: click.Context, choice: "Choice", as_json: bool, jobs: int) -> None:
    """Replay all or selected games, and report for each whether the decisions are the same.

    Before that, every page of the file is checked.

    For example: urpi games check --since 2026-11-01
    """
    from urpi.cli.games.replay_report import check_journal

    check_journal(open_journal(ctx), journal_path(ctx), choice, jobs, as_json=as_json)
