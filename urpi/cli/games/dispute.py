"""`urpi games dispute`: print the evidence of a part of a game."""

import json
from pathlib import Path
from typing import Final

import click

from urpi.cli.games.group import GAME, open_journal
from urpi.cli.options import settings_of as config_of
from urpi.cli.output import AS_JSON, LANGUAGE, form_of, format_options, printable, write
from urpi.core.errors import UrpiError

FORMS: Final = {".txt": "text", ".json": "json", ".html": "html"}
"""The formats by the suffixes of their files."""


@click.command()
@GAME
@click.option(
    "--turn", type=int, help="Number of the turn in the record.  [default: the last turn]"
)
@click.option("--minute", is_flag=True, help="The last minute of the game instead of a turn.")
@format_options(FORMS)
@AS_JSON
@LANGUAGE
@click.pass_context
def dispute(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    game: int,
    turn: int | None,
    minute: bool,
    form: str | None,
    output: Path | None,
    as_json: bool,
    language: str | None,
) -> None:
    """Show the evidence of a turn of GAME: what was detected, legal and decided.

    It contains every report of a die, every lift and put with its time, the reason why a move was
    not legal with its section of RULES.md, and every decision. The game may still be running.

    For example: urpi games dispute 12 --turn 7
    """
    from urpi.show.evidence import (
        dispute_json,
        dispute_minute,
        dispute_page,
        dispute_text,
        dispute_turn,
    )
    from urpi.show.words import words_for

    if minute and turn is not None:
        message = "A dispute covers a turn or the last minute; use --turn or --minute, not both."
        raise UrpiError(message)
    if as_json and form not in {None, "json"}:
        message = f"--json and --format {form} exclude each other; use one of them."
        raise UrpiError(message)
    form = form_of(output, FORMS, "text", chosen="json" if as_json else form)
    journal = open_journal(ctx)
    found = dispute_minute(journal, game) if minute else dispute_turn(journal, game, turn)
    words = words_for(language or config_of(ctx).config.table.language)
    if form == "json":
        text = json.dumps(dispute_json(found, words), ensure_ascii=False, indent=1) + "\n"
    elif form == "html":
        text = dispute_page(found, words)
    else:
        text = "".join(
            f"{printable(line) if line else ''}\n"
            for line in dispute_text(found, words).splitlines()
        )
    write(output, text)
