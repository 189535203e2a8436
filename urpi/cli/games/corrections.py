"""`urpi games correct`, `delete` and `corrections`: corrections of games, each kept in a log."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.games.group import GAME, journal_path, open_journal
from urpi.cli.output import list_options, printable
from urpi.core.moments import local_now

if TYPE_CHECKING:
    from urpi.cli.output import ListOutput
    from urpi.journal import Correction, CorrectionKind

_REASON: Final = click.option("--reason", metavar="TEXT", default="", help="Why; kept in the log.")


@click.command()
@GAME
@click.option("--light", metavar="NAME", help="The name of light in this game.")
@click.option("--dark", metavar="NAME", help="The name of dark in this game.")
@click.option("--note", metavar="TEXT", help="A note about the game.")
@click.option("--void/--valid", default=None, help="Whether the game counts: void games do not.")
@_REASON
@click.pass_context
def correct(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    game: int,
    light: str | None,
    dark: str | None,
    note: str | None,
    void: bool | None,
    reason: str,
) -> None:
    """Correct the names of GAME, add a note, or mark it as void.

    What the board detected and the referee decided stays as it is. Each correction is kept with its
    time and reason, which a note alone does not need; the record and the page show it. A void game
    is left out of statistics, and is not sent to a club.

    For example: urpi games correct 12 --dark Bea --reason "a typo"
    """
    from urpi.journal import correct_game

    changes: dict[CorrectionKind, str] = {}
    if light is not None:
        changes["light"] = light
    if dark is not None:
        changes["dark"] = dark
    if note is not None:
        changes["note"] = note
    if void is not None:
        changes["void" if void else "valid"] = ""
    journal = open_journal(ctx)
    for one in correct_game(journal, game, changes, reason, local_now()):
        said = f": {printable(one.text)}" if one.text else ""
        click.echo(f"Game {game}, {one.kind}{said}.")
    if void or light is not None or dark is not None:
        _echo_club(
            ctx,
            game,
            "it removes the names of a void game, and a name that was corrected, and "
            "does not rate the game any more",
        )


@click.command()
@GAME
@_REASON
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def delete(ctx: click.Context, game: int, reason: str, yes: bool) -> None:
    """Delete GAME; only its number, the time and the reason are kept.

    This cannot be undone. The newest game of a table can be marked as void instead, or deleted
    when the next one has begun.

    For example: urpi games delete 12 --reason "only a test"
    """
    from urpi.journal import delete_game, find_game

    journal = open_journal(ctx)
    found = find_game(journal, game)
    names = " and ".join(printable(name) for name in found.names)
    question = f"Delete game {game} of {names}, begun {found.started.astimezone():%Y-%m-%d %H:%M}?"
    if not yes and not click.confirm(question):
        click.echo("Nothing was changed.")
        return
    delete_game(journal, game, reason, local_now())
    click.echo(f"Game {game} is deleted; 'urpi games corrections' shows when and why.")
    _echo_club(ctx, game, "it keeps the game; tell its arbiters")


def _echo_club(ctx: click.Context, game: int, then: str) -> None:
    """Print what a club that has the game does with it."""
    from urpi.link.broker.ledger import was_sent

    if was_sent(journal_path(ctx), game):
        click.echo(f"The club has game {game} already: {then}.", err=True)


@click.command()
@click.argument("game", metavar="[GAME]", type=int, required=False)
@list_options
@click.pass_context
def corrections(ctx: click.Context, game: int | None, to: "ListOutput") -> None:
    """List the corrections of all games, or of GAME, and the games that were deleted.

    For example: urpi games corrections --output corrections.jsonl
    """
    from urpi.journal.corrections import read_corrections

    to.write(read_corrections(open_journal(ctx), game), asdict, lambda some: map(_text, some))


def _text(one: "Correction") -> str:
    parts = (f"Game {one.game}", one.at, one.kind, one.text, one.reason)
    return "  ".join(printable(part) for part in parts if part)
