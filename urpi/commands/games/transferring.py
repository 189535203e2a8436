"""`urpi games export` and `import`."""

import click

from urpi.commands.games.group import GAME, games, open_journal
from urpi.commands.games.listing import text_of
from urpi.journal import entries_of, find_game


@games.command()
@GAME
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The record, or every fact and decision as JSON lines.",
)
@click.pass_context
def export(ctx: click.Context, game: int, form: str) -> None:
    """Print GAME to be kept elsewhere."""
    journal = open_journal(ctx)
    if form == "text":
        click.echo(text_of(journal, game), nl=False)
        return
    find_game(journal, game)
    for entry in entries_of(journal, game):
        click.echo(entry.line)
