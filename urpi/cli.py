"""The command line's frame: which commands there are, and how the program ends.

A command's module is imported when the command runs, so that `urpi rules` starts without
what only the hardware needs.
"""

import errno
import io
import os
import sys
from pathlib import Path
from typing import Final

import click

from urpi import __version__
from urpi.commands.groups import Lazy, LazyGroup
from urpi.errors import UrpiError

COMMANDS: Final = {
    "demo": "Play on a virtual table in the browser, refereed as a real one is.",
    "serve": "Referee the board that is wired to this machine.",
    "service": "Manage the systemd service that starts the referee.",
    "doctor": "Find what is wrong with this machine and its board, and the cure.",
    "check-wiring": "Check the configured wiring, and list its wires.",
    "template": "Draw the board to scale: to print, engrave, drill and rout.",
    "rules": "List the rule sets, or tell one in words with its path drawn.",
    "moves": "Answer positions and throws, as JSON lines, with their legal moves.",
    "perft": "Count the ways a game can go, depth by depth.",
    "referee": "Read facts on standard input, write decisions on standard output.",
    "bench": "Measure how well and how fast the referee does.",
    "dice": "Watch the dice, teach them their faces, see whether they are fair.",
    "games": "List, replay, explain, measure and look after the games in the journal.",
    "config": "Show, check or begin the configuration.",
}
"""Every command in the order of the help; its module in `urpi.commands` has its name, with
underscores."""

DISK_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What a write to standard output meets when that is a file."""


LAZY: Final = {
    name: Lazy(f"urpi.commands.{name}:{name}".replace("-", "_"), about)
    for name, about in COMMANDS.items()
}


@click.group(cls=LazyGroup, lazy=LAZY, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="urpi")
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The configuration to read in place of the usual ones.",
)
@click.pass_context
def cli(ctx: click.Context, config_file: Path | None) -> None:
    """A Raspberry Pi under a real board referees the Royal Game of Ur."""
    ctx.obj = config_file


def main() -> None:
    """Run the command line, and leave with its exit status.

    0 done; 1 nobody reads the output any more, or a command's comparison failed; 2 something
    that was given is wrong, said in one sentence on standard error; 130 interrupted.
    """
    _say_what_the_terminal_cannot()
    sys.exit(_status())


def _say_what_the_terminal_cannot() -> None:
    """Write a letter that the output's encoding lacks as its number, in place of failing on it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _status() -> int:
    try:
        # What `ctx.exit` was told; a command that simply ends gives back what it returns.
        status = cli.main(prog_name="urpi", standalone_mode=False)
        # There is none where the caller has closed it.
        if sys.stdout is not None:
            sys.stdout.flush()
    except UrpiError as error:
        click.echo(str(error), err=True)
        return 2
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    except ModuleNotFoundError as error:
        missing = (error.name or "urpi").partition(".")[0]
        if missing == "urpi":
            raise
        message = (
            f"The Python module {missing} is missing; install urpi with pip again, "
            "which installs the libraries that it needs."
        )
        click.echo(message, err=True)
        return 2
    except BrokenPipeError:
        _close_output()
        return 1
    except OSError as error:
        if error.filename is not None or error.errno not in DISK_ERRORS:
            raise
        _close_output()
        click.echo(f"The output cannot be written: {error.strerror}; write it elsewhere.", err=True)
        return 2
    return status if isinstance(status, int) else 0


def _close_output() -> None:
    """Send the rest nowhere, or the interpreter complains when it flushes at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
