"""The command group `urpi games`, the journal that its commands use, and their options."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from urpi.cli.groups import Lazy, LazyGroup
from urpi.cli.options import settings_of as config_of
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from urpi.journal import Choice, Journal
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import wraps

GAME: Final = click.argument("game", metavar="GAME", type=int)
_OPTIONS: Final = (
    click.option("--player", metavar="NAME", help="Only games of this player."),
    click.option("--rules", metavar="ID", help="Only games of this rule set, with any options."),
    click.option(
        "--since", metavar="DAY", help="Only games begun on this day or later, local time."
    ),
    click.option("--until", metavar="DAY", help="Only games begun on this day or earlier."),
)


def cores() -> int:
    """The number of available processor cores."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # Only Linux can restrict a process to some of the cores.
        return os.cpu_count() or 1


JOBS: Final = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=cores,
    show_default="one for each core",
    help="Number of processes.",
)
DAMAGED: Final = (
    "start `urpi serve` or `urpi demo` with it, which set it aside and save what can be read, or "
    "restore a backup with `urpi games restore FILE --replace`"
)


class _Games(LazyGroup):
    """Adds to the error of a damaged journal what to do about it."""

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
    return Lazy(f"urpi.cli.games.{module}", about)


COMMANDS: Final = {
    "anonymise": _lazy(
        "maintenance:anonymise",
        "Replace a player's NAME in every game, so that the file no longer contains it.",
    ),
    "backup": _lazy(
        "maintenance:backup",
        "Copy the journal to FILE, even during a game, and check the copy.",
    ),
    "check": _lazy(
        "replay:check",
        "Replay all or selected games, and report for each whether the decisions are the same.",
    ),
    "correct": _lazy(
        "corrections:correct", "Correct the names of GAME, add a note, or mark it as void."
    ),
    "corrections": _lazy(
        "corrections:corrections",
        "List the corrections of all games, or of GAME, and the games that were deleted.",
    ),
    "delete": _lazy(
        "corrections:delete", "Delete GAME; only its number, the time and the reason are kept."
    ),
    "dispute": _lazy(
        "dispute:dispute",
        "Show the evidence of a turn of GAME: what was detected, legal and decided.",
    ),
    "export": _lazy(
        "transfer:export",
        "Export the given games, or those selected, or all.",
    ),
    "figures": _lazy(
        "stats:figures",
        "Review all ended games, or GAME, and store the figures for statistics.",
    ),
    "import": _lazy(
        "transfer:import_",
        "Import all games of FILE, an archive or a record, or none if one is invalid.",
    ),
    "list": _lazy("listing:list_", "List the games, the newest first, with local times."),
    "picture": _lazy(
        "picture:picture",
        "Draw a position of GAME as SVG or PNG, or the whole GAME as an animated GIF.",
    ),
    "prune": _lazy(
        "maintenance:prune", "Delete the switches' edges of old games, but no decisions."
    ),
    "replay": _lazy(
        "replay:replay_", "Referee the facts of GAME again, and compare the decisions."
    ),
    "restore": _lazy(
        "maintenance:restore",
        "Replace the journal by a copy of the backup FILE; the old journal is kept beside it.",
    ),
    "review": _lazy(
        "review:review",
        "Review GAME: how lucky each throw was, and what each move gave away.",
    ),
    "set-aside": _lazy(
        "maintenance:set_aside",
        "Rename the journal, whatever is in it, so that the next start begins a new one.",
    ),
    "show": _lazy(
        "listing:show", "Print the record of GAME: its players, throws, moves and result."
    ),
    "stats": _lazy(
        "stats:stats",
        "Print statistics by player, pair and die, the longest games, and what reviews have shown.",
    ),
}


@click.group(cls=_Games, lazy=COMMANDS)
@click.option(
    "--journal",
    "path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The journal to use in place of the configured one.",
)
@click.pass_context
def games(ctx: click.Context, path: Path | None) -> None:
    """List, replay, explain, analyse and maintain the games in the journal."""
    # The help of a subcommand must work without a journal: it is opened on first use.
    ctx.obj = path


def journal_path(ctx: click.Context) -> Path:
    """The file of `--journal`, or else the configured one."""
    return Path(ctx.obj or config_of(ctx).config.journal.file)


def open_journal(ctx: click.Context) -> "Journal":
    """Open the journal, which is closed when the command ends.

    Raises:
        UrpiError: If it does not exist.
    """
    from urpi.journal import Journal

    return ctx.with_resource(Journal.open(journal_path(ctx), create=False))


def that_count(journal: "Journal", choice: "Choice") -> "Choice":
    """Return a filter without void games, and print how many it leaves out."""
    from urpi.journal import list_games

    if left_out := sum(game.void for game in list_games(journal, choice)):
        games = "1 void game is" if left_out == 1 else f"{left_out} void games are"
        click.echo(f"{games} left out.", err=True)
    return replace(choice, void=False)


VIRTUAL: Final = click.option(
    "--virtual", is_flag=True, help="Also games of virtual tables, such as that of the demo."
)


def of_boards(journal: "Journal", choice: "Choice", *, virtual: bool) -> "Choice":
    """Return a filter without the games of virtual tables, and print how many it leaves out.

    With `virtual`, and in a journal that has no other games, such as that of a demo, they are
    included.
    """
    from urpi.journal import has_board_games, list_games

    choice, boards = replace(choice, virtual=True), replace(choice, virtual=False)
    if virtual or not has_board_games(journal):
        return choice
    if left_out := sum(not boards.matches(game) for game in list_games(journal, choice)):
        games = (
            "1 game of a virtual table is"
            if left_out == 1
            else (f"{left_out} games of virtual tables are")
        )
        click.echo(f"{games} left out; add --virtual to include them.", err=True)
    return boards


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the four options to a command; it is called with their `choice`."""

    @wraps(command)
    def with_choice(
        player: str | None, rules: str | None, since: str | None, until: str | None, **others: Any
    ) -> None:
        from urpi.journal import Choice

        if rules is not None:
            _check_rules(rules)
        first, last = _day("--since", since), _day("--until", until)
        if first and last and first > last:
            message = f"--since {first} is after --until {last}; exchange the two."
            raise UrpiError(message)
        command(choice=Choice(player, rules, first, last), **others)

    for option in reversed(_OPTIONS):
        with_choice = option(with_choice)
    return with_choice


def _check_rules(rules: str) -> None:
    """Check that the program or the journal has a rule set, given by its id or its whole text.

    Raises:
        UrpiError: If neither has it.
    """
    from urpi.rules import RULE_SETS, rule_set

    name = rules.partition("[")[0]
    if name not in RULE_SETS:
        # A game may have been stored by another version of the program.
        stored = open_journal(click.get_current_context()).rows("SELECT DISTINCT rules FROM games")
        if name not in {each.partition("[")[0] for (each,) in stored}:
            rule_set(name)


def _day(option: str, text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        message = f"{option} must be a day such as 2026-11-20; found {text!r}."
        raise UrpiError(message) from error
