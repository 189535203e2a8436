"""The group of the commands about games, and how they find the journal."""

import os
from pathlib import Path
from typing import Any, Final

import click

from urpi.commands.choosing import settings_of as config_of
from urpi.commands.groups import Group
from urpi.errors import UrpiError
from urpi.journal import DamagedError, Journal

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


class _Games(Group):
    """Says what to do about a journal that is damaged, whatever was wanted of it."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except DamagedError as error:
            if str(journal_path(ctx)) not in str(error):
                raise
            message = f"{str(error).removesuffix('.')}; {DAMAGED}."
            raise UrpiError(message) from error


@click.group(cls=_Games)
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


def open_journal(ctx: click.Context) -> Journal:
    """The journal, closed when the command ends.

    Raises:
        UrpiError: when there is none.
    """
    return ctx.with_resource(Journal.open(journal_path(ctx), create=False))
