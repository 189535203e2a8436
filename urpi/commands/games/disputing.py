"""`urpi games dispute`: what the board saw, for people who disagree about it."""

import json
from pathlib import Path
from typing import Final

import click

from urpi.commands.choosing import settings_of as config_of
from urpi.commands.games.group import GAME, open_journal
from urpi.commands.games.tables import harmless
from urpi.commands.output import write_text
from urpi.errors import UrpiError

FORMS: Final = ("text", "json", "html")


@click.command()
@GAME
@click.option("--turn", type=int, help="The turn's number in the record; the last one unless told.")
@click.option("--minute", is_flag=True, help="The last minute of the game in place of a turn.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="As what.  [default: as --output is named, else text]",
)
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write it there; by a name that ends with .html or .json the format is known.",
)
@click.option("--language", help="Of the sentences; the table's unless told.")
@click.pass_context
def dispute(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    game: int,
    turn: int | None,
    minute: bool,
    form: str | None,
    output: Path | None,
    language: str | None,
) -> None:
    """Lay out what the board saw in a turn of GAME, what was legal, and what was decided.

    Every die's reports, every lift and put with its time, why each move was not legal and by
    which section of RULES.md, every decision and from when on it could be shown. The game may
    be one that is being played.
    """
    from urpi.evidence import (
        dispute_json,
        dispute_minute,
        dispute_page,
        dispute_text,
        dispute_turn,
    )
    from urpi.words import words_for

    if minute and turn is not None:
        message = "A dispute is of a turn or of the last minute; give --turn or --minute, not both."
        raise UrpiError(message)
    journal = open_journal(ctx)
    found = dispute_minute(journal, game) if minute else dispute_turn(journal, game, turn)
    words = words_for(language or config_of(ctx).config.table.language)
    if form is None and output is not None:
        form = output.suffix[1:]
    if form == "json":
        text = json.dumps(dispute_json(found, words), ensure_ascii=False, indent=1) + "\n"
    elif form == "html":
        text = dispute_page(found, words)
    else:
        text = "".join(
            f"{harmless(line) if line else ''}\n"
            for line in dispute_text(found, words).splitlines()
        )
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)
