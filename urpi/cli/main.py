"""The command line: its commands, and the exit status of the program.

A command's module is imported when the command runs, so that `urpi rules` starts without the
libraries that only the hardware needs.
"""

import errno
import io
import os
import sys
from pathlib import Path
from typing import Final

import click

from urpi import __version__
from urpi.cli.groups import Lazy, LazyGroup
from urpi.cli.output import echo_error
from urpi.core.errors import UrpiError

COMMANDS: Final = {
    "demo": "Play on a virtual table in the browser, refereed like a real one.",
    "serve": "Referee the board that is wired to this machine.",
    "service": "Manage the systemd service that starts the referee.",
    "update": "List and install release files of the Debian package, with a way back.",
    "card": "Prepare a card for a Pi that installs and configures itself.",
    "doctor": "Find the faults of this machine and its board, and their cures.",
    "check-wiring": "Check the configured wiring, and list its wires.",
    "template": "Draw the board to scale: to print, engrave, drill and rout.",
    "rules": "List the rule sets, or explain one with a drawing of its path.",
    "moves": "Read positions and throws as JSON lines, and print their legal moves.",
    "evaluate": "Print the values of positions, throws and moves.",
    "picture": "Draw a position as SVG or PNG.",
    "solve": "Compute the exact value of every position of a race.",
    "tables": "List, check, install and remove tables of exact values.",
    "perft": "Count the possible games up to a depth.",
    "referee": "Read facts on standard input, and print the decisions.",
    "dice": "Watch the dice, calibrate their faces, test whether they are fair.",
    "pin": "Print the PIN of the page, or replace it and end all sessions.",
    "games": "List, replay, explain, analyse and maintain the games in the journal.",
    "club": "Connect this table to a club, or run a club.",
    "config": "Show or check the configuration, or print an example.",
}
"""The commands with their summaries, in the order of the help.

The module of a command in `urpi.cli` has its name, with underscores.
"""

SHOWN_NAME: Final = 60
"""Characters of a name in an error about its length."""
NAME_ERRORS: Final = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP),
    *(errno.ENOTDIR, errno.EISDIR, errno.ENXIO),
}
"""The errors of a file that this user may not use, or that is of another kind."""
DISK_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""The errors of a write to standard output that is redirected to a file."""
_NO_ANSWER: Final = (
    "The input has ended before the question was answered; run the command in a terminal, or write "
    "the answer to its input."
)

LAZY: Final = {
    name: Lazy(f"urpi.cli.{name}:{name}".replace("-", "_"), about)
    for name, about in COMMANDS.items()
}


@click.group(cls=LazyGroup, lazy=LAZY, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="urpi")
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The configuration to read in place of the default ones.",
)
@click.pass_context
def cli(ctx: click.Context, config_file: Path | None) -> None:
    """A Raspberry Pi under a real board referees the Royal Game of Ur."""
    ctx.obj = config_file


def main(command: click.Command = cli, name: str = "urpi") -> None:
    """Run a command line, and exit with its status.

    0: success. 1: the reader of the output has gone, or a comparison failed. 2: an input is
    invalid, with a one-line message on standard error. 130: interrupted.
    """
    _escape_unencodable()
    sys.exit(_status(command, name))


def _escape_unencodable() -> None:
    """Print characters that the output's encoding lacks as escapes, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _status(command: click.Command, name: str) -> int:
    try:
        # The status passed to `ctx.exit`, or else the return value of the command.
        status = command.main(prog_name=name, standalone_mode=False)
        # It is None if the parent process has closed it.
        if sys.stdout is not None:
            sys.stdout.flush()
    except UrpiError as error:
        echo_error(error)
        return 2
    except click.ClickException as error:
        return _click_status(error)
    except click.Abort as error:
        return _abort_status(error)
    except ModuleNotFoundError as error:
        missing = (error.name or "urpi").partition(".")[0]
        # A module of the program itself is missing by an error of the program, which needs its
        # traceback.
        if missing == "urpi":
            raise
        message = (
            f"The Python module {missing} is missing; install urpi again, as a Debian package or "
            "with pip, which installs the libraries that it needs."
        )
        echo_error(message)
        return 2
    except BrokenPipeError:
        _close_output()
        return 1
    except OSError as error:
        return _file_error_status(error)
    return status if isinstance(status, int) else 0


def _file_error_status(error: OSError) -> int:
    """Return the status after an error of the output, or of the name of a file.

    Raises:
        OSError: If it is another error, which is one of the program.
    """
    if error.errno == errno.ENAMETOOLONG:
        # Of a word of the call, in whatever way the command asks for the file.
        shown = str(error.filename)[:SHOWN_NAME]
        echo_error(f"The name {shown}… is too long for a file; give a shorter one.")
        return 2
    if error.errno in NAME_ERRORS and isinstance(error.filename, str | bytes):
        shown = os.fsdecode(error.filename)
        echo_error(
            f"The file {shown} cannot be used: {error.strerror}; choose one that this user may use."
        )
        return 2
    # An error that names a file is not one of the output.
    if error.filename is not None or error.errno not in DISK_ERRORS:
        raise error
    _close_output()
    echo_error(f"The output cannot be written: {error.strerror}; write it elsewhere.")
    return 2


def _abort_status(error: click.Abort) -> int:
    """Return the status after Ctrl-C, or at the end of an input that a question is waiting for."""
    if not isinstance(error.__context__, EOFError):
        return 130
    echo_error(_NO_ANSWER)
    return 2


def _click_status(error: click.ClickException) -> int:
    """Print the error of a call with invalid words, or the help of a mere group."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    # click's error of a group that is called without a command has the group's help as its message.
    if context is not None and error.message == context.get_help():
        click.echo(error.message, err=True)
        return error.exit_code
    text = " ".join(error.format_message().split()).removesuffix(".")
    echo_error(f"{text}; see `{context.command_path} --help`." if context else f"{text}.")
    return error.exit_code


def _close_output() -> None:
    """Discard the rest of the output, whose flush at exit would fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
