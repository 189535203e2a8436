"""`urpi serve`: referee the real board, one game after another."""

import time

import click

from urpi.cli.options import settings_of
from urpi.core.errors import UrpiError


@click.command()
@click.option("--new-game", is_flag=True, help="Abandon an unfinished game and begin a new one.")
@click.option(
    "--failure-delay",
    type=click.FloatRange(0, 60),
    default=0,
    metavar="SECONDS",
    help="Wait after an error before the exit, so that systemd does not restart it at once.",
)
@click.pass_context
def serve(ctx: click.Context, *, new_game: bool, failure_delay: float) -> None:
    """Referee the board that is wired to this machine, one game after another.

    The configuration specifies the rule set, the players, the pins, the hub's port, the display
    and the page. An unfinished game is continued, even after a power cut. When a game is over and
    all pieces have been removed, the next one begins. The program stops on SIGTERM or Ctrl-C, with
    everything stored.
    """
    from urpi.cli.serve_board import serve_board

    try:
        serve_board(settings_of(ctx).config, new_game=new_game)
    except UrpiError as error:
        if not failure_delay:
            raise
        click.echo(str(error), err=True)
        time.sleep(failure_delay)
        ctx.exit(2)
