"""`urpi games list` and `show`: a list of the games, and the record of one."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from urpi.cli.games.group import GAME, VIRTUAL, filter_options, of_boards, open_journal
from urpi.cli.options import settings_of
from urpi.cli.output import AS_JSON, echo_json, list_options, printable, table
from urpi.show.words.sentences import N_

if TYPE_CHECKING:
    from urpi.cli.output import ListOutput
    from urpi.journal import Choice, GameSummary, Journal
    from urpi.rules.record import GameRecord
    from urpi.show.words import Words

HEADINGS: Final = (
    N_("Game"), N_("Started"), N_("Rules"), N_("Light"), N_("Dark"), N_("Turns"), N_("Result"),
)  # fmt: skip
ESTIMATED: Final = N_("{time}, estimated")
UNDATED: Final = N_("unknown day")
VOID: Final = N_("{result}, void")
RIGHT_ALIGNED: Final = frozenset({"Game", "Turns"})


@click.command("list")
@filter_options
@VIRTUAL
@list_options
@click.pass_context
def list_(ctx: click.Context, choice: "Choice", virtual: bool, to: "ListOutput") -> None:
    """List the games, the newest first, with local times.

    For example: urpi games list --player Ann --since 2026-11-01 --limit 10
    """
    from urpi.journal import list_games
    from urpi.show.words import words_for

    journal = open_journal(ctx)
    found = list_games(journal, of_boards(journal, choice, virtual=virtual))
    words = words_for(settings_of(ctx).config.table.language)
    headings = {heading: words.text(heading).upper() for heading in HEADINGS}
    right = {headings[heading] for heading in RIGHT_ALIGNED}
    to.write(
        found,
        _values,
        lambda some: table([*headings.values()], [_row(game, words) for game in some], right),
    )


def _row(game: "GameSummary", words: "Words") -> tuple[str, ...]:
    return (
        str(game.id),
        began(game, words),
        game.rules,
        printable(game.light),
        printable(game.dark),
        str(game.turns),
        _result(game, words),
    )


def began(game: "GameSummary", words: "Words") -> str:
    """Return when a game began in words, as far as that is known."""
    if game.undated:
        return words.text(UNDATED)
    started = words.moment(game.started.astimezone())
    return words.text(ESTIMATED).format(time=started) if game.estimated else started


def _result(game: "GameSummary", words: "Words") -> str:
    result = game.result or "-"
    return words.text(VOID).format(result=result) if game.void else result


def _values(game: "GameSummary") -> dict[str, Any]:
    return {
        "game": game.id,
        "started": game.started.isoformat(),
        "estimated": game.estimated,
        "undated": game.undated,
        "finished": None if game.finished is None else game.finished.isoformat(),
        "program": game.program,
        "rules": game.rules,
        "light": game.light,
        "dark": game.dark,
        "turns": game.turns,
        "result": game.result,
        "table": game.table,
        "void": game.void,
        "corrections": len(game.corrections),
    }


@click.command()
@GAME
@AS_JSON
@click.pass_context
def show(ctx: click.Context, game: int, as_json: bool) -> None:
    """Print the record of GAME: its players, throws, moves and result.

    For example: urpi games show 12
    """
    from urpi.journal import exported_record

    journal = open_journal(ctx)
    if as_json:
        echo_json(_record_values(exported_record(journal, game)))
    else:
        # A name of an imported game may contain a terminal's commands; an export keeps them.
        for line in record_text_of(journal, game).split("\n")[:-1]:
            click.echo(printable(line) if line else "")


def _record_values(record: "GameRecord") -> dict[str, Any]:
    turns = [
        {"side": turn.side.value, "throws": [asdict(thrown) for thrown in turn.throws]}
        for turn in record.turns
    ]
    return {"tags": dict(record.tags), "turns": turns}


def record_text_of(journal: "Journal", game: int) -> str:
    from urpi.journal import exported_record
    from urpi.rules.record import record_text

    return record_text(exported_record(journal, game))
