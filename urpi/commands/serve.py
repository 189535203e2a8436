"""`urpi serve`: referee the real board, one game after another."""

import click

from urpi.commands.choosing import settings_of


@click.command()
@click.option("--new-game", is_flag=True, help="Break an unfinished game off, and begin anew.")
@click.pass_context
def serve(ctx: click.Context, new_game: bool) -> None:
    """Referee the board that is wired to this machine, one game after another.

    The configuration says the rule set, the players, the pins, the hub's port and the display.
    A game that was not finished when the program ended, however that came, goes on where it
    was. When a game is over and the board has been set up anew, the next one begins. The page
    is served where [page] says. It stops on SIGTERM or Ctrl-C, with everything stored.
    """
    from urpi.commands.serving import serve_board

    serve_board(settings_of(ctx).config, new_game=new_game)
