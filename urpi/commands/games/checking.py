"""`urpi games replay` and `check`: whether this version would decide the same."""

from typing import TYPE_CHECKING

import click

from urpi.commands.choosing import settings_of as config_of
from urpi.commands.games.choice import choosing_games
from urpi.commands.games.group import AS_JSON, GAME, JOBS, journal_path, open_journal

if TYPE_CHECKING:
    from urpi.journal import Choice


@click.command("replay")
@GAME
@AS_JSON
@click.pass_context
def replay_(ctx: click.Context, game: int, as_json: bool) -> None:
    """Referee the facts of GAME again, and compare the decisions.

    Every decision that would be another one now is told, then and now; the exit status is 1
    when there is one.
    """
    from urpi.commands.games.replaying import replay_game

    journal = open_journal(ctx)
    replay_game(journal, game, lambda: config_of(ctx).config.table.language, as_json=as_json)


@click.command()
@choosing_games
@AS_JSON
@JOBS
@click.pass_context
def check(ctx: click.Context, choice: "Choice", as_json: bool, jobs: int) -> None:
    """Replay every game, or those chosen, and say of each whether it is decided the same.

    Before that every page of the file is read, and seen to be what it must be.
    """
    from urpi.commands.games.replaying import check_journal

    check_journal(open_journal(ctx), journal_path(ctx), choice, jobs, as_json=as_json)
