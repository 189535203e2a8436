"""The group of the commands about games, and how they find the journal."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from urpi.commands.choosing import settings_of as config_of
from urpi.commands.groups import Lazy, LazyGroup
from urpi.errors import UrpiError

if TYPE_CHECKING:
    from urpi.journal import Journal

GAME: Final = click.argument("game", metavar="GAME", type=int)


def cores() -> int:
    """How many processes can work at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # Linux alone can keep a process from some of the cores.
        return os.cpu_count() or 1


JOBS: Final = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=cores,
    show_default="one for each core",
    help="Processes.",
)
DAMAGED: Final = (
    "start `urpi serve` or `urpi demo` with it, which set it aside and save what can be read, or "
    "bring a backup back with `urpi games restore FILE --replace`"
)
AS_JSON: Final = click.option("--json", "as_json", is_flag=True, help="As JSON.")


class _Games(LazyGroup):
    """Says what to do about a journal that is damaged, whatever was wanted of it."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UrpiError as error:
            from urpi.journal import DamagedError

            if not isinstance(error, DamagedError) or str(journal_path(ctx)) not in str(error):
                raise
            message = f"{str(error).removesuffix('.')}; {DAMAGED}."
            raise UrpiError(message) from error


def _lazy(module: str, about: str) -> Lazy:
    return Lazy(f"urpi.commands.games.{module}", about)


COMMANDS: Final = {
    "anonymise": _lazy(
        "care:anonymise",
        "Replace a player's NAME in every game, and leave nothing of it in the file.",
    ),
    "backup": _lazy(
        "care:backup",
        "Copy the journal to FILE, also while a game is being played; the copy is checked.",
    ),
    "check": _lazy(
        "checking:check",
        "Replay every game, or those chosen, and say of each whether it is decided the same.",
    ),
    "dispute": _lazy(
        "disputing:dispute",
        "Show the evidence of a turn of GAME: what was detected, legal and decided.",
    ),
    "export": _lazy(
        "transfer:export",
        "Write games to be kept elsewhere: those named, else those chosen, else every one.",
    ),
    "import": _lazy(
        "transfer:import_",
        "Read games from FILE, an archive or a record, into the journal: all of them or none.",
    ),
    "list": _lazy("listing:list_", "List the games, the newest first; times are local."),
    "prune": _lazy("care:prune", "Take the raw edges of old games away, and never a decision."),
    "replay": _lazy(
        "checking:replay_", "Referee the facts of GAME again, and compare the decisions."
    ),
    "restore": _lazy(
        "care:restore",
        "Put a copy of the backup FILE in the journal's place; the old one is kept beside it.",
    ),
    "show": _lazy(
        "listing:show", "Print the record of GAME: its players, throws, moves and result."
    ),
    "stats": _lazy(
        "stats:stats",
        "Tell how the games went: by player, by pair, by die, and what was longest.",
    ),
}


@click.group(cls=_Games, lazy=COMMANDS)
@click.option(
    "--journal",
    "path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The journal to read in place of the configured one.",
)
@click.pass_context
def games(ctx: click.Context, path: Path | None) -> None:
    """List, show, replay, explain, measure and look after the games in the journal."""
    # The help of a subcommand must work without a journal: it is opened on first use.
    ctx.obj = path


def journal_path(ctx: click.Context) -> Path:
    """The file that was named, else the configured one."""
    return Path(ctx.obj or config_of(ctx).config.journal.file)


def open_journal(ctx: click.Context) -> "Journal":
    """The journal, closed when the command ends.

    Raises:
        UrpiError: when there is none.
    """
    from urpi.journal import Journal

    return ctx.with_resource(Journal.open(journal_path(ctx), create=False))
