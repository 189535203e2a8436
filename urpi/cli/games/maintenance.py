"""`urpi games backup`, `restore`, `set-aside`, `prune`, `anonymise`: maintenance of the journal."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Final

import click

from urpi.cli.games.group import journal_path, open_journal
from urpi.cli.output import FILE, counted, printable
from urpi.core.errors import UrpiError
from urpi.core.moments import local_now

_REPLACE: Final = click.option("--replace", is_flag=True, help="Replace an existing file.")
_AGE: Final = re.compile("([1-9][0-9]{0,4})([dw])")
_DAYS: Final = {"d": 1, "w": 7}


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@_REPLACE
@click.pass_context
def backup(ctx: click.Context, file: Path, replace: bool) -> None:
    """Copy the journal to FILE, even during a game, and check the copy.

    For example: urpi games backup games.db
    """
    from urpi.journal import back_up

    size = back_up(journal_path(ctx), file, replace=replace)
    click.echo(f"{file}: {size / 1e6:.1f} MB, complete.")


@click.command("set-aside")
@click.pass_context
def set_aside(ctx: click.Context) -> None:
    """Rename the journal, whatever is in it, so that the next start begins a new one.

    For example: urpi games set-aside
    """
    from urpi.journal.repair import begin_afresh

    path = journal_path(ctx)
    aside = begin_afresh(path, local_now())
    click.echo(f"{path} is {aside} now, with all its games; the next start begins a new one.")


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@_REPLACE
@click.pass_context
def restore(ctx: click.Context, file: Path, replace: bool) -> None:
    """Replace the journal by a copy of the backup FILE; the old journal is kept beside it.

    For example: urpi games restore games.db --replace
    """
    from urpi.journal import restore_backup

    path = journal_path(ctx)
    aside = restore_backup(file, path, local_now(), replace=replace)
    kept = f"; the old journal is {aside}" if aside else ""
    click.echo(f"{path} is the backup now{kept}.")


@click.command()
@click.option(
    "--keep-edges",
    "age",
    metavar="AGE",
    required=True,
    help="Age after which the edges of a game are deleted: 90d or 12w.",
)
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.pass_context
def prune(ctx: click.Context, age: str, dry_run: bool) -> None:
    """Delete the switches' edges of old games, but no decisions.

    A game without its edges can no longer be replayed or shown lift by lift, which is reported;
    its record, throws and decisions are kept.

    For example: urpi games prune --keep-edges 90d --dry-run
    """
    from urpi.journal import prunable, prune_game

    journal, path = open_journal(ctx), journal_path(ctx)
    now = local_now()
    chosen = list(prunable(journal, now - _age(age)))
    if dry_run or not chosen:
        click.echo(f"{counted(len(chosen), 'game is', 'games are')} old enough.")
        return
    before = path.stat().st_size
    deleted = sum(prune_game(journal, game.id, f"{now:%Y-%m-%d}") for game in chosen)
    journal.rows("VACUUM")
    sizes = f"{before / 1e6:.1f} MB before, {path.stat().st_size / 1e6:.1f} MB now"
    click.echo(f"{deleted} lines of {counted(len(chosen), 'game', 'games')} were deleted; {sizes}.")


def _age(text: str) -> timedelta:
    match = _AGE.fullmatch(text)
    if not match:
        message = f"An age must be a number of days or weeks, such as 90d or 12w; found {text!r}."
        raise UrpiError(message)
    return timedelta(days=int(match[1]) * _DAYS[match[2]])


@click.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--as",
    "instead",
    metavar="TEXT",
    help='The new name.  [default: "Player 1" or the next number]',
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def anonymise(ctx: click.Context, name: str, instead: str | None, yes: bool) -> None:
    """Replace a player's NAME in every game, so that the file no longer contains it.

    The club deletes it, too. This cannot be undone. Backups, exports, and a journal that was
    replaced by a restore are other files and still contain the name.

    For example: urpi games anonymise "Ann Smith" --as Ann
    """
    from urpi.journal import anonymise_player, games_with_player, unused_name

    journal = open_journal(ctx)
    instead = unused_name(journal) if instead is None else instead
    count = len(games_with_player(journal, name))
    question = (
        f"Replace {printable(name)} by {printable(instead)} in {counted(count, 'game', 'games')}?"
    )
    if not yes and not click.confirm(question):
        raise click.Abort
    anonymise_player(journal, name, instead)
    games = counted(count, "game was", "games were")
    click.echo(f"{games} changed to {printable(instead)}. Backups and exports are unchanged.")
