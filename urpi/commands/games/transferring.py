"""`urpi games export` and `import`."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Final

import click

from urpi import __version__
from urpi.commands.games.choice import choosing_games
from urpi.commands.games.group import games, journal_path, open_journal
from urpi.commands.games.listing import text_of
from urpi.commands.games.tables import counted
from urpi.commands.output import replacing
from urpi.errors import UrpiError
from urpi.journal import (
    Choice,
    Journal,
    find_game,
    import_archive,
    import_record,
    list_games,
    write_archive,
)
from urpi.rules.record import LONGEST_RECORD

_FILE: Final = click.Path(path_type=Path, dir_okay=False)


@games.command()
@click.argument("numbers", metavar="[GAME]...", type=int, nargs=-1)
@choosing_games
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    help="The record of one game, or the archive of any: every fact and decision as JSON lines. "
    "One game is written as text, several as json, unless told.",
)
@click.option("--output", metavar="FILE", type=_FILE, help="Write it there, whole or not at all.")
@click.pass_context
def export(
    ctx: click.Context,
    numbers: tuple[int, ...],
    choice: Choice,
    form: str | None,
    output: Path | None,
) -> None:
    """Write games to be kept elsewhere: those named, else those chosen, else every one."""
    journal = open_journal(ctx)
    chosen = _chosen(journal, numbers, choice)
    with _written(output) as file:
        if form == "json" or (form is None and len(numbers) != 1):
            write_archive(journal, chosen, file.write, __version__)
        elif len(chosen) == 1:
            file.write(text_of(journal, chosen[0]))
        else:
            message = f"A record is of one game; found {len(chosen)}. Add --format json."
            raise UrpiError(message)


def _chosen(journal: Journal, numbers: tuple[int, ...], choice: Choice) -> list[int]:
    if numbers:
        return [find_game(journal, number).id for number in dict.fromkeys(numbers)]
    return [game.id for game in reversed(list_games(journal, choice))]


@contextmanager
def _written(output: Path | None) -> Iterator[IO[str]]:
    if output is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # A record and an archive are UTF-8, whatever the terminal is.
            sys.stdout.reconfigure(encoding="utf-8")
        yield sys.stdout
    else:
        with replacing(output) as file:
            yield file


@games.command("import")
@click.argument("file", metavar="FILE", type=_FILE)
@click.pass_context
def import_(ctx: click.Context, file: Path) -> None:
    """Read games from FILE, an archive or a record, into the journal: all of them or none.

    Games of an archive that the journal has already are left out.
    """
    now = datetime.now().astimezone()
    with Journal.open(journal_path(ctx)) as journal:
        text = _record_in(file)
        if text is not None:
            number = import_record(journal, text, now, __version__)
            click.echo(f"Game {number} was read from a record.")
            return
        done = import_archive(journal, file, now)
    known = f"; {counted(done.known, 'was', 'were')} there already" if done.known else ""
    click.echo(
        f"{counted(len(done.games), 'game was', 'games were')} read{_numbers(done.games)}{known}."
    )


def _numbers(found: tuple[int, ...]) -> str:
    if not found:
        return ""
    return f", game {found[0]}" if len(found) == 1 else f", games {found[0]} to {found[-1]}"


def _record_in(file: Path) -> str | None:
    """The text of a record, None when the file looks like an archive.

    Raises:
        UrpiError: when it cannot be read, is no UTF-8, or too long for a record.
    """
    try:
        with file.open("rb") as opened:
            # A letter takes four bytes at most.
            found = opened.read(4 * LONGEST_RECORD + 1)
    except OSError as error:
        message = f"The file {file} cannot be read: {error.strerror}; name another."
        raise UrpiError(message) from error
    if found.lstrip()[:1] in {b"{", b""}:
        return None
    if len(found) > 4 * LONGEST_RECORD:
        message = f"The file {file} is too long for a record of {LONGEST_RECORD} characters."
        raise UrpiError(message)
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The file {file} is neither an archive nor a record: it is no UTF-8."
        raise UrpiError(message) from error
