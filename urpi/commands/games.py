"""`urpi games`: what the journal holds, game by game, and whether it would be decided so again."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from urpi.commands.choosing import settings_of as config_of
from urpi.journal import (
    GameSummary,
    Journal,
    build_record,
    entries_of,
    find_game,
    list_games,
    replay,
    settings_of,
    timing_of,
)
from urpi.referee import Settings, begin, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.rules.record import record_text

HEADINGS: Final = ("GAME", "STARTED", "RULES", "LIGHT", "DARK", "TURNS", "RESULT")
FLUSH_RIGHT: Final = frozenset({"GAME", "TURNS"})

GAME: Final = click.argument("game", metavar="GAME", type=int)


@click.group()
@click.option(
    "--journal",
    "path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The journal to read in place of the configured one.",
)
@click.pass_context
def games(ctx: click.Context, path: Path | None) -> None:
    """List, show, replay and export the games in the journal."""
    # The help of a subcommand must work without a journal: it is opened on first use.
    ctx.obj = path


def _open(ctx: click.Context) -> Journal:
    path = ctx.obj or config_of(ctx).config.journal.file
    return ctx.with_resource(Journal.open(path, create=False))


@games.command("list")
@click.pass_context
def list_(ctx: click.Context) -> None:
    """List every game, the newest first; times are local."""
    rows = [_row(game) for game in list_games(_open(ctx))]
    for line in _table([HEADINGS, *rows]):
        click.echo(line)


def _row(game: GameSummary) -> tuple[str, ...]:
    return (
        str(game.id),
        f"{game.started.astimezone():%Y-%m-%d %H:%M}",
        game.rules,
        _harmless(game.light),
        _harmless(game.dark),
        str(game.turns),
        game.result or "-",
    )


def _harmless(name: str) -> str:
    """A player's name without what could steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name) or "-"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            text.rjust(width) if heading in FLUSH_RIGHT else text.ljust(width)
            for heading, text, width in zip(HEADINGS, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


@games.command()
@GAME
@click.pass_context
def show(ctx: click.Context, game: int) -> None:
    """Print the record of GAME: its players, throws, moves and result."""
    click.echo(_record_text(_open(ctx), game), nl=False)


def _record_text(journal: Journal, game: int) -> str:
    summary = find_game(journal, game)
    return record_text(build_record(entries_of(journal, game), summary.started.astimezone()))


@games.command("replay")
@GAME
@click.pass_context
def replay_(ctx: click.Context, game: int) -> None:
    """Referee the facts of GAME again, and compare the decisions.

    Leaves with exit status 1 and the first difference when there is one.
    """
    journal = _open(ctx)
    find_game(journal, game)
    done = replay(entries_of(journal, game), _Player(settings_of(journal, game)).play)
    if done.differences:
        first, count = done.differences[0], len(done.differences)
        message = f"{count} of {done.decisions} decisions differ. {first}"
        raise click.ClickException(message)
    unstored = f"; {len(done.unstored)} more were not stored" if done.unstored else ""
    click.echo(f"{done.facts} facts, {done.decisions} decisions, all the same{unstored}.")


class _Player:
    """A referee with the times of a game, that plays one fact after the other."""

    def __init__(self, settings: dict[str, str]) -> None:
        # A replay compares decisions, not their wording: the referee needs no words.
        wordless = Settings(say=lambda _code, _details: "", timing=timing_of(settings))
        self._state = begin(wordless)

    def play(self, fact: Fact) -> Iterable[Decision]:
        """What is decided on the next fact."""
        self._state, decisions = step(self._state, fact)
        return decisions


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
    journal = _open(ctx)
    if form == "text":
        click.echo(_record_text(journal, game), nl=False)
        return
    find_game(journal, game)
    for entry in entries_of(journal, game):
        click.echo(entry.line)
